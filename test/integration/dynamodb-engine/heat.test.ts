import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { KeyHeat } from '#lib/local/dynamodb/capacity.ts';
import { type RunningDynamoDb, startDynamoDb } from '#lib/local/dynamodb/server.ts';

interface Answer {
  ConsumedCapacity?: Consumed | Consumed[];
  Heat?: KeyHeat[];
}

interface Consumed {
  CapacityUnits: number;
  Table: { CapacityUnits: number };
  GlobalSecondaryIndexes?: Record<string, { CapacityUnits: number }>;
}

const TableName = 'orders';
let engine: RunningDynamoDb;
let count = 0;

beforeAll(async () => {
  engine = await startDynamoDb({ file: ':memory:' });
  const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });
  const keys = (HASH: string, RANGE: string) => [
    { AttributeName: HASH, KeyType: 'HASH' },
    { AttributeName: RANGE, KeyType: 'RANGE' },
  ];
  engine.perform('DynamoDB_20120810.CreateTable', {
    TableName,
    AttributeDefinitions: ['pk', 'sk', 'list', 'at'].map(text),
    KeySchema: keys('pk', 'sk'),
    BillingMode: 'PAY_PER_REQUEST',
    GlobalSecondaryIndexes: [
      { IndexName: 'byTime', KeySchema: keys('list', 'at'), Projection: { ProjectionType: 'KEYS_ONLY' } },
    ],
  });
});
afterAll(() => engine.stop());

let pk: string;
beforeEach(() => {
  pk = `ORDER#${++count}`;
});

const ask = (operation: string, request: object): Answer =>
  engine.perform(`DynamoDB_20120810.${operation}`, { ReturnConsumedCapacity: 'INDEXES', ...request }) as Answer;

/** The units by key. They must be those that the answer reports in all. */
function heatOf(operation: string, request: object): KeyHeat[] {
  const { ConsumedCapacity, Heat = [] } = ask(operation, { ...request, ReturnHeat: true });
  const places = new Map<string, number>();
  for (const { place, units } of Heat) places.set(place, (places.get(place) ?? 0) + units);
  const reported = new Map<string, number>();
  for (const { Table, GlobalSecondaryIndexes = {} } of [ConsumedCapacity!].flat()) {
    if (Table.CapacityUnits > 0) reported.set('table', Table.CapacityUnits);
    for (const [name, { CapacityUnits }] of Object.entries(GlobalSecondaryIndexes)) reported.set(name, CapacityUnits);
  }
  expect(places).toEqual(reported);
  return Heat;
}

const item = (sk: string, fields: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries({ pk, sk, ...fields }).map(([name, S]) => [name, { S }]));
const put = (Item: object) => heatOf('PutItem', { TableName, Item });
const kilobytes = (n: number) => 'x'.repeat(n * 1024);

test('a write heats its key of the table by its size, and its key of each index that it is in', () => {
  expect(put(item('A', { note: kilobytes(2) }))).toEqual([{ place: 'table', key: pk, units: 3 }]);
  expect(put(item('B', { list: 'LIST#1', at: '1' }))).toEqual([
    { place: 'table', key: pk, units: 1 },
    { place: 'byTime', key: 'LIST#1', units: 1 },
  ]);
});

test('an entry that moves in an index is deleted and put: both heat, in their own partitions', () => {
  put(item('A', { list: 'LIST#1', at: '1' }));
  expect(put(item('A', { list: 'LIST#1', at: '2' })).slice(1)).toEqual([
    { place: 'byTime', key: 'LIST#1', units: 1 },
    { place: 'byTime', key: 'LIST#1', units: 1 },
  ]);
  expect(put(item('A', { list: 'LIST#2', at: '2' })).slice(1)).toEqual([
    { place: 'byTime', key: 'LIST#1', units: 1 },
    { place: 'byTime', key: 'LIST#2', units: 1 },
  ]);
  expect(put(item('A', { list: 'LIST#2', at: '2', note: 'not in the index' })).slice(1)).toEqual([]);
});

test('a transaction heats twice in the table and once in an index, also where it only checks', () => {
  put(item('B'));
  const check = { TableName, Key: item('B'), ConditionExpression: 'attribute_exists(pk)' };
  const TransactItems = [{ Put: { TableName, Item: item('A', { list: 'L', at: '1' }) } }, { ConditionCheck: check }];
  expect(heatOf('TransactWriteItems', { TransactItems })).toEqual([
    { place: 'table', key: pk, units: 2 },
    { place: 'byTime', key: 'L', units: 1 },
    { place: 'table', key: pk, units: 2 },
  ]);
});

test('a read heats by the size of what it read, twice as much if it is consistent', () => {
  put(item('A', { note: kilobytes(5) }));
  const Key = item('A');
  expect(heatOf('GetItem', { TableName, Key })).toEqual([{ place: 'table', key: pk, units: 1 }]);
  expect(heatOf('GetItem', { TableName, Key, ConsistentRead: true })[0]?.units).toBe(2);
  expect(heatOf('BatchGetItem', { RequestItems: { [TableName]: { Keys: [Key] } } })[0]?.units).toBe(1);
  expect(heatOf('TransactGetItems', { TransactItems: [{ Get: { TableName, Key } }] })[0]?.units).toBe(4);
});

test('a query heats the key that it asks for, in the table or in the index', () => {
  put(item('A', { list: 'LIST#9', at: '1', note: kilobytes(9) }));
  const values = (S: string) => ({ ExpressionAttributeValues: { ':key': { S } } });
  expect(heatOf('Query', { TableName, KeyConditionExpression: 'pk = :key', ...values(pk) })).toEqual([
    { place: 'table', key: pk, units: 1.5 },
  ]);
  const ofIndex = { IndexName: 'byTime', KeyConditionExpression: '#list = :key' };
  const names = { ExpressionAttributeNames: { '#list': 'list' } };
  expect(heatOf('Query', { TableName, ...ofIndex, ...names, ...values('LIST#9') })).toEqual([
    { place: 'byTime', key: 'LIST#9', units: 0.5 },
  ]);
});

test('what fails heats nothing, and an answer has no heat unless the request asks for it', () => {
  const Item = item('A');
  const failing = { TableName, Item, ConditionExpression: 'attribute_exists(pk)', ReturnHeat: true };
  expect(() => ask('PutItem', failing)).toThrow('conditional');
  expect(ask('PutItem', { TableName, Item })).not.toHaveProperty('Heat');
});
