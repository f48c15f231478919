import { shipmentId } from '#domain/orders/model.ts';
import { type StoredItem, toOrder, toShipment } from '#domain/orders/order-items.ts';
import { cutoffOf, lastChange } from '#domain/privacy/retention-rules.ts';
import { retentionOf } from '#domain/privacy/retention-settings.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { mapConcurrently } from '#platform/batches.ts';
import {
  claimPrefix,
  claimsOf,
  keyOf,
  laterOrderPrefix,
  laterPlace,
  orderIdIn,
  partitionOf,
  privacyOf,
} from '#platform/table/keys.ts';
import { batchGet, itemsIn, type Key, queryAll } from '#platform/table/reads.ts';
import { removeAll } from '#platform/table/remove-all.ts';
import { type Action, commit, put } from '#platform/table/writes.ts';
import { privacyLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { CollectPage, Keeping, NightState } from './night.ts';
import { firstPage, itemsAfter } from './sweep.ts';

/** Finds the orders that were not changed for too long, the oldest first. */

/** Those that an earlier night saw, and that were too young then. */
export const collectLater: CollectPage = async (keeping, days, state) => {
  const { slug } = keeping.shop;
  const to = `${laterOrderPrefix}${cutoffOf(days, keeping.turn.now())}~`;
  const seen = await firstPage<Key>(itemsIn(privacyOf(slug), { from: laterOrderPrefix, to }));
  if (seen.length === 0) return undefined;
  const places = seen.map(({ sk }) => laterPlace(sk));
  const collected = await judge(
    keeping,
    days,
    state,
    places.map(({ orderId }) => orderId),
  );
  await removeAll(seen);
  return withCounts(state, seen.length, collected);
};

/** Those that were placed long enough ago, in a walk over the list of orders that goes on in the next night. */
export const collectOrders: CollectPage = async (keeping, days, state) => {
  const { slug } = keeping.shop;
  const { orders_at, walk_began = keeping.turn.now().toISOString() } = state;
  const page = await firstPage<Key & { timeline_sk: string }>(
    itemsAfter(partitionOf.orders(slug), orders_at, cutoffOf(days, keeping.turn.now())),
  );
  const last = page.at(-1);
  if (!last) return undefined;
  const collected = await judge(
    keeping,
    days,
    state,
    page.map(({ pk }) => orderIdIn(pk)),
  );
  return { ...withCounts(state, page.length, collected), orders_at: last.timeline_sk, walk_began };
};

const withCounts = (state: NightState, visited: number, collected: number): NightState => ({
  ...state,
  night: { ...state.night, visited: state.night.visited + visited, collected: state.night.collected + collected },
});

/** Lists those that are too old under the erasure of the night, and those that are not to be looked at again. */
async function judge(
  { shop: { slug }, turn }: Keeping,
  days: number,
  { night }: NightState,
  orderIds: readonly string[],
): Promise<number> {
  const cutoff = cutoffOf(days, turn.now());
  const changes = await changesOf(slug, orderIds, cutoff);
  const expires_at = Math.floor(turn.now().getTime() / 1000) + secondsOfDays(privacyLimits.foundDays);
  const writes = changes.map(({ orderId, changedAt }): Action => {
    if (changedAt > cutoff) return put(keyOf.laterOrder(slug, changedAt, orderId));
    return put({ ...keyOf.foundOrder(slug, night.request, orderId), order_id: orderId, expires_at });
  });
  await turn.spend(writes.length);
  await mapConcurrently(writes, (write) => commit([write]), 8);
  return changes.filter(({ changedAt }) => changedAt <= cutoff).length;
}

interface Change {
  orderId: string;
  changedAt: string;
}

/** When they were last changed. Those that are gone or erased are left out. What is younger than the cutoff is not read further. */
async function changesOf(slug: string, orderIds: readonly string[], cutoff: string): Promise<Change[]> {
  const items = await batchGet(
    orderIds.map((id) => keyOf.order(slug, id)),
    { attributes: ['document', 'version'], ConsistentRead: false },
  );
  const orders = items
    .flatMap((item) => (item ? [toOrder(item as unknown as StoredItem)] : []))
    .filter(({ erased_at }) => erased_at === undefined);
  return mapConcurrently(
    orders,
    async (order) => {
      const others = order.updated_at > cutoff ? [] : await changesAround(slug, order.uuid, order.shipments);
      return { orderId: order.uuid, changedAt: lastChange(order, others) };
    },
    8,
  );
}

/** Whether an order that was collected is too young now: somebody has changed it since, or the shop keeps orders longer. */
export async function isYoungAgain(slug: string, orderId: string, now: Date): Promise<boolean> {
  const [settings = {}] = (await batchGet([keyOf.settings(slug)])) as [StoredSettings?];
  const { orders_days } = retentionOf(settings);
  const cutoff = orders_days === null ? '' : cutoffOf(orders_days, now);
  const changes = await changesOf(slug, [orderId], cutoff);
  return changes.some(({ changedAt }) => changedAt > cutoff);
}

/** Of its parcels and its claims, with the deleted ones. */
async function changesAround(
  slug: string,
  orderId: string,
  slots: readonly number[],
): Promise<{ updated_at: string }[]> {
  const [shipments, claims] = await Promise.all([
    batchGet(
      slots.map((slot) => keyOf.shipment(slug, orderId, shipmentId(orderId, slot))),
      { attributes: ['document', 'version'], ConsistentRead: false },
    ),
    queryAll<{ updated_at: string }>({
      ...itemsIn(claimsOf(slug, orderId), { prefix: claimPrefix }),
      ProjectionExpression: 'updated_at',
    }),
  ]);
  const parcels = shipments.flatMap((item) => (item ? [toShipment(item as unknown as StoredItem)] : []));
  return [...parcels, ...claims];
}
