import { type ThirdParty, thirdParties } from '#schemas/catalogues/integrations.ts';
import type { StoredSettings } from './stored-settings.ts';

/** When an event is sent to an integration or to webhooks. */
export interface TriggerRules {
  /** The switch of an integration and its status are both on; of webhooks the status alone. */
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
      enabled: isSwitchedOn(settings, thirdParty) && statusOf(settings, thirdParty),
      trigger_delivered_all_events: own?.trigger_delivered_all_events ?? false,
      stale_event_threshold: own?.stale_event_threshold ?? defaultStaleness(thirdParty),
    };
  });

/** A status that nobody set goes with the switch: to switch an integration on takes one request, to pause it another. */
export function statusOf(settings: StoredSettings, thirdParty: ThirdParty): boolean {
  return settings.trigger_settings?.[thirdParty]?.status ?? isSwitchedOn(settings, thirdParty);
}

/** Webhooks have no switch: they are on from the start. */
const isSwitchedOn = ({ triggers }: StoredSettings, thirdParty: ThirdParty): boolean =>
  thirdParty === 'webhook' || triggers?.[thirdParty] === true;

/** Hours. */
export function defaultStaleness(thirdParty: ThirdParty): number {
  if (thirdParty === 'webhook') return 24;
  return thirdParty === 'integration_7' ? 48 : 4;
}
