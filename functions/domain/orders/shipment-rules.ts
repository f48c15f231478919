import { utc } from '#platform/time.ts';
import {
  type Direction,
  flagOf,
  isPossibleWithoutCarrier,
  isRemark,
  isTowardsMerchant,
  type Phase,
  phaseOf,
  shipmentEvents,
} from '#schemas/catalogues/shipment-events.ts';
import type { ExpectedDelivery, Pickup, ShipmentFields } from '#schemas/shapes/order-shapes.ts';
import {
  type DeliveryPromise,
  type Draft,
  type EventMoment,
  type Order,
  type Shipment,
  type ShipmentEvent,
  shipmentId,
} from './model.ts';

/** The shipment that a draft line of an order stands for. */
export function draftShipment(order: OrderIds, { slot, created_at }: Draft): Shipment {
  return asDraft(newShipment(order, slot, 'merchant_customer', created_at));
}

/** A draft begins with ORDER_CREATED. A shipment that is made with its tracking number begins with ORDER_PROCESSED. */
export function asDraft(shipment: Shipment): Shipment {
  return withEvent(shipment, { event_name: 'ORDER_CREATED', time: shipment.created_at });
}

type OrderIds = Pick<Order, 'uuid' | 'order_number' | 'simulation_id'>;

export function newShipment(order: OrderIds, slot: number, direction: Direction, createdAt: string): Shipment {
  return {
    uuid: shipmentId(order.uuid, slot),
    order_id: order.uuid,
    order_number: order.order_number,
    tracking_number: null,
    carrier_reference: null,
    tracking_url: null,
    direction,
    external_shipment_id: null,
    products: null,
    events: [],
    expected_delivery: null,
    pickup: null,
    forecast_by: null,
    pickup_by: null,
    ...(order.simulation_id !== undefined && { simulation_id: order.simulation_id }),
    created_at: createdAt,
    updated_at: createdAt,
  };
}

export interface Fulfilment extends Partial<ShipmentFields>, Pick<Shipment, 'carrier_reference' | 'tracking_url'> {
  tracking_number: string;
  /** When the shop handed the parcel over. */
  placed_at: string;
}

/** The shipment with its tracking number. From now on the carrier sends its events. */
export function fulfilled(shipment: Shipment, fulfilment: Fulfilment, now: string): Shipment {
  const { placed_at, ...carrier } = fulfilment;
  const event: ShipmentEvent = { event_name: 'ORDER_PROCESSED', time: placed_at };
  return { ...withEvent(shipment, event), ...carrier, updated_at: now };
}

export interface Report {
  event: ShipmentEvent;
  expected_delivery?: ExpectedDelivery | null | undefined;
  pickup?: Pickup | null | undefined;
}

/**
 * The shipment after a report. `isNew`: the shipment did not have this event at this time yet. @param completes whether
 * a report of a known event may replace what is known of it. Of two such reports the one that says more stays, so the
 * result does not depend on which arrived first.
 */
export function reported(
  shipment: Shipment,
  report: Report,
  now: string,
  completes = false,
): { shipment: Shipment; isNew: boolean } {
  const known = shipment.events.find((event) => isSameEvent(event, report.event));
  const isNew = known === undefined;
  const isTaken = isNew || (completes && saysMore(report.event, known));
  const others = shipment.events.filter((event) => event !== known);
  const after = isTaken ? withEvent({ ...shipment, events: others }, report.event) : shipment;
  const forecastChange = forecast(shipment, report, now);
  const isChanged = isTaken || Object.keys(forecastChange).length > 0;
  return { shipment: isChanged ? { ...after, ...forecastChange, updated_at: now } : shipment, isNew };
}

function saysMore(event: ShipmentEvent, known: ShipmentEvent): boolean {
  const [a, b] = [JSON.stringify(event), JSON.stringify(known)];
  return a.length > b.length || (a.length === b.length && a < b);
}

/**
 * An event that arrives late does not replace the forecast of a newer event. Of two forecasts for one event the one that
 * was made later wins, and then one wins by comparing their JSON, so the result does not depend on which arrived first.
 * A forecast that does not say when it was made was made now.
 */
function forecast(shipment: Shipment, { event, expected_delivery, pickup }: Report, now: string): Partial<Shipment> {
  const moment = { event_name: event.event_name, time: event.time };
  const after = (known: EventMoment | null) => (known === null ? 1 : inOrder(moment, known));
  const isExpected = expected_delivery && isLater(expected_delivery, shipment, after(shipment.forecast_by), now);
  const isPickup = pickup && (after(shipment.pickup_by) || compareJson(pickup, shipment.pickup)) > 0;
  return {
    ...(isExpected && {
      expected_delivery: { ...expected_delivery, updated_at: expected_delivery.updated_at ?? now },
      forecast_by: moment,
    }),
    ...(isPickup && { pickup, pickup_by: moment }),
    ...promised(shipment, expected_delivery, moment),
  };
}

/**
 * The window of the earliest event that had one. Of several reports of that event the first stays: a carrier that corrects
 * itself has promised before. Where an earlier release kept no promise, the forecast that is known stands for it.
 */
function promised(shipment: Shipment, expected: Window, event: EventMoment): Pick<Shipment, 'promise'> {
  const { promise, expected_delivery, forecast_by } = shipment;
  const made = promiseOf(expected, event);
  if (!made) return {};
  const known = promise ?? promiseOf(expected_delivery, forecast_by);
  if (known && inOrder(event, known.event) >= 0) return promise === undefined ? { promise: known } : {};
  return { promise: made };
}

type Window = ExpectedDelivery | null | undefined;

function promiseOf(expected: Window, event: EventMoment | null): DeliveryPromise | undefined {
  const { start, end } = expected ?? {};
  return end != null && event ? { ...(start != null && { start }), end, event } : undefined;
}

function isLater(expected: ExpectedDelivery, { expected_delivery: known }: Shipment, order: number, now: string) {
  if (order !== 0) return order > 0;
  const { updated_at: made, ...estimate } = expected;
  const { updated_at: before, ...knownEstimate } = known ?? {};
  const difference = compareJson(estimate, knownEstimate);
  // The same message again is no news.
  if (made == null && difference === 0) return false;
  return before == null || (compare(utc(made ?? now), utc(before)) || difference) > 0;
}

const compareJson = (a: object, b: object | null) => compare(JSON.stringify(a), JSON.stringify(b));

function withEvent(shipment: Shipment, event: ShipmentEvent): Shipment {
  return { ...shipment, events: [...shipment.events, event].sort(inOrder) };
}

/** Return parcels do not count for the fulfilment of an order. */
export const isTowardsCustomer = ({ direction }: Pick<Shipment, 'direction'>) => !isTowardsMerchant(direction);
export const isDraft = ({ tracking_number }: Pick<Shipment, 'tracking_number'>) => tracking_number === null;

/** No carrier has a draft. */
export const canHappen = ({ event_name }: EventMoment, shipment: Pick<Shipment, 'tracking_number'>) =>
  !isDraft(shipment) || isPossibleWithoutCarrier(event_name);

/**
 * Sorts events by time. Events of the same time are sorted by how far their phase is and then by name, so the order
 * never depends on which event arrived first.
 */
export function inOrder(a: EventMoment, b: EventMoment): number {
  return compare(a.time, b.time) || progress(a) - progress(b) || compare(a.event_name, b.event_name);
}

/**
 * The event that says where the parcel is, and after it the remarks that are newer. What the shop reports (ORDER_CREATED,
 * ORDER_PROCESSED) never counts as newer than a carrier's event, because carriers often scan before shops report. If there
 * are only remarks, the newest stands for the parcel.
 */
export function latestEvents(events: readonly ShipmentEvent[]): ShipmentEvent[] {
  const sorted = [...events].sort((a, b) => rank(a) - rank(b) || inOrder(a, b));
  return sorted.slice(sorted.findLastIndex(({ event_name }) => !isRemark(event_name)));
}

/** The event that says where the parcel is. It decides about the phase, the flag and the headline of its shipment. */
export const currentEvent = (events: readonly ShipmentEvent[]): ShipmentEvent => latestEvents(events)[0]!;

export const currentPhase = ({ events, direction }: Pick<Shipment, 'events' | 'direction'>): Phase =>
  phaseOf(currentEvent(events).event_name, direction);

const isSameEvent = (a: EventMoment, b: EventMoment): boolean => a.event_name === b.event_name && a.time === b.time;

export const currentFlag = ({ events, direction }: Pick<Shipment, 'events' | 'direction'>) =>
  flagOf(currentEvent(events).event_name, direction);

function rank({ event_name }: ShipmentEvent): number {
  if (event_name === 'ORDER_CREATED') return 0;
  return event_name === 'ORDER_PROCESSED' ? 1 : 2;
}

/** How far a parcel has come: from its sender to the door and back. The direction makes no difference. */
const progressOf: Readonly<Record<Exclude<Phase, 'return_created'>, number>> = {
  order_created: 0,
  order_processed: 1,
  in_transit: 2,
  in_delivery: 3,
  delivery_failed: 4,
  collect: 5,
  delivered: 6,
  return_transit: 7,
  return_failed: 8,
  return_received: 9,
  returned: 10,
  order_cancelled: 11,
};

const progress = ({ event_name }: EventMoment) => progressOf[shipmentEvents[event_name].phase];
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
