import type { Claim } from '#domain/claims/claim-rules.ts';
import { type Order, type OrderWithShipments, type Shipment, slotOf } from '#domain/orders/model.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import type { Viewer } from '#domain/orders/presentation.ts';
import { newShipment, phaseOf } from '#domain/orders/shipment-rules.ts';
import type { ShipmentOutboxEvent } from '#domain/outbox/outbox.ts';
import { isTowardsMerchant } from '#schemas/catalogues/shipment-events.ts';
import type { AdditionalInfo, Address, Pickup } from '#schemas/shapes/order-shapes.ts';
import { contextOf, customerName, envelope } from './envelope.ts';

/** What is posted for an event of one shipment. */
export function shipmentPayload(
  event: ShipmentOutboxEvent,
  occurrence: Occurrence,
  fullOrder: OrderWithShipments,
  viewer: Viewer,
  claims: readonly Claim[] = [],
) {
  const data = shipmentEventData(event, occurrence, shipmentOf(occurrence, fullOrder), fullOrder);
  return envelope(event, data, contextOf(fullOrder, viewer, claims), viewer.shop);
}

export type ShipmentPayload = ReturnType<typeof shipmentPayload>;

/** A shipment may be deleted while its event is on its way: what happened is told all the same. */
function shipmentOf({ shipment_id, time }: Occurrence, fullOrder: OrderWithShipments): Shipment {
  const found = allShipments(fullOrder).find(({ uuid }) => uuid === shipment_id);
  return found ?? newShipment(fullOrder.order, slotOf(shipment_id), 'merchant_customer', time);
}

/** A shipment that an event is about, and when it happened to it. */
export type Occurrence = ShipmentOutboxEvent['shipments'][number];

/** What happened to one shipment, in the words that message templates use. What is not known is left out. */
function shipmentEventData(
  event: ShipmentOutboxEvent,
  { time }: Occurrence,
  shipment: Shipment,
  fullOrder: OrderWithShipments,
) {
  const { event_name, event_group, triggered_at } = event;
  return {
    shipment_id: shipment.uuid,
    carrier_reference: shipment.carrier_reference,
    event_name,
    phase: phaseOf({ event_name, time }),
    tracking_number: shipment.tracking_number,
    tracking_url: shipment.tracking_url,
    // The event and its shipment were written together; by now the shipment may have changed again.
    updated_at: triggered_at,
    event_group,
    internal_trigger: event.internal_trigger,
    order_number: fullOrder.order.order_number,
    ...orderData(fullOrder.order),
    ...deliveryData(event, time, shipment),
    ...siblingData(event, time, shipment, fullOrder),
  };
}

function orderData(order: Order) {
  const { first_name, last_name } = customerName(order.address?.name);
  const preferred = order.preferred_delivery_date?.start ?? order.preferred_delivery_date?.end;
  return {
    order_name: order.order_name,
    zip_code: order.address?.zip_code,
    shipping_address: addressText(order.address),
    total_order_value: order.total_order_price,
    order_currency: order.currency,
    order_status_url: order.order_status_url,
    external_customer_id: order.external_customer_id,
    external_order_id: order.external_id,
    preferred_delivery_date: preferred && dayMonthYear(preferred),
    customer_first_name: first_name ?? undefined,
    customer_last_name: last_name ?? undefined,
    customer_country: order.address?.country ?? order.address?.country_code,
  };
}

function deliveryData(event: ShipmentOutboxEvent, time: string, { events, expected_delivery, pickup }: Shipment) {
  const info = events.find((known) => known.event_name === event.event_name && known.time === time)?.additional_info;
  // By when: the end of the window is what the carrier promises.
  const expected = expected_delivery?.end ?? expected_delivery?.start;
  return {
    expected_delivery_date: expected ? dayMonthYear(expected) : undefined,
    requested_delivery_date: info?.preferred_delivery_date && dayMonthYear(info.preferred_delivery_date),
    ...pickupData(pickup, info),
  };
}

/** A parcel waits at a place to be collected, or a neighbour has it. */
function pickupData(pickup: Pickup | null, info: AdditionalInfo | null | undefined) {
  if (isNeighbour(pickup)) return { neighbour_name: pickup?.name ?? undefined };
  return {
    pick_up_address: addressText(pickup?.address, pickup?.name) ?? info?.pickup_point,
    pick_up_until: pickup?.date_to ? dayMonthYear(pickup.date_to) : undefined,
  };
}

const isNeighbour = (pickup: Pickup | null) => /^neighbou?r$/i.test(pickup?.type ?? '');

function siblingData(
  { event_name }: ShipmentOutboxEvent,
  time: string,
  shipment: Shipment,
  fullOrder: OrderWithShipments,
) {
  const towardsMerchant = isTowardsMerchant(shipment.direction);
  const siblings = allShipments(fullOrder).filter(
    ({ uuid, direction }) => uuid !== shipment.uuid && isTowardsMerchant(direction) === towardsMerchant,
  );
  const isOnItsWay = phaseOf({ event_name, time }) === 'in_transit';
  return {
    number_of_shipments: siblings.length + 1,
    other_tracking_numbers:
      isOnItsWay && siblings.length > 0 ? siblings.flatMap(({ tracking_number }) => tracking_number ?? []) : undefined,
  };
}

/** An address in one line, as a message template shows it; undefined where nothing of it is known. */
export function addressText(address: Address | null | undefined, ...before: (string | null | undefined)[]) {
  const { company, address_line_1, street, address_line_2, zip_code, city, province, country } = address ?? {};
  const place = joined(' ', [zip_code, city]);
  const lines = [...before, company, address_line_1 ?? street, address_line_2, place, province, country];
  return joined(', ', lines);
}

function joined(separator: string, parts: readonly (string | null | undefined)[]): string | undefined {
  return (
    parts
      .map((part) => part?.trim())
      .filter(Boolean)
      .join(separator) || undefined
  );
}

/** A date or date-time as `24.12.2026`: the day as its writer wrote it, in the writer's zone. Other text stays as it is. */
export function dayMonthYear(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  return year === undefined ? text : `${day}.${month}.${year}`;
}
