import type { StoredSettings, StoredTriggerSettings } from '#domain/settings/stored-settings.ts';
import { defaultStaleness, statusOf } from '#domain/settings/trigger-settings.ts';
import { extrasOf, notifiedIntegrations, type ThirdParty } from '#schemas/catalogues/integrations.ts';
import type { BrandPalette, CampaignSettings, Mappings, ShopSettings } from '#schemas/shapes/settings-shapes.ts';
import type { InternalTrigger, TriggerSettings } from '#schemas/shapes/trigger-shapes.ts';

/** Applies an update in which null means unchanged. */
export const withoutNulls = <T extends object>(before: T | undefined, changes: object): T =>
  ({ ...before, ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value != null)) }) as T;

/** Applies an update in which null restores the default. Defaults are not stored. */
export const withResets = <T extends object>(before: T | undefined, changes: object): T =>
  Object.fromEntries(
    Object.entries({ ...before, ...withoutUndefined(changes) }).filter(([, value]) => value !== null),
  ) as T;

const withoutUndefined = (changes: object) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

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

/** Neutral dark text on a light background suits every shop until it sets its own colours. */
const defaultPalette: BrandPalette = {
  primary_dark: '#1F2933',
  primary_light: '#F5F7FA',
  secondary_dark: '#52606D',
  secondary_light: '#CBD2D9',
  background: '#FFFFFF',
  surface: '#F9FAFB',
};

export const toPalette = ({ brand_palette }: StoredSettings): BrandPalette => ({ ...defaultPalette, ...brand_palette });

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
    segments_enabled: own.segments_enabled ?? false,
    internal_triggers,
    ...extras(thirdParty, own),
  };
}

function extras(thirdParty: ThirdParty, { use_proxy = false, ...own }: StoredTriggerSettings) {
  const all = { rest_endpoint: null, portal_id: null, instance_id: null, ...own, use_proxy };
  const has = extrasOf(thirdParty);
  return Object.fromEntries(Object.entries(all).filter(([name]) => has.includes(name)));
}
