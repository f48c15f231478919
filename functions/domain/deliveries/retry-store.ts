import { maxDelaySeconds } from '#platform/queue.ts';
import { indexKeyOf, keyOf, partitionOf } from '#platform/table/keys.ts';
import { itemsIn, type Key, queryPages } from '#platform/table/reads.ts';
import { shardIn } from '#platform/table/shards.ts';
import { commit, put } from '#platform/table/writes.ts';
import { enqueue, type QueuedDelivery } from './delivery-messages.ts';
import { ttlSeconds } from './delivery-rules.ts';

/**
 * Deliveries whose next attempt is further away than the queue can hold a message back. They wait in the table, in a
 * list by the time when they are due, and drain sends them. The item of a wait has its own key, so that removing it
 * cannot remove the next one.
 */
export interface WaitingRetry extends Key {
  message: QueuedDelivery;
}

/** Sends a message for a delivery that is handed out after that many seconds. */
export async function sendLater(message: QueuedDelivery, seconds: number): Promise<void> {
  if (seconds > maxDelaySeconds) return keepRetry(message, seconds, new Date());
  try {
    await enqueue([message], { delaySeconds: seconds });
  } catch {
    // The queue is out of reach. The table can hold the message as well, and drain comes every minute.
    await keepRetry(message, seconds, new Date());
  }
}

export async function keepRetry(message: QueuedDelivery, seconds: number, now: Date): Promise<void> {
  const dueAt = new Date(now.getTime() + seconds * 1000).toISOString();
  const item = {
    ...keyOf.retry(message.shop_slug, message.delivery_id, dueAt),
    ...indexKeyOf.retries(shardIn('retries', message.delivery_id), dueAt),
    message,
    // If nobody sends it for as long as the delivery exists.
    expires_at: Math.floor(now.getTime() / 1000) + ttlSeconds,
  };
  await commit([put(item)]);
}

/** What is due in a shard, earliest first, a thousand at a time. */
export async function* dueRetries(shard: number, now: Date): AsyncGenerator<WaitingRetry[]> {
  const pages = queryPages({
    ...itemsIn(partitionOf.retries(shard), { index: 'lists', to: now.toISOString() }),
    Limit: 1000,
  });
  for await (const page of pages) yield page as unknown as WaitingRetry[];
}
