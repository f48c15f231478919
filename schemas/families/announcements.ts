import Type, { type Static } from 'typebox';
import { DateTime, Empty, LanguageTag, paging, Shape, Text, Uuid } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

/** A longer one would not be read on a delivery page. */
const AnnouncementText = (options: object = {}) => Text(5000, { minLength: 1, ...options });

const Announcement = Shape('Announcement', {
  uuid: Uuid(),
  text: Type.String(),
  language: LanguageTag(),
  created_at: DateTime(),
  updated_at: DateTime(),
});

const AnnouncementCreate = Shape('AnnouncementCreate', { text: AnnouncementText(), language: LanguageTag() });
const AnnouncementUpdate = Shape(
  'AnnouncementUpdate',
  { text: Type.Optional(AnnouncementText()), language: Type.Optional(LanguageTag()) },
  { description: 'What is absent stays as it is.' },
);

const AnnouncementFilters = Type.Object({
  ...paging,
  uuid: Type.Optional(Uuid()),
  text: Type.Optional(AnnouncementText({ description: 'The whole text.' })),
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
    description: 'The same text may stand in several languages, but only once in each.',
    body: AnnouncementCreate,
    response: Empty,
    errors: ['announcement_exists'],
  },
  searchAnnouncements: {
    method: 'GET',
    path: announcementsPath,
    role: 'viewer',
    summary: 'Search announcements',
    description: 'Newest first. Filters must all match.',
    query: AnnouncementFilters,
    response: Type.Array(Announcement),
  },
  updateAnnouncement: {
    method: 'PATCH',
    path: announcementPath,
    role: 'editor',
    summary: 'Update an announcement',
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
    params: announcementParams,
    response: Empty,
    errors: ['announcement_not_found'],
  },
});

export type Announcement = Static<typeof Announcement>;
export type AnnouncementCreate = Static<typeof AnnouncementCreate>;
