import { batchGet } from '#shared/batch-get.ts';
import { claimsOfOrder } from '#shared/claims/claim-store.ts';
import { keyOf } from '#shared/keys.ts';
import { type Snapshot, toBook } from '#shared/orders/snapshot.ts';
import { loadSurroundings, type Surroundings } from '#shared/payload/event-payload.ts';
import type { OutboxItem } from './outbox-record.ts';

/**
 * The order as the event left it, with the claims that it had by then. Where the event carries no order it is read as
 * it is now: undefined where it is gone.
 */
export async function surroundingsThen(event: OutboxItem & Snapshot): Promise<Surroundings | undefined> {
  const { shop_slug, order_id, triggered_at, snapshot, snapshot_in } = event;
  const packed = snapshot ?? (snapshot_in && (await snapshotIn(shop_slug, order_id, snapshot_in)));
  const found = packed
    ? { book: toBook(packed), claims: await claimsOfOrder(shop_slug, order_id) }
    : await loadSurroundings(shop_slug, order_id);
  return found && { ...found, claims: found.claims.filter(({ created_at }) => created_at <= triggered_at) };
}

async function snapshotIn(slug: string, orderId: string, eventId: string): Promise<Uint8Array | undefined> {
  const [item] = await batchGet([keyOf.outbox(slug, orderId, eventId)]);
  return (item as Snapshot | undefined)?.snapshot;
}
