import { type DeliveryFilter, listDeliveries } from '#domain/deliveries/delivery-store.ts';
import type { Delivery } from '#domain/deliveries/model.ts';
import type { ReadPart } from '#platform/table/list-walk.ts';

/** The deliveries of an endpoint, newest first, as a list to walk. */
export function readerOf(slug: string, target: string, filter: DeliveryFilter): ReadPart<Delivery> {
  return async (limit, before) => {
    const { deliveries, next } = await listDeliveries(slug, target, { ...filter, limit, before });
    return { entries: deliveries, next };
  };
}
