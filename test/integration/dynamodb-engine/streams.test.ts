import {
  DeleteItemCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type ShardIteratorType,
} from '@aws-sdk/client-dynamodb-streams';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RunningDynamoDb, startDynamoDb } from '#lib/local/dynamodb/server.ts';
import { clientFor, streamsClientFor } from './engines.ts';
import { createEventsTable } from './tables.ts';

const hour = 60 * 60 * 1000;
/** The background rounds are waited for longer than they take, for a machine that is busy. */
const SWEPT = { timeout: 10_000 };
const key = (sk = '1') => ({ pk: { S: 'order' }, sk: { N: sk } });
const withStream = (StreamViewType: 'KEYS_ONLY' | 'NEW_AND_OLD_IMAGES') => ({
  StreamSpecification: { StreamEnabled: true, StreamViewType },
});

let now: number;
let engine: RunningDynamoDb;
let client: DynamoDBClient;
let streams: DynamoDBStreamsClient;

beforeEach(async () => {
  now = Date.parse('2030-01-01T00:00:00Z');
  engine = await startDynamoDb({ file: ':memory:', now: () => now, sweepEveryMs: 10 });
  client = clientFor(engine.endpoint);
  streams = streamsClientFor(engine.endpoint);
});
afterEach(async () => {
  client.destroy();
  streams.destroy();
  await engine.stop();
});

async function streamOf(TableName: string) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const StreamArn = Table?.LatestStreamArn as string;
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  return { StreamArn, ShardId: StreamDescription?.Shards?.[0]?.ShardId as string };
}

async function iterator(TableName: string, type: ShardIteratorType, SequenceNumber?: string) {
  const position = { ShardIteratorType: type, ...(SequenceNumber && { SequenceNumber }) };
  const stream = await streamOf(TableName);
  const { ShardIterator } = await streams.send(new GetShardIteratorCommand({ ...stream, ...position }));
  return ShardIterator as string;
}

const read = (ShardIterator: string) => streams.send(new GetRecordsCommand({ ShardIterator }));
const readAll = async (TableName: string) => (await read(await iterator(TableName, 'TRIM_HORIZON'))).Records ?? [];
const put = (TableName: string, item: NonNullable<PutItemCommand['input']['Item']>) =>
  client.send(new PutItemCommand({ TableName, Item: item }));

test('a record is as large as its keys and its images', async () => {
  const both = await createEventsTable(client, withStream('NEW_AND_OLD_IMAGES'));
  const keysOnly = await createEventsTable(client, withStream('KEYS_ONLY'));
  for (const TableName of [both, keysOnly]) {
    await put(TableName, key());
    await put(TableName, { ...key(), a: { N: '1' } });
    await client.send(new DeleteItemCommand({ TableName, Key: key() }));
  }
  const sizesOf = async (table: string) => (await readAll(table)).map(({ dynamodb }) => dynamodb?.SizeBytes);
  expect(await sizesOf(both)).toEqual([22, 36, 25]);
  expect(await sizesOf(keysOnly)).toEqual([11, 11, 11]);
});

test('an update leaves the old image as it was, at every depth', async () => {
  const TableName = await createEventsTable(client, withStream('NEW_AND_OLD_IMAGES'));
  const before = {
    ...key(),
    a: { S: 'old' },
    b: { S: 'old' },
    m: { M: { x: { L: [{ S: 'old' }] }, y: { S: 'old' } } },
  };
  await put(TableName, before);
  const UpdateExpression = 'SET a = :new, m.x[0] = :new, c = :new REMOVE b, m.y';
  const ExpressionAttributeValues = { ':new': { S: 'new' } };
  await client.send(new UpdateItemCommand({ TableName, Key: key(), UpdateExpression, ExpressionAttributeValues }));
  const { OldImage, NewImage } = (await readAll(TableName))[1]!.dynamodb!;
  expect(OldImage).toEqual(before);
  expect(NewImage).toEqual({ ...key(), a: { S: 'new' }, c: { S: 'new' }, m: { M: { x: { L: [{ S: 'new' }] } } } });
});

test('a stream tells of inserts, changes and removals in order, with both images', async () => {
  const TableName = await createEventsTable(client, withStream('NEW_AND_OLD_IMAGES'));
  await put(TableName, key());
  await put(TableName, { ...key(), a: { N: '1' } });
  await client.send(new DeleteItemCommand({ TableName, Key: key() }));
  const records = await readAll(TableName);
  expect(records.map((record) => record.eventName)).toEqual(['INSERT', 'MODIFY', 'REMOVE']);
  expect(records[1]?.dynamodb).toMatchObject({
    Keys: key(),
    OldImage: key(),
    NewImage: { ...key(), a: { N: '1' } },
    StreamViewType: 'NEW_AND_OLD_IMAGES',
  });
  const numbers = records.map((record) => BigInt(record.dynamodb?.SequenceNumber ?? 0));
  expect(numbers[0]! < numbers[1]! && numbers[1]! < numbers[2]!).toBe(true);
});

test('a write that changes nothing leaves no record, nor does a cancelled transaction', async () => {
  const TableName = await createEventsTable(client, withStream('KEYS_ONLY'));
  await put(TableName, { ...key(), tags: { SS: ['a', 'b'] } });
  await put(TableName, { ...key(), tags: { SS: ['b', 'a'] } });
  await client.send(new DeleteItemCommand({ TableName, Key: key('404') }));
  const cancelled = client.send(
    new TransactWriteItemsCommand({
      TransactItems: [
        { Put: { TableName, Item: key('2') } },
        { ConditionCheck: { TableName, Key: key('3'), ConditionExpression: 'attribute_exists(pk)' } },
      ],
    }),
  );
  await expect(cancelled).rejects.toMatchObject({ name: 'TransactionCanceledException' });
  const records = await readAll(TableName);
  expect(records).toHaveLength(1);
  expect(records[0]?.dynamodb).toMatchObject({ Keys: key() });
  expect(records[0]?.dynamodb).not.toHaveProperty('NewImage');
});

test('an iterator starts at, after, or behind everything, and goes on', async () => {
  const TableName = await createEventsTable(client, withStream('KEYS_ONLY'));
  await put(TableName, key('1'));
  await put(TableName, key('2'));
  const second = (await readAll(TableName))[1]?.dynamodb?.SequenceNumber as string;
  const latest = await iterator(TableName, 'LATEST');
  await put(TableName, key('3'));
  const keysFrom = async (from: string) => (await read(from)).Records?.map((record) => record.dynamodb?.Keys?.sk?.N);
  expect(await keysFrom(await iterator(TableName, 'AT_SEQUENCE_NUMBER', second))).toEqual(['2', '3']);
  expect(await keysFrom(await iterator(TableName, 'AFTER_SEQUENCE_NUMBER', second))).toEqual(['3']);
  expect(await keysFrom(latest)).toEqual(['3']);
  const { NextShardIterator } = await read(latest);
  expect(await keysFrom(NextShardIterator as string)).toEqual([]);
});

test('an expired item is deleted by the service, and the stream says so', async () => {
  const TableName = await createEventsTable(client, withStream('NEW_AND_OLD_IMAGES'));
  await client.send(
    new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } }),
  );
  const inAnHour = { N: String(Math.floor((now + hour) / 1000)) };
  await put(TableName, { ...key('1'), ttl: inAnHour });
  await put(TableName, { ...key('2'), ttl: { S: 'never' } });
  now += 2 * hour;
  const removal = await vi.waitFor(async () => {
    const record = (await readAll(TableName)).find(({ eventName }) => eventName === 'REMOVE');
    expect(record).toBeDefined();
    return record;
  }, SWEPT);
  expect(removal).toMatchObject({
    userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' },
    dynamodb: { OldImage: { ...key('1'), ttl: inAnHour } },
  });
  const left = await client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'order' } },
    }),
  );
  expect(left.Items?.map((item) => item.sk?.N)).toEqual(['2']);
});

test('records are trimmed after a day, and their numbers are not used again', async () => {
  const TableName = await createEventsTable(client, withStream('KEYS_ONLY'));
  await put(TableName, key('1'));
  const old = (await readAll(TableName))[0]?.dynamodb?.SequenceNumber as string;
  now += 25 * hour;
  await vi.waitFor(async () => expect(await readAll(TableName)).toEqual([]), SWEPT);
  await put(TableName, key('2'));
  const fresh = (await readAll(TableName))[0]?.dynamodb?.SequenceNumber as string;
  expect(BigInt(fresh) > BigInt(old)).toBe(true);
  const late = iterator(TableName, 'AT_SEQUENCE_NUMBER', old);
  await expect(late).rejects.toMatchObject({ name: 'TrimmedDataAccessException' });
});

test('an iterator expires after 15 minutes', async () => {
  const TableName = await createEventsTable(client, withStream('KEYS_ONLY'));
  const held = await iterator(TableName, 'LATEST');
  now += hour;
  await expect(read(held)).rejects.toMatchObject({ name: 'ExpiredIteratorException' });
});

test('a stopped stream is read to its end; a new one starts empty', async () => {
  const TableName = await createEventsTable(client, withStream('KEYS_ONLY'));
  await put(TableName, key('1'));
  const first = await iterator(TableName, 'TRIM_HORIZON');
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification: { StreamEnabled: false } }));
  await put(TableName, key('2'));
  const page = await read(first);
  expect(page.Records).toHaveLength(1);
  const end = await read(page.NextShardIterator as string);
  expect(end).toMatchObject({ Records: [] });
  expect(end.NextShardIterator).toBeUndefined();
  await client.send(new UpdateTableCommand({ TableName, ...withStream('NEW_AND_OLD_IMAGES') }));
  expect(await readAll(TableName)).toEqual([]);
});
