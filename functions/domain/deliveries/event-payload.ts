import { type Claim, isDeleted } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder } from '#domain/claims/claim-store.ts';
import { toClaimResponse } from '#domain/claims/presentation.ts';
import type { OrderWithShipments, ShopIdentity } from '#domain/orders/model.ts';
import { shipmentById } from '#domain/orders/order-rules.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import type { OutboxEvent } from '#domain/orders/outbox.ts';
import { toOrderResponse, type Viewer } from '#domain/orders/presentation.ts';
import { payloadLimits } from '#schemas/catalogues/limits.ts';
import type { Tracking } from '#schemas/shapes/order-shapes.ts';
import { claimEventData, customerName, type Occurrence, shipmentEventData, withdrawalEventData } from './event-data.ts';

/** One thing that an event is about, and when it happened. */
export interface EventSubject {
  /** The id of the shipment, of the claim or of the withdrawal. */
  id: string;
  occurrence: Occurrence;
}

export function subjectsOf(event: OutboxEvent): EventSubject[] {
  if (event.source === 'shipments') {
    return event.shipments.map((occurrence) => ({ id: occurrence.shipment_id, occurrence }));
  }
  if (event.source === 'withdrawals') {
    // It is about the whole order.
    return [{ id: event.withdrawal_id, occurrence: { shipment_id: event.order_id, time: event.triggered_at } }];
  }
  const { claim_id: id, shipment_id, triggered_at: time } = event;
  return [{ id, occurrence: { shipment_id, time } }];
}

/** Which state of its subject an event shows: higher with every change. Undefined if the event was made before there was one. */
export const subjectVersion = (event: OutboxEvent, { occurrence }: EventSubject): number | undefined =>
  event.source === 'shipments' ? occurrence.version : event.version;

/** The order of an event and its claims. */
export interface OrderContext {
  fullOrder: OrderWithShipments;
  claims: readonly Claim[];
}

/** The current state, or undefined if the order is gone. */
export async function loadOrderContext(slug: string, orderId: string): Promise<OrderContext | undefined> {
  const [fullOrder, claims] = await Promise.all([loadOrder(slug, orderId), claimsOfOrder(slug, orderId)]);
  return fullOrder && { fullOrder, claims };
}

/** The payload of an event for one of its subjects. */
export const payloadOf = (event: OutboxEvent, subject: EventSubject, context: OrderContext, viewer: Viewer) => ({
  ...ownPartOf(event, subject, context, viewer.shop),
  context: contextOf(context, viewer),
});

/**
 * What differs between the payloads of an event: everything but the context. Every payload has this shape, for webhook
 * endpoints and for integrations.
 */
export function ownPartOf(
  event: OutboxEvent,
  { occurrence }: EventSubject,
  context: OrderContext,
  { slug: shop_slug, uuid: shop_id }: ShopIdentity,
) {
  const { source, ref, triggered_at, event_group } = event;
  const event_data = eventDataOf(event, occurrence, context);
  return { source, ref, version: 1 as const, triggered_at, event_group, event_data, shop_slug, shop_id };
}

function eventDataOf(event: OutboxEvent, occurrence: Occurrence, { fullOrder, claims }: OrderContext) {
  if (event.source === 'claims') return claimEventData(event, claims);
  if (event.source === 'withdrawals') return withdrawalEventData(event);
  return shipmentEventData(event, occurrence, fullOrder);
}

/**
 * The order of an event as the API shows it, the same for all payloads of the event. Image URLs of its claims are those
 * that do not expire.
 */
export function contextOf({ fullOrder, claims }: OrderContext, viewer: Viewer) {
  const order = toOrderResponse(fullOrder, viewer);
  const { external_customer_id, email_id, address } = fullOrder.order;
  return withinLimit({
    order: { ...order, order_status_url: order.order_status_url ?? null },
    customer: {
      external_id: external_customer_id ?? null,
      email: email_id ?? null,
      ...customerName(address?.name),
      full_name: address?.name ?? null,
      phone: address?.phone ?? null,
    },
    shipments: order.trackings,
    claims: claims.filter((claim) => !isDeleted(claim)).map((claim) => shownClaim(claim, fullOrder, viewer)),
  });
}

interface ContextWithTrackings {
  order: { trackings: Tracking[] };
  shipments: Tracking[];
}

/**
 * A merchant's request that makes an order too large is refused, but carriers' events must always be recorded. If there
 * are too many of them, the payload has only the newest of each parcel. Its current state does not depend on the others.
 */
function withinLimit<C extends ContextWithTrackings>(context: C): C {
  const excess = jsonBytes(context) - payloadLimits.bytes;
  if (excess <= 0) return context;
  const { trackings } = context.order;
  const ofEvents = trackings.reduce((sum, { events }) => sum + jsonBytes(events), 0);
  // Each parcel is there twice, in the order and beside it.
  const bytesForEach = (ofEvents - excess / 2) / trackings.length;
  const cut = trackings.map((tracking) => ({ ...tracking, events: newestEvents(tracking.events, bytesForEach) }));
  return { ...context, order: { ...context.order, trackings: cut }, shipments: cut };
}

/** At least one event. */
function newestEvents(events: Tracking['events'], maxBytes: number): Tracking['events'] {
  let bytes = 0;
  const fits = (event: Tracking['events'][number]) => {
    bytes += jsonBytes(event) + 1;
    return bytes <= maxBytes;
  };
  const firstShown = events.findLastIndex((event) => !fits(event)) + 1;
  return events.slice(Math.min(firstShown, events.length - 1));
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

function shownClaim(claim: Claim, fullOrder: OrderWithShipments, { shop }: Viewer) {
  const shipment = shipmentById(fullOrder, claim.shipment_id);
  return toClaimResponse(claim, { order: fullOrder.order, shipment }, shop);
}
