import { storefrontChanged } from '#domain/settings/storefront-version.ts';
import type { RecordKind } from '#platform/table/record.ts';
import { records } from '#platform/table/records.ts';
import type { AnnouncementCreate } from '#schemas/families/announcements.ts';

export const announcementKind: RecordKind<AnnouncementCreate> = {
  name: 'announcements',
  notFound: 'announcement_not_found',
  alsoOnChange: storefrontChanged,
  unique: [{ name: 'text', of: ({ language, text }) => `${language}#${text}`, taken: 'announcement_exists' }],
};

export const announcementRecords = records(announcementKind);
