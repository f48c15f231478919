import type { announcements } from '../families/announcements.ts';
import type { ExamplesOf } from './example.ts';
import { ids } from './story.ts';

export const announcementExamples = {
  createAnnouncement: {
    body: { text: 'Parcels take one day longer in the week before Christmas.', language: 'en' },
    response: undefined,
  },
  searchAnnouncements: {
    query: { language: 'en' },
    response: [
      {
        uuid: ids.announcement,
        text: 'Parcels take one day longer in the week before Christmas.',
        language: 'en',
        created_at: '2026-11-16T09:08:13.790Z',
        updated_at: '2026-11-16T09:08:13.790Z',
      },
    ],
  },
  updateAnnouncement: {
    params: { uuid: ids.announcement },
    body: { text: 'Parcels take up to two days longer in the week before Christmas.' },
    response: undefined,
  },
  deleteAnnouncement: { params: { uuid: ids.announcement }, response: undefined },
} satisfies ExamplesOf<typeof announcements>;
