import { customerGroups, type EventGroup, shipmentEvents } from '#schemas/catalogues/shipment-events.ts';
import type { OutboxEvent } from './outbox.ts';

/** An event of the phase `delivered` fires this group in addition to its own, for the targets that asked for it. */
const catchAll = 'shipment_delivered_all_events' satisfies EventGroup;

/**
 * The groups that an event fires, its own group first. Only an event with a group notifies anybody. This holds for
 * webhooks too, because their payload always has a group.
 */
export function groupsOf(event: OutboxEvent): string[] {
  if (event.event_group === null) return [];
  return firesCatchAll(event) ? [event.event_group, catchAll] : [event.event_group];
}

/** Only shipments towards the customer count: a return that arrives is not a delivery to the customer. */
function firesCatchAll(event: OutboxEvent): boolean {
  if (event.source !== 'shipments') return false;
  const isTowardsCustomer = (customerGroups as readonly (string | null)[]).includes(event.event_group);
  return isTowardsCustomer && shipmentEvents[event.event_name].phase === 'delivered';
}
