import { type DeliverySource, newDelivery, type Target } from '#domain/deliveries/delivery-items.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { shardIn, shardsOf } from '#platform/table/shards.ts';

/**
 * The n-th delivery of a list whose deliveries take turns in its partitions. Where a delivery lies follows from its id, and
 * the id from the target, which is random: without this, what a list costs would depend on chance.
 */
export function deliveryInShard(
  n: number,
  source: Omit<DeliverySource, 'subject_id'>,
  target: Target,
  now: Date,
): Delivery {
  const shards = shardsOf('deliveries');
  for (let parcel = 0; ; parcel++) {
    const delivery = newDelivery({ ...source, subject_id: `parcel-${parcel}` }, target, now);
    if (shardIn('deliveries', delivery.id) === shards[n % shards.length]) return delivery;
  }
}
