import { records } from '#domain/records/records.ts';
import type { RecordKind } from '#platform/table/record.ts';
import type { AnnouncementCreate } from '#schemas/families/announcements.ts';

export const announcementKind: RecordKind<AnnouncementCreate> = {
  name: 'announcements',
  notFound: 'announcement_not_found',
  isShownToCustomers: true,
  unique: [{ name: 'text', of: ({ language, text }) => `${language}#${text}`, taken: 'announcement_exists' }],
};

export const announcementRecords = records(announcementKind);
