import { isDeepStrictEqual } from 'node:util';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { AutomationRun } from '#domain/automations/run.ts';
import { type Claim, claimAt } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder, historyBackTo } from '#domain/claims/claim-store.ts';
import type { DeliveryMessage } from '#domain/deliveries/delivery-rules.ts';
import { loadOrderContext, type OrderContext } from '#domain/deliveries/event-payload.ts';
import { type Told, toldBy } from '#domain/orders/enclosed-events.ts';
import type { Order, OrderWithShipments } from '#domain/orders/model.ts';
import { type StoredItem, toOrder } from '#domain/orders/order-items.ts';
import { allShipments, withNewerParcels } from '#domain/orders/order-rules.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import {
  type ClaimOutboxEvent,
  type Snapshot,
  type StoredEvent,
  type TrackingBacklogItem,
  type TrackingRequestItem,
  toOrderWithShipments,
} from '#domain/orders/outbox.ts';
import { type PlannedShipment, plannableShipments, versionOf } from '#domain/triggers/plan.ts';
import { loadOnce, mapConcurrently } from '#platform/batches.ts';
import { type Caused, causeOf } from '#platform/correlation.ts';
import { keyOf, shopOfOrder } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { ownRegion } from '#platform/table/stream-mark.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import { UnknownForm } from '#platform/unknown-form.ts';
import { RecordFault } from '#platform/verdicts.ts';
import { type ChangeKind, changeKindOf, type ItemKindOf, isItemKind } from '#schemas/catalogues/stream-kinds.ts';

/** An event as the stream shows it, with its order. */
export type OutboxItem = StoredEvent & Snapshot;

/** Asks the fan-out to queue an existing delivery, again or for the first time. */
export type WakeItem = DeliveryMessage & { probe?: boolean };

/** The type of each kind of item. A missing kind does not compile. */
interface ItemOf extends Record<FanOutKind, object> {
  event: OutboxItem;
  wake: WakeItem;
  run: AutomationRun;
  tracking_request: TrackingRequestItem;
  tracking_backlog: TrackingBacklogItem;
}

type FanOutKind = ItemKindOf<'fan-out'>;
type StreamItem = { [K in FanOutKind]: ItemOf[K] & { kind: K } }[FanOutKind];

/** Throws if the record is of a kind that this version does not know. */
export function toStreamItem({ dynamodb }: DynamoDBRecord): StreamItem {
  if (!isItemKind(dynamodb!.NewImage?.kind?.S)) throw new UnknownForm('A record of the stream is of an unknown kind.');
  const item = unmarshall(dynamodb!.NewImage as Image) as StreamItem;
  if (item.kind === 'tracking_request' && !Array.isArray(item.parcels)) throw new RecordFault('MalformedRequest');
  if (item.kind !== 'event') return item;
  if (item.source && !sources.has(item.source)) throw new UnknownForm('An event has an unknown source.');
  if (!item.shop_slug || !item.order_id || !hasSubject(item)) throw new RecordFault('MalformedEvent');
  return item.snapshot ? { ...item, snapshot: bytesOf(item.snapshot) } : item;
}

const sources: ReadonlySet<string> = new Set<OutboxItem['source']>(['shipments', 'claims']);

const hasSubject = (item: OutboxItem): boolean =>
  item.source === 'claims' ? Boolean(item.claim_id && item.claim) : Array.isArray(item.shipments);

type Image = Parameters<typeof unmarshall>[0];

/** The kind of change of a stored item; undefined for an item that was written only for the stream. */
export const changeOf = ({ dynamodb }: DynamoDBRecord): ChangeKind | undefined =>
  changeKindOf('fan-out', dynamodb!.NewImage?.sk?.S ?? dynamodb!.Keys?.sk?.S ?? '');

/** The kind of a record, and which request caused it. */
export function aboutOf(record: DynamoDBRecord): { kind: string } & Caused {
  const [enclosed] = readableTold(record)?.events ?? [];
  if (enclosed) return { kind: 'event', ...causeOf(enclosed) };
  const { kind, cause, event } = record.dynamodb!.NewImage ?? {};
  // The event of a run, or the item itself, says it.
  const text = cause?.S ?? event?.M?.cause?.S;
  return { kind: changeOf(record) ?? kind?.S ?? 'unknown', ...(text !== undefined && { cause: text }) };
}

/** What cannot be read fails when the record is handled. */
function readableTold(record: DynamoDBRecord): Told | undefined {
  try {
    return toldOf(record);
  } catch {
    return undefined;
  }
}

/** What the change of an order or shipment tells this region; undefined if nothing. */
export function toldOf(record: DynamoDBRecord): Told | undefined {
  const change = changeOf(record);
  if (change !== 'order_change' && change !== 'shipment_change') return undefined;
  const { OldImage, NewImage } = record.dynamodb!;
  // A write that leaves the document as it is tells nothing anew.
  if (OldImage && isDeepStrictEqual(OldImage.document, NewImage!.document)) return undefined;
  const found = toldBy(itemOf(NewImage)!);
  return found?.region === ownRegion() ? found : undefined;
}

/** The shipments after the change. */
export function shipmentsOf({ dynamodb }: DynamoDBRecord): PlannedShipment[] {
  const item = itemOf(dynamodb!.NewImage)!;
  const slug = shopOfOrder(item.pk);
  const old = itemOf(dynamodb!.OldImage);
  const before = new Map((old ? plannableShipments(old) : []).map((shipment) => [shipment.uuid, shipment]));
  return plannableShipments(item).map((shipment) => ({
    slug,
    shipment,
    version: versionOf(item),
    before: before.get(shipment.uuid),
  }));
}

/** Whether an order has drafts, and had others before. */
export function hasOtherDrafts({ dynamodb }: DynamoDBRecord): boolean {
  const { OldImage: before, NewImage: after } = dynamodb!;
  if (!after?.drafts) return false;
  return after.drafts.S !== before?.drafts?.S || after.activity_sk?.S !== before?.activity_sk?.S;
}

export const isNewOrder = (record: DynamoDBRecord): boolean =>
  changeOf(record) === 'order_change' && record.dynamodb!.OldImage === undefined;

/** An order, from the record of its creation. */
export function createdOrderOf({ dynamodb }: DynamoDBRecord): { slug: string; order: Order } {
  const item = itemOf(dynamodb!.NewImage)!;
  return { slug: shopOfOrder(item.pk), order: toOrder(item) };
}

type Images = NonNullable<DynamoDBRecord['dynamodb']>;

function itemOf(image: Images['NewImage']): StoredItem | undefined {
  if (!image) return undefined;
  const { document, ...item } = unmarshall(image as Image) as StoredItem;
  return { ...item, document: bytesOf(document) };
}

/** Lambda passes binary values of the stream as base64 text. */
const bytesOf = (value: Uint8Array | string): Uint8Array =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : value;

/**
 * The order as it was after the event, with its claims at that time. If the event has no snapshot of the order, the
 * order is read as it is now; undefined if it no longer exists.
 */
async function orderContextAtEvent(event: OutboxItem, readOrder: ReadOrder): Promise<OrderContext | undefined> {
  const { shop_slug, order_id, snapshot, snapshot_in } = event;
  const packed = snapshot ?? (snapshot_in && (await snapshotIn(shop_slug, order_id, snapshot_in)));
  if (packed) return contextAtEvent(event, toOrderWithShipments(packed), readOrder);
  const found = await loadOrderContext(shop_slug, order_id);
  return found && { ...found, claims: await claimsAtEvent(event, found.claims) };
}

/** Undefined if the order is gone. */
export type ReadOrder = (slug: string, orderId: string) => Promise<OrderWithShipments | undefined>;

const readOrderNow: ReadOrder = (slug, orderId) => retryOnConflict(() => loadOrder(slug, orderId));

/** Reads an order only once for a batch: all records of the batch were written before. */
export function startReadingOrders(): ReadOrder {
  const read = loadOnce((name) => readOrderNow(...(name.split('#') as [string, string])));
  return (slug, orderId) => read(`${slug}#${orderId}`);
}

/**
 * @param fullOrder as the write of the event left it. Parcels that the event is not about may have changed at the same
 * time, and then neither write knows of the other. So they are read again, and of two such events the later shows both.
 */
export async function contextAtEvent(
  event: StoredEvent,
  fullOrder: OrderWithShipments,
  readOrder: ReadOrder = readOrderNow,
): Promise<OrderContext> {
  const own = new Set(event.source === 'shipments' ? event.shipments.map(({ shipment_id }) => shipment_id) : []);
  const hasOthers = allShipments(fullOrder).some(({ uuid }) => !own.has(uuid));
  const [claims, current] = await Promise.all([
    claimsOfOrder(event.shop_slug, event.order_id),
    hasOthers ? readOrder(event.shop_slug, event.order_id) : undefined,
  ]);
  return {
    fullOrder: current ? withNewerParcels(fullOrder, current, own) : fullOrder,
    claims: await claimsAtEvent(event, claims),
  };
}

/** Throws if the order is gone. */
export async function requireOrderContext(
  event: OutboxItem,
  readOrder: ReadOrder = readOrderNow,
): Promise<OrderContext> {
  const found = await orderContextAtEvent(event, readOrder);
  if (!found) throw new RecordFault('OrderGone', 'The order of an event is gone.');
  return found;
}

async function claimsAtEvent(event: StoredEvent, claims: readonly Claim[]): Promise<Claim[]> {
  const { shop_slug, triggered_at: eventTime } = event;
  const existing = claims.filter((claim) => claim.created_at <= eventTime || isAbout(event, claim));
  return mapConcurrently(existing, async (claim) => {
    if (isAbout(event, claim)) return { ...claim, ...event.claim, deleted_at: null };
    if (claim.updated_at <= eventTime) return claim;
    return claimAt(claim, await historyBackTo(shop_slug, claim, eventTime), eventTime);
  });
}

/**
 * An event about a claim carries the new state of the claim. Times cannot tell it reliably: clocks differ, and two
 * steps may have the same time.
 */
const isAbout = (event: StoredEvent, { uuid }: Claim): event is StoredEvent & ClaimOutboxEvent =>
  event.source === 'claims' && event.claim_id === uuid;

async function snapshotIn(slug: string, orderId: string, eventId: string): Promise<Uint8Array | undefined> {
  const [item] = await batchGet([keyOf.outbox(slug, orderId, eventId)]);
  return (item as Snapshot | undefined)?.snapshot;
}
