import { keyOf, settingsPrefix, shopPartition } from '#platform/table/keys.ts';
import { allItemsIn } from '#platform/table/reads.ts';
import { type ThirdParty, thirdParties } from '#schemas/catalogues/integrations.ts';
import type { InternalTrigger } from '#schemas/shapes/trigger-shapes.ts';
import type { StoredSettings } from './stored-settings.ts';

export type { InternalTrigger } from '#schemas/shapes/trigger-shapes.ts';

export interface SettingsWithTriggers {
  settings: StoredSettings;
  /** By the id of the integration, or `webhook`; oldest first. */
  internalTriggers: Record<ThirdParty, InternalTrigger[]>;
}

/** The settings item and every internal trigger, in one read. */
export async function loadSettingsWithTriggers(slug: string): Promise<SettingsWithTriggers> {
  return settingsWithTriggersIn(slug, await allItemsIn(shopPartition(slug), { prefix: settingsPrefix }));
}

/** @param items of the shop, at least those of its settings */
export function settingsWithTriggersIn(slug: string, items: readonly { sk: string }[]): SettingsWithTriggers {
  const itemAt = ({ sk }: { sk: string }) => items.find((item): item is Item => item.sk === sk);
  return {
    settings: itemAt(keyOf.settings(slug)) ?? {},
    internalTriggers: forAllThirdParties((id) => itemAt(keyOf.internalTriggers(slug, id))?.internal_triggers ?? []),
  };
}

type Item = StoredSettings & { sk: string; internal_triggers?: InternalTrigger[] };

export interface TriggerRules {
  /** For an integration: its switch and its status are both on. For webhooks: the status is on. */
  enabled: boolean;
  trigger_delivered_all_events: boolean;
  /** Hours. */
  stale_event_threshold: number;
}

export type AllTriggerRules = Record<ThirdParty, TriggerRules>;

export const forAllThirdParties = <T>(make: (thirdParty: ThirdParty) => T): Record<ThirdParty, T> =>
  Object.fromEntries(thirdParties.map((thirdParty) => [thirdParty, make(thirdParty)])) as Record<ThirdParty, T>;

export const triggerRules = (settings: StoredSettings): AllTriggerRules =>
  forAllThirdParties((thirdParty) => {
    const own = settings.trigger_settings?.[thirdParty];
    return {
      enabled: offReason(settings, thirdParty) === undefined,
      trigger_delivered_all_events: own?.trigger_delivered_all_events ?? false,
      stale_event_threshold: own?.stale_event_threshold ?? defaultStaleness(thirdParty),
    };
  });

/** Which setting stops the events of a third party. Undefined if none does. */
export function offReason(settings: StoredSettings, thirdParty: ThirdParty): 'switch_off' | 'status_off' | undefined {
  if (!isSwitchedOn(settings, thirdParty)) return 'switch_off';
  return statusOf(settings, thirdParty) ? undefined : 'status_off';
}

/** A status that nobody set equals the switch. So one request turns an integration on, and another pauses it. */
export function statusOf(settings: StoredSettings, thirdParty: ThirdParty): boolean {
  return settings.trigger_settings?.[thirdParty]?.status ?? isSwitchedOn(settings, thirdParty);
}

/** Whether a shop wants the segments of its customers from a third party: its switch and its own setting are both on. */
export const fetchesSegments = (settings: StoredSettings, thirdParty: ThirdParty): boolean =>
  hasSegmentSwitchOn(settings, thirdParty) && segmentsEnabled(settings, thirdParty);

/** A value that nobody set equals the switch, as a status does. */
export const segmentsEnabled = (settings: StoredSettings, thirdParty: ThirdParty): boolean =>
  settings.trigger_settings?.[thirdParty]?.segments_enabled ?? hasSegmentSwitchOn(settings, thirdParty);

const hasSegmentSwitchOn = ({ segments }: StoredSettings, thirdParty: ThirdParty): boolean =>
  thirdParty !== 'webhook' && segments?.[thirdParty] === true;

/** Webhooks have no switch. They are on from the start. */
const isSwitchedOn = ({ triggers }: StoredSettings, thirdParty: ThirdParty): boolean =>
  thirdParty === 'webhook' || triggers?.[thirdParty] === true;

/** Hours. */
export function defaultStaleness(thirdParty: ThirdParty): number {
  if (thirdParty === 'webhook') return 24;
  return thirdParty === 'integration_7' ? 48 : 4;
}
