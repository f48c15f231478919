import type { ShopIdentity } from '#domain/orders/model.ts';
import { cancelOrder } from '#domain/orders/record-event.ts';
import { type Upserted, upsert } from '#domain/orders/upsert.ts';
import type { ConvertedOrder } from '#domain/shop-systems/reading.ts';
import { ServiceError } from '#platform/errors.ts';
import type { ErrorKey } from '#schemas/catalogues/errors.ts';

/** Stores an order of the shop's own system. It may come late or again: the rules of the upsert decide what that changes. */
export async function storeConverted(shop: ShopIdentity, converted: ConvertedOrder, now: Date): Promise<void> {
  const { orderId, cancelledAt } = await upsertConverted(shop, converted, now);
  // What comes late may add parcels to an order that is cancelled already.
  if (cancelledAt !== undefined) await cancelOrder(shop, orderId, cancelledAt, now);
}

/**
 * Finds the order by its number. A merchant who also sends orders to us may number them in another way: then the id in
 * the shop's system decides, and the merchant's number stays.
 */
async function upsertConverted(
  shop: ShopIdentity,
  { order, trackings, source, cancelledAt, unread }: ConvertedOrder,
  now: Date,
): Promise<Upserted> {
  const { order_number, external_id } = order;
  const options = { told: { source, cancelledAt, unread }, leavesOutFullParcels: true };
  try {
    return await upsert(shop, { id: order_number, id_type: 'order_number', order, trackings }, now, options);
  } catch (error) {
    if (!isError(error, 'order_exists')) throw error;
    const { order_number: _theirs, ...unnumbered } = order;
    return upsert(shop, { id: external_id, id_type: 'external_id', order: unnumbered, trackings }, now, options);
  }
}

export const isError = (error: unknown, key: ErrorKey) => error instanceof ServiceError && error.key === key;
