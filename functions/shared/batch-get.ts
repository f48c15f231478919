import { setTimeout as pause } from 'node:timers/promises';
import { BatchGetCommand, type BatchGetCommandInput, type BatchGetCommandOutput } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from './table.ts';

export interface Key {
  pk: string;
  sk: string;
}

/**
 * Consistent read of up to 100 items, in the order of their keys; undefined where there is none. DynamoDB may leave
 * keys of a batch unread, and the SDK does not ask again.
 */
export async function batchGet(keys: readonly Key[]): Promise<(Record<string, unknown> | undefined)[]> {
  const found = new Map<string, Record<string, unknown>>();
  let request: BatchGetCommandInput['RequestItems'] = { [tableName()]: { Keys: [...keys], ConsistentRead: true } };
  for (let attempt = 0; attempt < 4; attempt++) {
    if (attempt > 0) await pause(25 * 2 ** attempt);
    const result: BatchGetCommandOutput = await table.send(new BatchGetCommand({ RequestItems: request }));
    for (const item of result.Responses?.[tableName()] ?? []) found.set(nameOf(item as Key), item);
    request = result.UnprocessedKeys ?? {};
    if (Object.keys(request).length === 0) return keys.map((key) => found.get(nameOf(key)));
  }
  throw Object.assign(new Error('Keys of a batch stayed unread.'), { name: 'ThrottlingException' });
}

const nameOf = ({ pk, sk }: Key) => JSON.stringify([pk, sk]);
