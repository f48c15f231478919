import { matchesEvent } from '#domain/endpoints/endpoint.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { fetchesSegments, type InternalTrigger, triggerRules } from '#domain/settings/trigger-settings.ts';
import type { Implementation } from '#platform/http/request.ts';
import { claimRefs } from '#schemas/catalogues/event-filters.ts';
import { type ThirdParty, thirdParties } from '#schemas/catalogues/integrations.ts';
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
import type { Notifications } from '#schemas/shapes/trigger-shapes.ts';
import { effectiveTriggers, type Receivers } from './effective-triggers.ts';
import { loadAllSettings } from './settings-store.ts';

export const listNotifications: Implementation<typeof settings.listNotifications> = async ({ shop }) => {
  const { settings: stored, internalTriggers, receiversOf, filters } = await loadAllSettings(shop);
  return thirdParties.map((id) =>
    notificationsOf({
      settings: stored,
      thirdParty: id,
      receivers: receiversOf(id),
      internalTriggers: internalTriggers[id],
      filters: id === 'webhook' ? filters : ['*'],
    }),
  );
};

interface Given {
  settings: StoredSettings;
  thirdParty: ThirdParty;
  receivers: Receivers;
  internalTriggers: readonly InternalTrigger[];
  /** What the receivers listen to, as in `enabled_events`. */
  filters: readonly string[];
}

/** What the settings of a third party come to, by the rules that fan-out follows. */
function notificationsOf(given: Given): Notifications {
  const { settings: stored, thirdParty, receivers, internalTriggers } = given;
  const effective = effectiveTriggers(stored, thirdParty, receivers);
  const rules = triggerRules(stored)[thirdParty];
  // The event of an internal trigger is news at any age.
  const firesTriggers = effective.active || effective.reason === 'threshold_zero';
  const sending = firesTriggers && listensToShipments(given.filters) ? internalTriggers : [];
  const groups = new Set<EventGroup>([
    ...(effective.active ? groupsOf(given.filters, rules.trigger_delivered_all_events) : []),
    ...(sending.length > 0 ? (['shipment_internal_trigger'] as const) : []),
  ]);
  return {
    integration: thirdParty,
    effective,
    event_groups: eventGroups.filter((group) => groups.has(group)),
    stale_event_threshold: rules.stale_event_threshold,
    internal_triggers: sending.map(({ id, name }) => ({ id, name })),
    fetches_segments: fetchesSegments(stored, thirdParty),
  };
}

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
