import type { StoredSettings, StoredTriggerSettings } from '#domain/settings/stored-settings.ts';
import { defaultStaleness, statusOf } from '#domain/settings/trigger-rules.ts';
import { extrasOf, type ThirdParty } from '#schemas/catalogues/integrations.ts';
import type { InternalTrigger, TriggerSettings } from '#schemas/shapes/trigger-shapes.ts';
import { withResets } from './settings-rules.ts';

/** The settings after an update of those of one integration or of webhooks. */
export function changedTriggerSettings(before: StoredSettings, thirdParty: ThirdParty, given: object): StoredSettings {
  const own = withResets<StoredTriggerSettings>(before.trigger_settings?.[thirdParty], given);
  return { ...before, trigger_settings: { ...before.trigger_settings, [thirdParty]: own } };
}

export function toTriggerSettings(
  settings: StoredSettings,
  thirdParty: ThirdParty,
  internal_triggers: InternalTrigger[],
): TriggerSettings {
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
