import { type Claim, claimAt } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder, historyBackTo } from '#domain/claims/claim-store.ts';
import { loadOrderContext, type OrderContext } from '#domain/deliveries/event-payload.ts';
import type { OrderWithShipments } from '#domain/orders/model.ts';
import { allShipments, withNewerParcels } from '#domain/orders/order-rules.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import { type ClaimOutboxEvent, type Snapshot, type StoredEvent, toOrderWithShipments } from '#domain/orders/outbox.ts';
import { loadOnce, mapConcurrently } from '#platform/batches.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import { RecordFault } from '#platform/verdicts.ts';

/** An event that has an item of its own, with its order. */
export type OutboxItem = StoredEvent & Snapshot;

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
