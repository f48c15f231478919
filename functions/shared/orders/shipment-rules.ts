import type { ExpectedDelivery, Pickup } from '#schemas/order-shapes.ts';
import { type Direction, isTowardsMerchant } from '#schemas/shipment-events.ts';
import { inOrder, isDuplicate } from './event-rules.ts';
import type { Draft, EventMoment, Order, Shipment, ShipmentEvent } from './model.ts';
import { shipmentId } from './order-ids.ts';

/** A draft line of an order as the shipment that it stands for. */
export function draftShipment(order: Order, { slot, created_at }: Draft): Shipment {
  return asDraft(newShipment(order, slot, 'merchant_customer', created_at));
}

/** A draft begins with an event of its own; a shipment that comes with its number begins with that one. */
export function asDraft(shipment: Shipment): Shipment {
  return withEvent(shipment, { event_name: 'ORDER_CREATED', time: shipment.created_at });
}

export function newShipment(order: Order, slot: number, direction: Direction, createdAt: string): Shipment {
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
    created_at: createdAt,
    updated_at: createdAt,
  };
}

export interface Fulfilment {
  tracking_number: string;
  carrier_reference: string | null;
  tracking_url: string | null;
  /** When the shop handed the parcel over. */
  placed_at: string;
}

/** The parcel has its number: from now on its carrier reports. */
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

/** The shipment with what was reported, or undefined where it had the event at that time already. */
export function reported(shipment: Shipment, report: Report, now: string): Shipment | undefined {
  const { event } = report;
  if (isDuplicate(shipment.events, event)) return undefined;
  return { ...withEvent(shipment, event), ...forecast(shipment, report, now), updated_at: now };
}

/** What a later event said about the delivery is not replaced by an earlier one that arrives late. */
function forecast(shipment: Shipment, { event, expected_delivery, pickup }: Report, now: string): Partial<Shipment> {
  const moment = { event_name: event.event_name, time: event.time };
  const isNewer = (known: EventMoment | null) => known === null || inOrder(moment, known) >= 0;
  return {
    ...(expected_delivery &&
      isNewer(shipment.forecast_by) && {
        expected_delivery: { updated_at: now, ...expected_delivery },
        forecast_by: moment,
      }),
    ...(pickup && isNewer(shipment.pickup_by) && { pickup, pickup_by: moment }),
  };
}

function withEvent(shipment: Shipment, event: ShipmentEvent): Shipment {
  return { ...shipment, events: [...shipment.events, event].sort(inOrder) };
}

/** Return parcels do not count towards the fulfilment of an order. */
export const isDelivery = ({ direction }: Pick<Shipment, 'direction'>) => !isTowardsMerchant(direction);
export const isDraft = ({ tracking_number }: Pick<Shipment, 'tracking_number'>) => tracking_number === null;
