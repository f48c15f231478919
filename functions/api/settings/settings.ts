import type { Implementation } from '#platform/http/request.ts';
import type { settings } from '#schemas/families/settings.ts';
import {
  toCampaigns,
  toCarriers,
  toPalette,
  toShopSettings,
  toSwitches,
  withoutNulls,
  withResets,
} from './settings-rules.ts';
import { changeSettings, loadSettings } from './settings-store.ts';

type Operations = typeof settings;

export const getSettings: Implementation<Operations['getSettings']> = async ({ shop }) =>
  toShopSettings(await loadSettings(shop.slug));

export const updateCarrierSettings: Implementation<Operations['updateCarrierSettings']> = async ({ shop, body }) =>
  toCarriers(
    await changeSettings(shop.slug, (before) => ({ ...before, carriers: withoutNulls(before.carriers, body) })),
  );

export const updateTriggerSwitches: Implementation<Operations['updateTriggerSwitches']> = async ({ shop, body }) => {
  const { triggers } = await changeSettings(shop.slug, (before) => ({
    ...before,
    triggers: withoutNulls(before.triggers, body),
  }));
  return toSwitches(triggers);
};

export const updateSegmentSwitches: Implementation<Operations['updateSegmentSwitches']> = async ({ shop, body }) => {
  const { segments } = await changeSettings(shop.slug, (before) => ({
    ...before,
    segments: withoutNulls(before.segments, body),
  }));
  return toSwitches(segments);
};

export const updateCampaignSettings: Implementation<Operations['updateCampaignSettings']> = async ({ shop, body }) =>
  toCampaigns(
    await changeSettings(shop.slug, (before) => ({ ...before, campaigns: withResets(before.campaigns, body) })),
  );

export const getBrandPalette: Implementation<Operations['getBrandPalette']> = async ({ shop }) =>
  toPalette(await loadSettings(shop.slug));

export const updateBrandPalette: Implementation<Operations['updateBrandPalette']> = async ({ shop, body }) =>
  toPalette(
    await changeSettings(shop.slug, (before) => ({ ...before, brand_palette: withResets(before.brand_palette, body) })),
  );
