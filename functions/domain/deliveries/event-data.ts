import type { Claim } from '#domain/claims/claim-rules.ts';
import { predictedArrival } from '#domain/orders/arrival.ts';
import { type Order, type OrderWithShipments, type Shipment, slotOf } from '#domain/orders/model.ts';
import { allShipments, shipmentById } from '#domain/orders/order-rules.ts';
import type { ClaimOutboxEvent, ShipmentOutboxEvent, WithdrawalOutboxEvent } from '#domain/orders/outbox.ts';
import { newShipment } from '#domain/orders/shipment-rules.ts';
import { isTowardsMerchant, phaseOfRef } from '#schemas/catalogues/shipment-events.ts';
import type { AdditionalInfo, Address, Pickup } from '#schemas/shapes/order-shapes.ts';

/** One shipment of an event, and when the event happened to it. */
export type Occurrence = ShipmentOutboxEvent['shipments'][number];

/** The event data of one shipment, with the names that message templates use. Unknown values are left out. */
export function shipmentEventData(event: ShipmentOutboxEvent, occurrence: Occurrence, fullOrder: OrderWithShipments) {
  const { event_name, event_group, triggered_at } = event;
  const { time } = occurrence;
  const shipment = shipmentOf(occurrence, fullOrder);
  return {
    shipment_id: shipment.uuid,
    carrier_reference: shipment.carrier_reference,
    event_name,
    // Not by the direction of the shipment, which may be deleted.
    phase: phaseOfRef(event.ref),
    tracking_number: shipment.tracking_number,
    tracking_url: shipment.tracking_url,
    // The time of the event and not of the shipment, which may have changed again.
    updated_at: triggered_at,
    event_group,
    internal_trigger: event.internal_trigger,
    order_number: fullOrder.order.order_number,
    ...orderData(fullOrder.order),
    ...deliveryData(event, time, shipment),
    ...siblingData(event, shipment, fullOrder),
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

function deliveryData(event: ShipmentOutboxEvent, time: string, shipment: Shipment) {
  const { events, pickup } = shipment;
  const info = events.find((known) => known.event_name === event.event_name && known.time === time)?.additional_info;
  const expected = expectedDay(shipment, new Date(event.triggered_at));
  return {
    expected_delivery_date: expected ? dayMonthYear(expected) : undefined,
    requested_delivery_date: info?.preferred_delivery_date && dayMonthYear(info.preferred_delivery_date),
    ...pickupData(pickup, info),
  };
}

/** The end of the window is what the carrier promises. A window of ours that is over promises nothing. */
function expectedDay(shipment: Shipment, now: Date): string | undefined {
  const { start, end } = shipment.expected_delivery ?? {};
  const ours = predictedArrival(shipment, now);
  return end ?? start ?? (ours?.isOver ? undefined : ours?.to);
}

/** A parcel waits at a pickup point, or a neighbour has it. */
function pickupData(pickup: Pickup | null, info: AdditionalInfo | null | undefined) {
  if (isNeighbour(pickup)) return { neighbour_name: pickup?.name ?? undefined };
  return {
    pick_up_address: addressText(pickup?.address, pickup?.name) ?? info?.pickup_point,
    pick_up_until: pickup?.date_to ? dayMonthYear(pickup.date_to) : undefined,
  };
}

const isNeighbour = (pickup: Pickup | null) => /^neighbou?r$/i.test(pickup?.type ?? '');

function siblingData({ ref }: ShipmentOutboxEvent, shipment: Shipment, fullOrder: OrderWithShipments) {
  const towardsMerchant = isTowardsMerchant(shipment.direction);
  const siblings = allShipments(fullOrder).filter(
    ({ uuid, direction }) => uuid !== shipment.uuid && isTowardsMerchant(direction) === towardsMerchant,
  );
  const isOnItsWay = phaseOfRef(ref) === 'in_transit';
  return {
    number_of_shipments: siblings.length + 1,
    other_tracking_numbers:
      isOnItsWay && siblings.length > 0 ? siblings.flatMap(({ tracking_number }) => tracking_number ?? []) : undefined,
  };
}

/** An address in one line for message templates, or undefined if it has no known part. */
export function addressText(address: Address | null | undefined, ...before: (string | null | undefined)[]) {
  const { company, address_line_1, street, address_line_2, zip_code, city, province, country } = address ?? {};
  const place = joined(' ', [zip_code, city]);
  return joined(', ', [...before, company, address_line_1 ?? street, address_line_2, place, province, country]);
}

function joined(separator: string, parts: readonly (string | null | undefined)[]): string | undefined {
  const known = parts.map((part) => part?.trim()).filter(Boolean);
  return known.length > 0 ? known.join(separator) : undefined;
}

/**
 * A date or date-time as `24.12.2026`. The day is the one in the text, without a change of time zone. Other text stays
 * as it is.
 */
export function dayMonthYear(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  return year === undefined ? text : `${day}.${month}.${year}`;
}

/**
 * The event data of a claim, as it was after the event. Image URLs are those that do not expire, because a delivery may
 * arrive days later. A receiver that wants to open the images reads the claim. `claims`: every claim of the order with
 * the deleted ones.
 */
export function claimEventData(
  { claim_id, claim: changed, event_name, event_group }: ClaimOutboxEvent,
  claims: readonly Claim[],
) {
  const claim = claims.find(({ uuid }) => uuid === claim_id);
  if (!claim) throw Object.assign(new Error('The claim of an event is gone.'), { name: 'ClaimGone' });
  return {
    claim_id: claim.uuid,
    event_name: event_name === 'CLAIM_CREATED' ? ('created' as const) : ('updated' as const),
    created_at: claim.created_at,
    updated_at: changed.updated_at,
    event_group,
    resolution_preference: changed.resolution_preference,
    reason: claim.reason,
    status: changed.status,
    description: changed.description,
    customer_signature_image_url: claim.customer_signature_image_url,
    selected_items: claim.selected_items,
    image_urls: claim.image_urls,
    optional_image_urls: claim.optional_image_urls,
  };
}

/** The event data of a withdrawal, as it was after the event. */
export const withdrawalEventData = ({ event_name, event_group, withdrawal }: WithdrawalOutboxEvent) => ({
  ...withdrawal,
  event_name: event_name === 'WITHDRAWAL_DECLARED' ? ('declared' as const) : ('settled' as const),
  event_group,
});

/** A shipment may be deleted before its event is sent. The event is sent anyway. */
function shipmentOf({ shipment_id, time }: Occurrence, fullOrder: OrderWithShipments): Shipment {
  const found = shipmentById(fullOrder, shipment_id);
  return found ?? newShipment(fullOrder.order, slotOf(shipment_id), 'merchant_customer', time);
}

/** Splits a name into first and last name: the last word is the last name, and a single word is the first name. */
export function customerName(text: string | undefined) {
  const words = (text ?? '').split(/\s+/).filter((word) => word !== '');
  const last = words.length > 1 ? words.pop() : undefined;
  return {
    first_name: words.length > 0 ? words.join(' ') : null,
    last_name: last ?? null,
  };
}
