import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { chunks } from '#platform/batches.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import { attributes, type IndexName, indexes } from '#schemas/catalogues/table.ts';
import { table, tableName } from './client.ts';

export interface Key {
  pk: string;
  sk: string;
}

type Item = Record<string, unknown>;

/** DynamoDB reads this many items in one request. */
const maxKeys = 100;

interface ReadOptions {
  /** False: what was written in the last moments may be missing, for half the price. */
  ConsistentRead?: boolean;
  /** Besides the keys. All if absent. They make a response smaller, not cheaper. */
  attributes?: readonly string[];
}

/** Reads items consistently, in the order of their keys. An item that does not exist is undefined. */
export async function batchGet(keys: readonly Key[], options: ReadOptions = {}): Promise<(Item | undefined)[]> {
  return (await Promise.all(chunks(keys, maxKeys).map((part) => getBatch(part, options)))).flat();
}

/** Undefined if it does not exist. */
export async function getItem<T = Item>(key: Key): Promise<T | undefined> {
  const [item] = await batchGet([key]);
  return item as T | undefined;
}

/**
 * DynamoDB may return some keys of a batch as unprocessed. The SDK's paginatedBatchGet requests them again without a
 * pause and without end.
 */
async function getBatch(
  keys: readonly Key[],
  { ConsistentRead = true, attributes }: ReadOptions,
): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>();
  const ProjectionExpression = attributes && ['pk', 'sk', ...attributes].join(', ');
  let request: BatchGetCommandInput['RequestItems'] = {
    [tableName()]: { Keys: [...keys], ConsistentRead, ...(ProjectionExpression && { ProjectionExpression }) },
  };
  for (let emptyResponses = 0; emptyResponses < 4; emptyResponses++) {
    if (emptyResponses > 0) await pause(25 * 2 ** emptyResponses);
    const result: BatchGetCommandOutput = await table.send(new BatchGetCommand({ RequestItems: request }));
    const items = result.Responses?.[tableName()] ?? [];
    for (const item of items) found.set(keyText(item as Key), item);
    if (items.length > 0) emptyResponses = 0; // a response has at most 16 MB, so this is progress
    request = result.UnprocessedKeys ?? {};
    if (Object.keys(request).length === 0) return keys.map((key) => found.get(keyText(key)));
  }
  throw Object.assign(new Error('DynamoDB did not process all keys of a batch.'), { name: 'ThrottlingException' });
}

/** A unique text for a key. */
export const keyText = ({ pk, sk }: Key) => JSON.stringify([pk, sk]);

type Query = Omit<QueryCommandInput, 'TableName'>;

interface KeyRange {
  /** The table itself if absent. */
  index?: IndexName;
  /** Of the sort keys. */
  prefix?: string;
  /** The first and the last sort key, both included. */
  from?: string;
  to?: string;
}

/** The part of a query that says where it reads: in a partition, or in a range of its sort keys. */
export function itemsIn(partition: string, { index, ...range }: KeyRange = {}) {
  const { partition: pk, sort: sk } = index ? indexes[index] : attributes;
  const values = Object.entries({ partition, ...range }).map(([name, value]) => [`:${name}`, value]);
  return {
    ...(index && { IndexName: index }),
    KeyConditionExpression: [`${pk} = :partition`, ...conditionsOf(sk, range)].join(' AND '),
    ExpressionAttributeValues: Object.fromEntries(values) as Record<string, unknown>,
  };
}

function conditionsOf(sk: string, { prefix, from, to }: KeyRange): string[] {
  if (prefix !== undefined) return [`begins_with(${sk}, :prefix)`];
  if (from !== undefined && to !== undefined) return [`${sk} BETWEEN :from AND :to`];
  return [...(from === undefined ? [] : [`${sk} >= :from`]), ...(to === undefined ? [] : [`${sk} <= :to`])];
}

export async function* queryPages(query: Query): AsyncGenerator<Item[]> {
  const pages = paginateQuery({ client: table }, { ...query, TableName: tableName() });
  for await (const { Items = [] } of pages) yield Items;
}

export async function queryAll<T>(query: Query): Promise<T[]> {
  const items: Item[] = [];
  for await (const page of queryPages(query)) items.push(...page);
  return items as T[];
}

/** As the last write left them. */
export const allItemsIn = <T>(partition: string, range?: KeyRange): Promise<T[]> =>
  queryAll<T>({ ...itemsIn(partition, range), ConsistentRead: true });

/** Like `queryAll`, for a list that its callers can make long. Throws `tooMuch` where a request has to stop reading. */
export async function queryAllWithin<T>(query: Query, tooMuch: () => Error): Promise<T[]> {
  const items: Item[] = [];
  let reads = 0;
  for await (const page of queryPages(query)) {
    if (page.length > 0 && reads++ === searchLimits.reads) throw tooMuch();
    items.push(...page);
  }
  return items as T[];
}
