import { lastIdAt } from '#domain/deliveries/delivery-items.ts';
import { isEnded } from '#domain/deliveries/delivery-rules.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { deliveriesOf, deliveryPrefix, keyOf, retriesOf } from '#platform/table/keys.ts';
import { itemsIn, type Key, keyText, queryPages } from '#platform/table/reads.ts';
import { shardsOf } from '#platform/table/shards.ts';
import { keysIn, removeKeys, removePayloads, type Sweep } from './sweep.ts';

type ListedDelivery = Key & Parameters<typeof isEnded>[0] & { id: string; payload_id: string };

const deliveriesOfPage = 50;

/**
 * Removes the deliveries to a target, of events up to that time, with what they send and what makes them be sent. All
 * deliveries of an event are equally old, so what they share goes with the first of them. False if the time was over before.
 */
export async function removeDeliveries(sweep: Sweep, target: string, upTo?: Date): Promise<boolean> {
  for (const shard of shardsOf('deliveries')) {
    const to = deliveryPrefix + (upTo ? lastIdAt(upTo) : '~');
    const pages = queryPages({
      ...itemsIn(deliveriesOf(sweep.slug, target, shard), { from: deliveryPrefix, to }),
      ProjectionExpression: 'pk, sk, id, payload_id, #status',
      ExpressionAttributeNames: { '#status': 'status' },
      Limit: deliveriesOfPage,
    });
    for await (const page of pages) {
      await removePage(sweep, page as unknown as ListedDelivery[], upTo !== undefined);
      if (page.length > 0 && sweep.turn.isOver()) return false;
    }
  }
  return true;
}

async function removePage(sweep: Sweep, deliveries: readonly ListedDelivery[], keepsMarks: boolean): Promise<void> {
  const payloads = deliveries.map(({ payload_id }) => keyOf.payload(sweep.slug, payload_id));
  await removePayloads(sweep, distinct(payloads), { keepsMarks });
  const waiting = deliveries.filter((delivery) => !isEnded(delivery));
  const retries = await mapConcurrently(waiting, ({ id }) => keysIn(retriesOf(sweep.slug, id)), 8);
  await removeKeys(sweep, retries.flat());
  await removeKeys(sweep, deliveries);
}

const distinct = (keys: readonly Key[]): Key[] => [...new Map(keys.map((key) => [keyText(key), key])).values()];
