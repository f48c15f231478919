import { setTimeout as pause } from 'node:timers/promises';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { chunks, mapConcurrently } from '#platform/batches.ts';
import { table, tableName } from './client.ts';
import type { Key } from './reads.ts';
import { remove, tryCommit } from './writes.ts';

/** DynamoDB takes this many writes in one request. */
const maxWrites = 25;
const maxConcurrentRequests = 4;
const maxTries = 6;

/**
 * Removes items, whatever is in them. An item that does not exist does no harm. Only for keys that nobody else can ever use:
 * a batch has no conditions.
 */
export async function removeAll(keys: readonly Key[]): Promise<void> {
  await mapConcurrently(chunks(keys, maxWrites), removeSome, maxConcurrentRequests);
}

/** Removes those of the items that belong to the order. */
export async function removeAllOf(orderId: string, keys: readonly Key[]): Promise<void> {
  await mapConcurrently(
    keys,
    (key) => removeIf(key, 'order_id = :order', { ':order': orderId }),
    maxConcurrentRequests,
  );
}

/** False if the item does not exist, or does not meet the condition. */
export const removeIf = ({ pk, sk }: Key, condition: string, values: Record<string, unknown>): Promise<boolean> =>
  tryCommit([remove({ pk, sk }, condition, values)]);

async function removeSome(keys: readonly Key[]): Promise<void> {
  let requests = keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })) as object[];
  for (let tries = 0; tries < maxTries; tries++) {
    if (tries > 0) await pause(25 * 2 ** tries);
    const { UnprocessedItems = {} } = await table.send(
      new BatchWriteCommand({ RequestItems: { [tableName()]: requests as never } }),
    );
    requests = UnprocessedItems[tableName()] ?? [];
    if (requests.length === 0) return;
  }
  throw Object.assign(new Error('DynamoDB did not process all writes of a batch.'), { name: 'ThrottlingException' });
}
