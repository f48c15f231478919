import { loadSettingsWithTriggers } from '#domain/settings/trigger-settings.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { settings } from '#schemas/families/settings.ts';
import { settingsBundle } from './settings-bundle.ts';
import { toMappings } from './settings-rules.ts';
import { changeSettings, loadSettings } from './settings-store.ts';

export const getMappings: Implementation<(typeof settings)['getMappings']> = async ({ shop }) =>
  toMappings(await loadSettings(shop.slug));

export const setMappings: Implementation<(typeof settings)['setMappings']> = async ({ shop, body }) => {
  await changeSettings(shop.slug, (before) => ({ ...before, mappings: body }));
  return settingsBundle(await loadSettingsWithTriggers(shop.slug));
};
