import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { table, tableName } from './client.ts';

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
type Item = Record<string, unknown>;

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
