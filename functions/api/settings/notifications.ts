import { matchesEvent } from '#domain/endpoints/endpoint.ts';
import { fetchesSegments, triggerRules } from '#domain/settings/trigger-settings.ts';
import type { Implementation } from '#platform/http/request.ts';
import { claimRefs } from '#schemas/catalogues/event-filters.ts';
import { thirdParties } from '#schemas/catalogues/integrations.ts';
import {
  claimGroups,
  directions,
  type EventGroup,
  eventGroups,
  groupOf,
  isTowardsMerchant,
  refOf,
  shipmentEventNames,
  shipmentEvents,
} from '#schemas/catalogues/shipment-events.ts';
import type { settings } from '#schemas/families/settings.ts';
import { effectiveTriggers } from './effective-triggers.ts';
import { loadAllSettings } from './settings-store.ts';

/** What the settings of each third party come to, by the rules that fan-out follows. */
export const listNotifications: Implementation<typeof settings.listNotifications> = async ({ shop }) => {
  const { settings: stored, internalTriggers, receiversOf, filters } = await loadAllSettings(shop);
  return thirdParties.map((thirdParty) => {
    const listened = thirdParty === 'webhook' ? filters : ['*'];
    const effective = effectiveTriggers(stored, thirdParty, receiversOf(thirdParty));
    const { stale_event_threshold, trigger_delivered_all_events } = triggerRules(stored)[thirdParty];
    // The event of an internal trigger is news at any age.
    const firesTriggers = effective.active || effective.reason === 'threshold_zero';
    const sending = firesTriggers && listensToShipments(listened) ? internalTriggers[thirdParty] : [];
    const groups = new Set<EventGroup>([
      ...(effective.active ? groupsOf(listened, trigger_delivered_all_events) : []),
      ...(sending.length > 0 ? (['shipment_internal_trigger'] as const) : []),
    ]);
    return {
      integration: thirdParty,
      effective,
      event_groups: eventGroups.filter((group) => groups.has(group)),
      stale_event_threshold,
      internal_triggers: sending.map(({ id, name }) => ({ id, name })),
      fetches_segments: fetchesSegments(stored, thirdParty),
    };
  });
};

interface SentEvent {
  ref: string;
  groups: readonly EventGroup[];
  /** The groups with that of every event of a parcel that arrived. */
  withCatchAll: readonly EventGroup[];
}

/** Every event that notifies somebody. */
const sentEvents: readonly SentEvent[] = [
  ...shipmentEventNames.flatMap((name) =>
    directions.flatMap((direction) => {
      const group = groupOf(name, direction);
      if (group === null) return [];
      const isCaught = shipmentEvents[name].phase === 'delivered' && !isTowardsMerchant(direction);
      const withCatchAll = isCaught ? [group, 'shipment_delivered_all_events' as const] : [group];
      return [{ ref: refOf(name, direction), groups: [group], withCatchAll }];
    }),
  ),
  ...claimRefs.map((ref, i) => ({ ref, groups: [claimGroups[i]!], withCatchAll: [claimGroups[i]!] })),
];

const groupsOf = (filters: readonly string[], catchAll: boolean): EventGroup[] =>
  sentEvents
    .filter(({ ref }) => matchesEvent(filters, ref))
    .flatMap((event) => (catchAll ? event.withCatchAll : event.groups));

/** An internal trigger sends the newest event of a shipment, whichever that is. */
const listensToShipments = (filters: readonly string[]) =>
  filters.some((filter) => filter === '*' || filter.startsWith('shipments'));
