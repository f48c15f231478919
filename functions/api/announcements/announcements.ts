import { announcementRecords } from '#domain/promotions/announcement.ts';
import type { Implementation } from '#platform/http/request.ts';
import { equalsOf } from '#platform/table/record.ts';
import type { announcements } from '#schemas/families/announcements.ts';

export const createAnnouncement: Implementation<typeof announcements.createAnnouncement> = async (request) => {
  const { shop, body, now } = request;
  await announcementRecords.create(shop.slug, now, () => ({ fields: body }));
  return undefined;
};

export const searchAnnouncements: Implementation<typeof announcements.searchAnnouncements> = async (request) => {
  const found = await announcementRecords.page(request, equalsOf(request.query));
  return found.map(({ uuid, text, language, created_at, updated_at }) => ({
    uuid,
    text,
    language,
    created_at,
    updated_at,
  }));
};

export const updateAnnouncement: Implementation<typeof announcements.updateAnnouncement> = async (request) => {
  const { shop, params, body } = request;
  await announcementRecords.change(shop.slug, params.uuid, request, (before) => ({ fields: { ...before, ...body } }));
  return undefined;
};

export const deleteAnnouncement: Implementation<typeof announcements.deleteAnnouncement> = async (request) => {
  await announcementRecords.remove(request.shop.slug, request.params.uuid, request);
  return undefined;
};
