import { enqueue, type QueuedDelivery } from '#domain/deliveries/delivery-store.ts';
import { dueRetries, removeRetries, retryShards, type WaitingRetry } from '#domain/deliveries/retry-store.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { NotEnqueued } from '#platform/queue.ts';

type Send = (messages: readonly QueuedDelivery[]) => Promise<void>;

/** The longest time that a thousand retries may take. With less time left, the others stay due. */
const neededMs = 10_000;

/**
 * Puts the deliveries whose next attempt is due on the queue, and then removes them from the list. If this dies in
 * between, the next round sends them again: a retry that has been made is recognised by its id.
 */
export async function sendDueRetries(now: Date, remainingMs: () => number, send: Send = enqueue): Promise<number> {
  const shards = Array.from({ length: retryShards }, (_, shard) => shard);
  const counts = await mapConcurrently(shards, (shard) => sendOfShard(shard, now, remainingMs, send));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function sendOfShard(shard: number, now: Date, remainingMs: () => number, send: Send): Promise<number> {
  let count = 0;
  for await (const retries of dueRetries(shard, now)) {
    if (remainingMs() < neededMs) break;
    const accepted = await acceptedOf(retries, send);
    await removeRetries(accepted);
    count += accepted.length;
  }
  return count;
}

async function acceptedOf(retries: readonly WaitingRetry[], send: Send): Promise<readonly WaitingRetry[]> {
  try {
    await send(retries.map(({ message }) => message));
    return retries;
  } catch (error) {
    if (!(error instanceof NotEnqueued)) throw error;
    const refused = new Set<object>(error.messages);
    return retries.filter(({ message }) => !refused.has(message));
  }
}
