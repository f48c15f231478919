import type { Claim } from '#domain/claims/claim-rules.ts';
import { claimAt } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder, historyBackTo } from '#domain/claims/claim-store.ts';
import { type ClaimOutboxEvent, type Snapshot, toOrderWithShipments } from '#domain/outbox/outbox.ts';
import { loadOrderContext, type OrderContext } from '#domain/payload/event-payload.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { OutboxItem } from './stream-records.ts';

/**
 * The order as the event left it, with its claims as they were then. Where the event carries no order it is read as it
 * is now: undefined where it is gone.
 */
export async function orderContextThen(event: OutboxItem): Promise<OrderContext | undefined> {
  const { shop_slug, order_id, snapshot, snapshot_in } = event;
  const packed = snapshot ?? (snapshot_in && (await snapshotIn(shop_slug, order_id, snapshot_in)));
  const found = packed
    ? { fullOrder: toOrderWithShipments(packed), claims: await claimsOfOrder(shop_slug, order_id) }
    : await loadOrderContext(shop_slug, order_id);
  return found && { ...found, claims: await claimsThen(event, found.claims) };
}

async function claimsThen(event: OutboxItem, claims: readonly Claim[]): Promise<Claim[]> {
  const { shop_slug, triggered_at: then } = event;
  const made = claims.filter((claim) => claim.created_at <= then || isAbout(event, claim));
  return mapConcurrently(made, async (claim) => {
    if (isAbout(event, claim)) return { ...claim, ...event.claim, deleted_at: null };
    if (claim.updated_at <= then) return claim;
    return claimAt(claim, await historyBackTo(shop_slug, claim, then), then);
  });
}

/** Such an event carries what it made of its claim: clocks differ, and two steps may have the same time. */
const isAbout = (event: OutboxItem, { uuid }: Claim): event is OutboxItem & ClaimOutboxEvent =>
  event.source === 'claims' && event.claim_id === uuid;

async function snapshotIn(slug: string, orderId: string, eventId: string): Promise<Uint8Array | undefined> {
  const [item] = await batchGet([keyOf.outbox(slug, orderId, eventId)]);
  return (item as Snapshot | undefined)?.snapshot;
}
