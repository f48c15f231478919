import Type, { type Static } from 'typebox';
import { DateTime, Empty, LanguageTag, paging, Shape, Text, Uuid } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

/** Nobody would read a longer text on a delivery page. */
const AnnouncementText = (options: object = {}) => Text(5000, { minLength: 1, ...options });

const Announcement = Shape('Announcement', {
  uuid: Uuid(),
  text: Type.String({ description: 'The text that customers see.' }),
  language: LanguageTag({ description: 'The language of the text.' }),
  created_at: DateTime(),
  updated_at: DateTime(),
});

const AnnouncementCreate = Shape('AnnouncementCreate', {
  text: AnnouncementText({ description: 'The text that customers see.' }),
  language: LanguageTag({ description: 'The language of the text.' }),
});
const AnnouncementUpdate = Shape(
  'AnnouncementUpdate',
  { text: Type.Optional(AnnouncementText()), language: Type.Optional(LanguageTag()) },
  { description: 'Fields that you leave out keep their values.' },
);

const AnnouncementFilters = Type.Object({
  ...paging,
  uuid: Type.Optional(Uuid()),
  text: Type.Optional(AnnouncementText({ description: 'The complete text of the announcement.' })),
  language: Type.Optional(LanguageTag()),
});

const announcementsPath = `${shopPath}/announcements` as const;
const announcementPath = `${announcementsPath}/{uuid}` as const;
const announcementParams = Type.Object({ uuid: Uuid() });

export const announcements = declare({
  createAnnouncement: {
    method: 'POST',
    path: announcementsPath,
    role: 'editor',
    summary: 'Create an announcement',
    description: 'Creates an announcement. A shop cannot have two announcements with the same text and language.',
    body: AnnouncementCreate,
    response: Empty,
    errors: ['announcement_exists'],
  },
  searchAnnouncements: {
    method: 'GET',
    path: announcementsPath,
    role: 'viewer',
    summary: 'Search announcements',
    description: 'Returns the announcements that match all given filters, newest first.',
    query: AnnouncementFilters,
    response: Type.Array(Announcement),
  },
  updateAnnouncement: {
    method: 'PATCH',
    path: announcementPath,
    role: 'editor',
    summary: 'Update an announcement',
    description: 'Changes the text or the language of an announcement.',
    ifMatch: true,
    params: announcementParams,
    body: AnnouncementUpdate,
    response: Empty,
    errors: ['announcement_not_found', 'announcement_exists'],
  },
  deleteAnnouncement: {
    method: 'DELETE',
    path: announcementPath,
    role: 'editor',
    summary: 'Delete an announcement',
    description: 'Deletes an announcement.',
    ifMatch: true,
    params: announcementParams,
    response: Empty,
    errors: ['announcement_not_found'],
  },
});

export type Announcement = Static<typeof Announcement>;
export type AnnouncementCreate = Static<typeof AnnouncementCreate>;
