import { withResets } from '#domain/settings/change-settings.ts';
import { toPalette } from '#domain/settings/page-settings.ts';
import type { StoredSettings, StoredTriggerSettings } from '#domain/settings/stored-settings.ts';
import { defaultStaleness, segmentsEnabled, statusOf } from '#domain/settings/trigger-settings.ts';
import { extrasOf, notifiedIntegrations, type ThirdParty } from '#schemas/catalogues/integrations.ts';
import type { CampaignSettings, Mappings, ShopSettings } from '#schemas/shapes/settings-shapes.ts';
import type { InternalTrigger, TriggerSettings } from '#schemas/shapes/trigger-shapes.ts';

/** Applies an update in which null means unchanged. */
export const withoutNulls = <T extends object>(before: T | undefined, changes: object): T =>
  ({ ...before, ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value != null)) }) as T;

export const toShopSettings = (settings: StoredSettings): ShopSettings => ({
  carriers: toCarriers(settings),
  triggers: toSwitches(settings.triggers),
  segments: toSwitches(settings.segments),
  campaigns: toCampaigns(settings),
  brand_palette: toPalette(settings),
});

export const toCarriers = ({ carriers }: StoredSettings) => ({ shipment_updates: carriers?.shipment_updates ?? false });

/** Every switch is off by default. */
export const toSwitches = (stored: StoredSettings['triggers']): ShopSettings['triggers'] =>
  Object.fromEntries(notifiedIntegrations.map((id) => [id, stored?.[id] ?? false])) as ShopSettings['triggers'];

export const toCampaigns = ({ campaigns }: StoredSettings): CampaignSettings => ({
  product_recommendations_enabled: campaigns?.product_recommendations_enabled ?? null,
});

export const toMappings = ({ mappings }: StoredSettings): Mappings => mappings ?? { version: 1, data: {} };

/** The settings after an update for one integration or for webhooks. */
export function changedTriggerSettings(
  before: StoredSettings,
  thirdParty: ThirdParty,
  changes: object,
): StoredSettings {
  const own = withResets<StoredTriggerSettings>(before.trigger_settings?.[thirdParty], changes);
  return { ...before, trigger_settings: { ...before.trigger_settings, [thirdParty]: own } };
}

export function toTriggerSettings(
  settings: StoredSettings,
  thirdParty: ThirdParty,
  internal_triggers: InternalTrigger[],
): Omit<TriggerSettings, 'effective'> {
  const own = settings.trigger_settings?.[thirdParty] ?? {};
  const common = {
    status: statusOf(settings, thirdParty),
    stale_event_threshold: own.stale_event_threshold ?? defaultStaleness(thirdParty),
  };
  if (thirdParty === 'integration_7') return common;
  return {
    ...common,
    trigger_delivered_all_events: own.trigger_delivered_all_events ?? false,
    segments_enabled: segmentsEnabled(settings, thirdParty),
    internal_triggers,
    ...extras(thirdParty, own),
  };
}

function extras(thirdParty: ThirdParty, { use_proxy = false, ...own }: StoredTriggerSettings) {
  const all = { rest_endpoint: null, portal_id: null, instance_id: null, ...own, use_proxy };
  const has = extrasOf(thirdParty);
  return Object.fromEntries(Object.entries(all).filter(([name]) => has.includes(name)));
}
