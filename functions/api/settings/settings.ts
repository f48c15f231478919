import { trackingBacklogItem } from '#domain/orders/outbox.ts';
import { changePart, nextVersion, showPart, withResets } from '#domain/settings/change-settings.ts';
import { toPalette } from '#domain/settings/page-settings.ts';
import { type StoredSettings, takesUpdates } from '#domain/settings/stored-settings.ts';
import {
  forAllThirdParties,
  loadSettingsWithTriggers,
  type SettingsWithTriggers,
} from '#domain/settings/trigger-settings.ts';
import type { Implementation } from '#platform/http/request.ts';
import { put } from '#platform/table/writes.ts';
import type { settings } from '#schemas/families/settings.ts';
import type { SettingsBundle } from '#schemas/shapes/settings-shapes.ts';
import {
  toCampaigns,
  toCarriers,
  toMappings,
  toShopSettings,
  toSwitches,
  toTriggerSettings,
  withoutNulls,
} from './settings-rules.ts';

type Operations = typeof settings;

export const getSettings: Implementation<Operations['getSettings']> = (request) => showPart(request, toShopSettings);

export const updateCarrierSettings: Implementation<Operations['updateCarrierSettings']> = async (request) => {
  const { shop, body, now } = request;
  const isSwitch = (before: StoredSettings) => body.shipment_updates === true && !takesUpdates(before);
  const after = await changePart(
    request,
    toShopSettings,
    (before) => ({
      ...before,
      carriers: {
        ...withoutNulls(before.carriers, body),
        ...(isSwitch(before) && { generation: nextVersion(before) }),
      },
    }),
    // The parcels that are under way are submitted in the background.
    (before) => (isSwitch(before) ? [put(trackingBacklogItem(shop.slug, nextVersion(before), now))] : []),
  );
  return toCarriers(after);
};

export const updateTriggerSwitches: Implementation<Operations['updateTriggerSwitches']> = async (request) => {
  const { triggers } = await changePart(request, toShopSettings, (before) => ({
    ...before,
    triggers: withoutNulls(before.triggers, request.body),
  }));
  return toSwitches(triggers);
};

export const updateSegmentSwitches: Implementation<Operations['updateSegmentSwitches']> = async (request) => {
  const { segments } = await changePart(request, toShopSettings, (before) => ({
    ...before,
    segments: withoutNulls(before.segments, request.body),
  }));
  return toSwitches(segments);
};

export const updateCampaignSettings: Implementation<Operations['updateCampaignSettings']> = async (request) =>
  toCampaigns(
    await changePart(request, toShopSettings, (before) => ({
      ...before,
      campaigns: withResets(before.campaigns, request.body),
    })),
  );

export const getBrandPalette: Implementation<Operations['getBrandPalette']> = (request) => showPart(request, toPalette);

export const updateBrandPalette: Implementation<Operations['updateBrandPalette']> = async (request) =>
  toPalette(
    await changePart(request, toPalette, (before) => ({
      ...before,
      brand_palette: withResets(before.brand_palette, request.body),
    })),
  );

export const getMappings: Implementation<Operations['getMappings']> = (request) => showPart(request, toMappings);

export const setMappings: Implementation<Operations['setMappings']> = async (request) => {
  const { shop, body } = request;
  await changePart(request, toMappings, (before) => ({ ...before, mappings: body }));
  return settingsBundle(await loadSettingsWithTriggers(shop.slug));
};

const statusWord = (isOn: boolean) => (isOn ? 'enabled' : 'disabled');

/** Each shipment is posted in a message of its own. */
const shipment_group_key = 'shipment_id';

/** The settings of triggers, carriers and mappings in one response, with each status as a word. */
function settingsBundle({ settings, internalTriggers }: SettingsWithTriggers): SettingsBundle {
  const triggers = forAllThirdParties((id) => {
    const { status, ...own } = toTriggerSettings(settings, id, internalTriggers[id]);
    return { status: statusWord(status), ...own, shipment_group_key };
  });
  const { shipment_updates } = toCarriers(settings);
  return {
    triggers: { version: 1, data: triggers },
    carriers: {
      version: 1,
      data: { ...carrierSource('pp', shipment_updates), ...carrierSource('aftership'), ...carrierSource('hc') },
    },
    mappings: toMappings(settings),
  };
}

/** Updates come from one source, for every carrier that it knows. The other sources are only names in the contract. */
const carrierSource = (prefix: string, isOn = false) => ({
  [`${prefix}_status`]: statusWord(isOn),
  [`${prefix}_enabled_carriers`]: [],
  [`${prefix}_disabled_carriers`]: [],
  [`override_${prefix}_tracking_config_for_segments`]: [],
});
