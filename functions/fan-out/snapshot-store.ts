import { allDone } from '#shared/all-done.ts';
import { batchGet } from '#shared/batch-get.ts';
import { claimAt } from '#shared/claims/claim-rules.ts';
import { claimsOfOrder, readHistory } from '#shared/claims/claim-store.ts';
import type { Claim } from '#shared/claims/model.ts';
import { keyOf } from '#shared/keys.ts';
import { type Snapshot, toBook } from '#shared/orders/snapshot.ts';
import { loadSurroundings, type Surroundings } from '#shared/payload/event-payload.ts';
import type { OutboxItem } from './outbox-record.ts';

/**
 * The order as the event left it, with its claims as they were then. Where the event carries no order it is read as it
 * is now: undefined where it is gone.
 */
export async function surroundingsThen(event: OutboxItem & Snapshot): Promise<Surroundings | undefined> {
  const { shop_slug, order_id, triggered_at, snapshot, snapshot_in } = event;
  const packed = snapshot ?? (snapshot_in && (await snapshotIn(shop_slug, order_id, snapshot_in)));
  const found = packed
    ? { book: toBook(packed), claims: await claimsOfOrder(shop_slug, order_id) }
    : await loadSurroundings(shop_slug, order_id);
  return found && { ...found, claims: await claimsThen(shop_slug, found.claims, triggered_at) };
}

async function claimsThen(slug: string, claims: readonly Claim[], then: string): Promise<Claim[]> {
  const made = claims.filter(({ created_at }) => created_at <= then);
  return allDone(
    made.map(async (claim) => {
      if (claim.updated_at <= then) return claim;
      return claimAt(claim, await readHistory(slug, claim, 1), then);
    }),
  );
}

async function snapshotIn(slug: string, orderId: string, eventId: string): Promise<Uint8Array | undefined> {
  const [item] = await batchGet([keyOf.outbox(slug, orderId, eventId)]);
  return (item as Snapshot | undefined)?.snapshot;
}
