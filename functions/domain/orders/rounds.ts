import { isRemark, type Phase, phaseOf } from '#schemas/catalogues/shipment-events.ts';
import type { Shipment, ShipmentEvent } from './model.ts';
import { inOrder } from './shipment-rules.ts';

/**
 * The rounds of couriers with a parcel. Predictions count days from them, and figures count how many days there were, so both
 * ask here.
 */

type Events = Pick<Shipment, 'events' | 'direction'>;

/** When a courier last left with it. @param before of the events before this one */
export const lastRound = (shipment: Events, before?: ShipmentEvent): ShipmentEvent | undefined =>
  onTheWay(shipment, before).findLast(({ phase }) => phase === 'in_delivery')?.event;

/**
 * The last time that it was not delivered. Often no event says so: then a scan in the network tells that the courier brought it
 * back. @param before of the events before this one
 */
export const lastAttempt = (shipment: Events, before?: ShipmentEvent): ShipmentEvent | undefined =>
  onTheWay(shipment, before).findLast(
    ({ phase }, i, all) =>
      phase === 'delivery_failed' || (phase === 'in_delivery' && all[i + 1]?.phase === 'in_transit'),
  )?.event;

function onTheWay({ events, direction }: Events, before?: ShipmentEvent) {
  return events
    .filter((event) => !isRemark(event.event_name) && (!before || inOrder(event, before) < 0))
    .map((event) => ({ event, phase: phaseOf(event.event_name, direction) }))
    .filter(({ phase }) => underWay.has(phase));
}

/** The phases in which a carrier brings a parcel to its recipient. */
export const underWay: ReadonlySet<Phase> = new Set(['in_transit', 'in_delivery', 'delivery_failed']);
