import { changeSettings, withResets } from '#domain/settings/change-settings.ts';
import { toPageSettings } from '#domain/settings/page-settings.ts';
import { loadSettings } from '#domain/settings/stored-settings.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { pages } from '#schemas/families/pages.ts';

export const getTrackingPageSettings: Implementation<typeof pages.getTrackingPageSettings> = async ({ shop }) =>
  toPageSettings(await loadSettings(shop.slug));

export const updateTrackingPageSettings: Implementation<typeof pages.updateTrackingPageSettings> = async (request) => {
  const { shop, body } = request;
  const after = await changeSettings(shop.slug, (before) => ({
    ...before,
    tracking_page: withResets(before.tracking_page, body),
  }));
  return toPageSettings(after);
};
