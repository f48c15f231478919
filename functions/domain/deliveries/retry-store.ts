import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { chunks, mapConcurrently } from '#platform/batches.ts';
import { logger } from '#platform/logging.ts';
import { maxDelaySeconds } from '#platform/queue.ts';
import { table, tableName } from '#platform/table/client.ts';
import { indexKeyOf, keyOf, partitionOf } from '#platform/table/keys.ts';
import { itemsIn, type Key, queryPages } from '#platform/table/reads.ts';
import { shardIn } from '#platform/table/shards.ts';
import { ttlSeconds } from './delivery-rules.ts';
import { enqueue, type QueuedDelivery } from './delivery-store.ts';

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
  const Item = {
    ...keyOf.retry(message.shop_slug, message.delivery_id, dueAt),
    ...indexKeyOf.retries(shardIn('retries', message.delivery_id), dueAt),
    message,
    // If nobody sends it for as long as the delivery exists.
    expires_at: Math.floor(now.getTime() / 1000) + ttlSeconds,
  };
  await table.send(new PutCommand({ TableName: tableName(), Item }));
}

/** What is due in a shard, earliest first, a thousand at a time. */
export async function* dueRetries(shard: number, now: Date): AsyncGenerator<WaitingRetry[]> {
  const pages = queryPages({
    ...itemsIn(partitionOf.retries(shard), { index: 'lists', to: now.toISOString() }),
    Limit: 1000,
  });
  for await (const page of pages) yield page as unknown as WaitingRetry[];
}

/** DynamoDB takes this many writes in one request. */
const maxWrites = 25;
const maxConcurrentRequests = 4;

/** What is not removed is sent again in the next round, which does no harm. */
export async function removeRetries(retries: readonly WaitingRetry[]): Promise<void> {
  await mapConcurrently(chunks(retries, maxWrites), removeSome, maxConcurrentRequests);
}

async function removeSome(retries: readonly WaitingRetry[]): Promise<void> {
  const requests = retries.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
  const { UnprocessedItems = {} } = await table.send(
    new BatchWriteCommand({ RequestItems: { [tableName()]: requests } }),
  );
  const left = UnprocessedItems[tableName()]?.length ?? 0;
  if (left > 0) logger.warn('retries not removed', { retries: left });
}
