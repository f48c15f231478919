import { type Claim, isDeleted } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder } from '#domain/claims/claim-store.ts';
import { toClaimResponse } from '#domain/claims/presentation.ts';
import type { OrderWithShipments, ShopIdentity } from '#domain/orders/model.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import type { OutboxEvent } from '#domain/orders/outbox.ts';
import { toOrderResponse, type Viewer } from '#domain/orders/presentation.ts';
import { whileSimulated } from '#domain/orders/simulated.ts';
import { remember } from '#platform/recently-used.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { removeBody, type StoredBody, storeBody, textOf, unpackBody } from '#platform/table/stored-body.ts';
import { insert, put, tryCommit } from '#platform/table/writes.ts';
import { payloadLimits } from '#schemas/catalogues/limits.ts';
import type { Tracking } from '#schemas/shapes/order-shapes.ts';
import { type PayloadOwner, payloadItem } from './delivery-items.ts';
import type { Delivery, PayloadReference } from './delivery-rules.ts';
import { claimEventData, customerName, type Occurrence, shipmentEventData } from './event-data.ts';

/** What deliveries send: how payloads are made of an event and its order, stored and read again. */

/** One thing that an event is about, and when it happened. */
export interface EventSubject {
  /** The id of the shipment or of the claim. */
  id: string;
  occurrence: Occurrence;
}

export function subjectsOf(event: OutboxEvent): EventSubject[] {
  if (event.source === 'shipments') {
    return event.shipments.map((occurrence) => ({ id: occurrence.shipment_id, occurrence }));
  }
  const { claim_id: id, shipment_id, triggered_at: time } = event;
  return [{ id, occurrence: { shipment_id, time } }];
}

/** Which state of its subject an event shows: higher with every change. Undefined if the event was made before there was one. */
export const subjectVersion = (event: OutboxEvent, { occurrence }: EventSubject): number | undefined =>
  event.source === 'claims' ? event.version : occurrence.version;

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
  { fullOrder, claims }: OrderContext,
  { slug: shop_slug, uuid: shop_id }: ShopIdentity,
) {
  const { source, ref, triggered_at, event_group } = event;
  const event_data =
    event.source === 'claims' ? claimEventData(event, claims) : shipmentEventData(event, occurrence, fullOrder);
  return { source, ref, version: 1 as const, triggered_at, event_group, event_data, shop_slug, shop_id };
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
  const shipment = allShipments(fullOrder).find(({ uuid }) => uuid === claim.shipment_id);
  return toClaimResponse(claim, { order: fullOrder.order, shipment }, shop);
}

/**
 * The deliveries of one event share one item: its first line is the context, which all of them
 * send, and each further line is what one of them sends besides. The text is stored and not made again, so that every
 * attempt sends the same bytes.
 */

/** The payloads of one event. */
export interface EventPayloads {
  context: object;
  /** What the payloads contain besides the context. */
  parts: readonly object[];
}

/** Stores the payloads of an event, unless an earlier try has stored them: deliveries may be on their way with those. */
export async function storeEventPayloads(owner: PayloadOwner, { context, parts }: EventPayloads): Promise<void> {
  const text = [context, ...parts].map((line) => JSON.stringify(line)).join('\n');
  const stored = await storeBody(text);
  const isStored = await tryCommit([insert(payloadItem(owner, stored)), ...whileSimulated(owner)]);
  if (!isStored) await dropUnused(owner, stored);
}

/**
 * What is made for a simulation must go with it, and nobody would find a body that no item names: the simulation may have
 * been removed while the body was stored, or a replay made another text. Other bodies expire in the bucket.
 */
async function dropUnused(owner: PayloadOwner, stored: StoredBody): Promise<void> {
  if (owner.simulation_id === undefined || !('s3_key' in stored)) return;
  const [item] = await batchGet([keyOf.payload(owner.shop_slug, owner.payload_id)]);
  if (item?.s3_key !== stored.s3_key) await dropBody(stored);
}

/** Removes the body of an item that was not written. */
export async function dropBody(stored: StoredBody): Promise<void> {
  if ('s3_key' in stored) await removeBody(stored.s3_key);
}

/** Undefined if they were never stored, or have expired. */
export async function readEventPayloads(slug: string, eventId: string): Promise<EventPayloads | undefined> {
  const [item] = await batchGet([keyOf.payload(slug, eventId)]);
  if (!item) return undefined;
  const text = await textOf(item as unknown as StoredBody);
  const [context, ...parts] = text.split('\n').map((line) => JSON.parse(line));
  return { context, parts };
}

type PayloadOf = Pick<Delivery, 'shop_slug'> & PayloadReference;

/** Keeps what a delivery sends for as long as the delivery. If it has expired, the worker finds out and says so. */
export async function keepPayload(delivery: PayloadOf & Pick<Delivery, 'expires_at'>): Promise<void> {
  const { shop_slug, payload_id, expires_at } = delivery;
  const [item] = await batchGet([keyOf.payload(shop_slug, payload_id)]);
  if (!item || Number(item.expires_at) >= expires_at) return;
  await tryCommit([put({ ...item, expires_at }, 'attribute_exists(pk)')]);
}

/** The exact text that a delivery sent or will send. */
export async function readPayload(delivery: PayloadOf): Promise<string | undefined> {
  const [item] = await batchGet([keyOf.payload(delivery.shop_slug, delivery.payload_id)]);
  return item && (await bodyOf(delivery, item as unknown as StoredBody)).toString('utf8');
}

/** The exact bytes that a delivery sends. */
export async function bodyOf(delivery: PayloadOf, stored: StoredBody): Promise<Buffer> {
  const { payload_part: part } = delivery;
  if (part === undefined) return unpackBody(stored);
  const text = await unpackedOnce(delivery, stored);
  const own = lineOf(text, part + 1);
  // The context becomes the last field of the own part, which is an object with other fields.
  return Buffer.concat([own.subarray(0, -1), contextName, lineOf(text, 0), closing]);
}

const contextName = Buffer.from(',"context":');
const closing = Buffer.from('}');
const lineFeed = 10;

function lineOf(text: Buffer, line: number): Buffer {
  let start = 0;
  for (let before = 0; before < line; before++) start = text.indexOf(lineFeed, start) + 1;
  const end = text.indexOf(lineFeed, start);
  return text.subarray(start, end === -1 ? undefined : end);
}

/** The deliveries of one event come one after the other. A text has a few megabytes at most. */
const maxKept = 4;
const kept = new Map<string, Promise<Buffer>>();

/** What several deliveries share is unpacked once. It never changes. */
function unpackedOnce({ shop_slug, payload_id }: PayloadOf, stored: StoredBody): Promise<Buffer> {
  const name = `${shop_slug}#${payload_id}`;
  const known = kept.get(name);
  if (known) return known;
  const unpacking = unpackBody(stored);
  unpacking.catch(() => kept.delete(name));
  remember(kept, name, unpacking, maxKept);
  return unpacking;
}
