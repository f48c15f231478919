import type { settings } from '#schemas/settings.ts';
import type { Implementation } from '#shared/request.ts';
import { loadSettingsWithTriggers } from '#shared/settings/trigger-settings.ts';
import { settingsBundle } from './settings-bundle.ts';
import { loadMappings, putMappings } from './settings-store.ts';

export const getMappings: Implementation<(typeof settings)['getMappings']> = async ({ shop }) => {
  const { data = {} } = (await loadMappings(shop.slug)) ?? {};
  return { version: 1, data };
};

export const setMappings: Implementation<(typeof settings)['setMappings']> = async ({ shop, body }) => {
  await putMappings(shop.slug, body);
  return settingsBundle(await loadSettingsWithTriggers(shop.slug), body);
};
