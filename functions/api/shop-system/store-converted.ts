import type { ShopIdentity } from '#domain/orders/model.ts';
import { findOrderId, loadOrder } from '#domain/orders/order-store.ts';
import { cancelOrder } from '#domain/orders/record-event.ts';
import { hasDefaultId } from '#domain/orders/told.ts';
import { type Upserted, upsert } from '#domain/orders/upsert.ts';
import type { ConvertedOrder } from '#domain/shop-systems/reading.ts';
import { ServiceError } from '#platform/errors.ts';
import type { ErrorKey } from '#schemas/catalogues/errors.ts';
import { secondsOfDays } from '#schemas/catalogues/limits.ts';

interface SystemTraits {
  /** Whether an order never gets another id in the system. */
  hasLastingIds: boolean;
}

/** Stores an order of the shop's own system. It may come late or again: the rules of the upsert decide what that changes. */
export async function storeConverted(
  shop: ShopIdentity,
  converted: ConvertedOrder,
  now: Date,
  traits: SystemTraits = { hasLastingIds: false },
): Promise<void> {
  const upserted = await upsertConverted(shop, converted, now, traits).catch((error: unknown) => {
    if (converted.onlyIfKnown && isError(error, 'order_not_found')) return undefined;
    throw error;
  });
  if (!upserted) return;
  const { orderId, cancelledAt } = upserted;
  // What comes late may add parcels to an order that is cancelled already.
  if (cancelledAt !== undefined) await cancelOrder(shop, orderId, cancelledAt, now);
}

/**
 * Finds the order by its number. If another order has its id in the shop's system, that may be the same order: a merchant
 * who also sends orders to us may number them in another way, and the system may number an order anew. Then the id decides,
 * and the number that is known stays. But if nobody gave that order the id, and it is only its number, the two have
 * nothing to do with each other, and this one goes without its id.
 */
async function upsertConverted(
  shop: ShopIdentity,
  { order, trackings, source, cancelledAt, unread, onlyIfKnown }: ConvertedOrder,
  now: Date,
  { hasLastingIds }: SystemTraits,
): Promise<Upserted> {
  const { order_number, external_id } = order;
  const told = {
    source: inPresent(source, now),
    cancelledAt,
    unread,
    hasLastingIds,
    onlyIfKnown: onlyIfKnown === true,
  };
  const options = { told, leavesOutFullParcels: true };
  const { order_number: _number, ...unnumbered } = order;
  const { external_id: _id, ...unidentified } = order;
  const byNumber = { id: order_number, id_type: 'order_number' as const, trackings };
  const byId = { id: external_id, id_type: 'external_id' as const, trackings };
  try {
    return await upsert(shop, { ...byNumber, order }, now, options);
  } catch (error) {
    if (!isError(error, 'order_exists')) throw error;
    const holderId = await findOrderId(shop.slug, external_id, 'external_id');
    const holder = holderId && (await loadOrder(shop.slug, holderId));
    if (!holder) throw error;
    return hasDefaultId(holder)
      ? upsert(shop, { ...byNumber, order: unidentified }, now, options)
      : upsert(shop, { ...byId, order: unnumbered }, now, options);
  }
}

const maxAheadMs = secondsOfDays(1) * 1000;

/** A wrong clock of the shop's system must not make a state the last one for years. */
function inPresent(source: ConvertedOrder['source'], now: Date): ConvertedOrder['source'] {
  const limit = new Date(now.getTime() + maxAheadMs).toISOString();
  if (source.asOf < limit) return source;
  return { ...source, asOf: now.toISOString() + source.asOf.slice(limit.length) };
}

export const isError = (error: unknown, key: ErrorKey) => error instanceof ServiceError && error.key === key;
