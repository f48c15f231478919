import { type phases, shipmentEvents } from '#schemas/catalogues/shipment-events.ts';
import type { EventMoment, ShipmentEvent } from './model.ts';

/**
 * Events in the order of their times. Equal times are ordered by how far along the phase is and then by name, so that
 * the order never depends on which event arrived first.
 */
export function inOrder(a: EventMoment, b: EventMoment): number {
  return compare(a.time, b.time) || progress(a) - progress(b) || compare(a.event_name, b.event_name);
}

/**
 * The event that says where the parcel is: the newest. What the shop reports (ORDER_CREATED, ORDER_PROCESSED) never
 * outranks a carrier's event, whatever their times: carriers scan before shops report.
 */
export function currentEvent(events: readonly ShipmentEvent[]): ShipmentEvent {
  return [...events].sort((a, b) => rank(a) - rank(b) || inOrder(a, b)).at(-1)!;
}

export function isDuplicate(events: readonly ShipmentEvent[], event: ShipmentEvent): boolean {
  return events.some(({ event_name, time }) => event_name === event.event_name && time === event.time);
}

export const phaseOf = (event: EventMoment) => shipmentEvents[event.event_name].phase;
export const flagOf = (event: ShipmentEvent) => shipmentEvents[event.event_name].flag;

function rank({ event_name }: ShipmentEvent): number {
  if (event_name === 'ORDER_CREATED') return 0;
  return event_name === 'ORDER_PROCESSED' ? 1 : 2;
}

/** From the shop to the door and back: the way a parcel goes. */
const way: readonly (typeof phases)[number][] = [
  'order_created',
  'order_processed',
  'in_transit',
  'in_delivery',
  'delivery_failed',
  'collect',
  'delivered',
  'return_created',
  'return_transit',
  'return_failed',
  'return_received',
  'returned',
  'order_cancelled',
];

const progress = (event: EventMoment) => way.indexOf(phaseOf(event));
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
