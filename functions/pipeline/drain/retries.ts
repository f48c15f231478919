import { enqueue, type QueuedDelivery } from '#domain/deliveries/delivery-store.ts';
import { dueRetries, removeRetries, type WaitingRetry } from '#domain/deliveries/retry-store.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { NotEnqueued } from '#platform/queue.ts';
import { shardsOf } from '#platform/table/shards.ts';

type Send = (messages: readonly QueuedDelivery[]) => Promise<void>;

/** The longest time that a thousand retries may take. With less time left, the others stay due. */
const neededMs = 10_000;

export interface SentRetries {
  sent: number;
  /** Those that the queue did not accept. They stay due. */
  refused: number;
}

/**
 * Puts the deliveries whose next attempt is due on the queue, and then removes them from the list. If this dies in
 * between, the next round sends them again. A retry whose attempt is recorded is recognised by its id. If the first
 * message is still being attempted when the second one comes, the target gets the delivery twice, with the same id.
 */
export async function sendDueRetries(now: Date, remainingMs: () => number, send: Send = enqueue): Promise<SentRetries> {
  const counts = await mapConcurrently(shardsOf('retries'), (shard) => sendOfShard(shard, now, remainingMs, send));
  const sumOf = (name: keyof SentRetries) => counts.reduce((sum, count) => sum + count[name], 0);
  return { sent: sumOf('sent'), refused: sumOf('refused') };
}

async function sendOfShard(shard: number, now: Date, remainingMs: () => number, send: Send): Promise<SentRetries> {
  const count: SentRetries = { sent: 0, refused: 0 };
  for await (const retries of dueRetries(shard, now)) {
    if (remainingMs() < neededMs) break;
    const accepted = await acceptedOf(retries, send);
    await removeRetries(accepted);
    count.sent += accepted.length;
    count.refused += retries.length - accepted.length;
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
