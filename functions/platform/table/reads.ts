import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { chunks } from '#platform/batches.ts';
import { table, tableName } from './client.ts';

export interface Key {
  pk: string;
  sk: string;
}

type Item = Record<string, unknown>;

/** What DynamoDB reads in one request. */
const maxKeys = 100;

/** Consistent read of items, in the order of their keys; undefined where there is none. */
export async function batchGet(keys: readonly Key[]): Promise<(Item | undefined)[]> {
  return (await Promise.all(chunks(keys, maxKeys).map(getBatch))).flat();
}

/** DynamoDB may leave keys of a batch unread. The SDK's paginatedBatchGet asks for them again, but for ever and at once. */
async function getBatch(keys: readonly Key[]): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>();
  let request: BatchGetCommandInput['RequestItems'] = { [tableName()]: { Keys: [...keys], ConsistentRead: true } };
  for (let idle = 0; idle < 4; idle++) {
    if (idle > 0) await pause(25 * 2 ** idle);
    const result: BatchGetCommandOutput = await table.send(new BatchGetCommand({ RequestItems: request }));
    const items = result.Responses?.[tableName()] ?? [];
    for (const item of items) found.set(nameOf(item as Key), item);
    if (items.length > 0) idle = 0; // an answer holds 16 MB at most: going on is progress
    request = result.UnprocessedKeys ?? {};
    if (Object.keys(request).length === 0) return keys.map((key) => found.get(nameOf(key)));
  }
  throw Object.assign(new Error('Keys of a batch stayed unread.'), { name: 'ThrottlingException' });
}

/** Tells one key from every other. */
export const nameOf = ({ pk, sk }: Key) => JSON.stringify([pk, sk]);

type Query = Omit<QueryCommandInput, 'TableName'>;

/** The pages of a query, one after the other, until its end or until the caller has enough. */
export async function* queryPages(query: Query): AsyncGenerator<Item[]> {
  const pages = paginateQuery({ client: table }, { ...query, TableName: tableName() });
  for await (const { Items = [] } of pages) yield Items;
}

export async function queryAll<T>(query: Query): Promise<T[]> {
  const items: Item[] = [];
  for await (const page of queryPages(query)) items.push(...page);
  return items as T[];
}
