import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  BatchGetItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningDynamoDb, startDynamoDb } from '#lib/local/dynamodb/server.ts';
import { clientFor } from './engines.ts';
import { createEventsTable } from './tables.ts';

const serverModule = fileURLToPath(new URL('../../../lib/local/dynamodb/server.ts', import.meta.url));
const key = (sk = '1') => ({ pk: { S: 'order' }, sk: { N: sk } });

let folder: string;
let file: string;
let engine: RunningDynamoDb;
let client: DynamoDBClient;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dynamodb-engine-'));
  file = join(folder, 'tables.sqlite');
  engine = await startDynamoDb({ file });
  client = clientFor(engine.endpoint);
});
afterEach(async () => {
  client.destroy();
  await engine.stop();
  await rm(folder, { recursive: true });
});

async function restart(): Promise<void> {
  await engine.stop();
  engine = await startDynamoDb({ file });
  client.destroy();
  client = clientFor(engine.endpoint);
}

const post = (target: string, body: string) =>
  fetch(engine.endpoint, { method: 'POST', headers: { 'x-amz-target': target }, body });

test('tables, items and settings are there after a restart', async () => {
  const TableName = await createEventsTable(client);
  await client.send(
    new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } }),
  );
  await client.send(new PutItemCommand({ TableName, Item: key() }));
  await restart();
  const { Item } = await client.send(new GetItemCommand({ TableName, Key: key() }));
  expect(Item).toEqual(key());
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' });
});

test('an acknowledged write survives the kill of the process', async () => {
  const killed = join(folder, 'killed.sqlite');
  const program = `
    const { startDynamoDb } = await import(${JSON.stringify(serverModule)});
    console.log((await startDynamoDb({ file: ${JSON.stringify(killed)} })).endpoint);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const first = clientFor(line.toString().trim());
  const TableName = await createEventsTable(first);
  for (let n = 0; n < 20; n += 1) await first.send(new PutItemCommand({ TableName, Item: key(String(n)) }));
  child.kill('SIGKILL');
  await exited;
  first.destroy();

  const again = await startDynamoDb({ file: killed });
  const second = clientFor(again.endpoint);
  const { Count } = await second.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'order' } },
    }),
  );
  second.destroy();
  await again.stop();
  expect(Count).toBe(20);
});

test('a second engine on the same file is refused', async () => {
  await expect(startDynamoDb({ file })).rejects.toThrow(/locked/);
});

test('a new index holds the items that were there before it', async () => {
  const TableName = await createEventsTable(client);
  await client.send(new PutItemCommand({ TableName, Item: { ...key(), carrier: { S: 'dhl' } } }));
  await client.send(new PutItemCommand({ TableName, Item: { ...key('2'), carrier: { N: '5' } } }));
  await client.send(
    new UpdateTableCommand({
      TableName,
      AttributeDefinitions: [{ AttributeName: 'carrier', AttributeType: 'S' }],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'byCarrier',
            KeySchema: [{ AttributeName: 'carrier', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        },
      ],
    }),
  );
  const byCarrier = new QueryCommand({
    TableName,
    IndexName: 'byCarrier',
    KeyConditionExpression: 'carrier = :c',
    ExpressionAttributeValues: { ':c': { S: 'dhl' } },
  });
  expect((await client.send(byCarrier)).Items).toEqual([{ ...key(), carrier: { S: 'dhl' } }]);
  await client.send(
    new UpdateTableCommand({
      TableName,
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byCarrier' } }],
    }),
  );
  await expect(client.send(byCarrier)).rejects.toMatchObject({ name: 'ValidationException' });
});

test('a failed change of a table leaves it as it was', async () => {
  const TableName = await createEventsTable(client);
  const before = await client.send(new DescribeTableCommand({ TableName }));
  const attempt = client.send(
    new UpdateTableCommand({
      TableName,
      DeletionProtectionEnabled: true,
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'byNothing',
            KeySchema: [{ AttributeName: 'undefined', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    }),
  );
  await expect(attempt).rejects.toMatchObject({ name: 'ValidationException' });
  expect((await client.send(new DescribeTableCommand({ TableName }))).Table).toEqual(before.Table);
});

test('a protected table is not deleted', async () => {
  const TableName = await createEventsTable(client, { DeletionProtectionEnabled: true });
  const remove = new DeleteTableCommand({ TableName });
  await expect(client.send(remove)).rejects.toMatchObject({ name: 'ValidationException' });
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await client.send(remove);
  const describe = client.send(new DescribeTableCommand({ TableName }));
  await expect(describe).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('removing through a parent that is not there is refused, as AWS does', async () => {
  const TableName = await createEventsTable(client);
  await client.send(new PutItemCommand({ TableName, Item: { ...key(), doc: { M: {} } } }));
  const remove = (UpdateExpression: string) =>
    client.send(new UpdateItemCommand({ TableName, Key: key(), UpdateExpression }));
  await expect(remove('REMOVE absent.child')).rejects.toMatchObject({ name: 'ValidationException' });
  await expect(remove('REMOVE doc.child')).resolves.toBeDefined();
});

test('list positions in one update mean those of the list before it', async () => {
  const TableName = await createEventsTable(client);
  const steps = { L: ['a', 'b', 'c', 'd'].map((S) => ({ S })) };
  await client.send(new PutItemCommand({ TableName, Item: { ...key(), steps } }));
  const { Attributes } = await client.send(
    new UpdateItemCommand({
      TableName,
      Key: key(),
      UpdateExpression: 'REMOVE steps[0], steps[2] SET steps[9] = :z, steps[8] = :y',
      ExpressionAttributeValues: { ':y': { S: 'y' }, ':z': { S: 'z' } },
      ReturnValues: 'ALL_NEW',
    }),
  );
  expect(Attributes?.steps).toEqual({ L: ['b', 'd', 'y', 'z'].map((S) => ({ S })) });
});

test('attribute names of JavaScript objects are ordinary names', async () => {
  const TableName = await createEventsTable(client);
  const body = (item: string) => `{"TableName":"${TableName}","Item":{"pk":{"S":"order"},"sk":{"N":"1"}${item}}}`;
  await post('DynamoDB_20120810.PutItem', body(',"__proto__":{"S":"p"}'));
  const answer = await post(
    'DynamoDB_20120810.UpdateItem',
    JSON.stringify({
      TableName,
      Key: key(),
      UpdateExpression: 'SET seen = if_not_exists(toString, :none), own = #p',
      ExpressionAttributeNames: { '#p': '__proto__' },
      ExpressionAttributeValues: { ':none': { S: 'none' } },
      ReturnValues: 'ALL_NEW',
    }),
  );
  expect(await answer.text()).toContain('"seen":{"S":"none"},"own":{"S":"p"}');
});

test.each<[string, string, string, string]>([
  ['no JSON', 'DynamoDB_20120810.GetItem', '{', 'SerializationException'],
  ['a list', 'DynamoDB_20120810.GetItem', '[]', 'SerializationException'],
  ['an operation that is none', 'DynamoDB_20120810.DropAll', '{}', 'UnknownOperationException'],
  ['a name of Object', 'DynamoDB_20120810.constructor', '{}', 'UnknownOperationException'],
  ['a table name of another type', 'DynamoDB_20120810.GetItem', '{"TableName":7}', 'SerializationException'],
  ['an iterator that is none', 'DynamoDBStreams_20120810.GetRecords', '{"ShardIterator":"x"}', 'ValidationException'],
])('%s is answered, not fatal', async (_, target, body, type) => {
  const answer = await post(target, body);
  expect(answer.status).toBe(400);
  expect(((await answer.json()) as { __type: string }).__type).toMatch(new RegExp(`#${type}$`));
});

test('deep nesting is refused, in values and in expressions', async () => {
  const TableName = await createEventsTable(client);
  const nested = `${'{"L":['.repeat(2000)}${']}'.repeat(2000)}`;
  const deep = await post(
    'DynamoDB_20120810.PutItem',
    `{"TableName":"${TableName}","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"x":${nested}}}`,
  );
  expect(deep.status).toBe(400);
  const ConditionExpression = `${'('.repeat(1500)}attribute_exists(pk)${')'.repeat(1500)}`;
  const put = client.send(new PutItemCommand({ TableName, Item: key(), ConditionExpression }));
  await expect(put).rejects.toMatchObject({ name: 'ValidationException' });
});

test('a batch read over 16 MB leaves the rest to be asked for again', async () => {
  const TableName = await createEventsTable(client);
  const keys = Array.from({ length: 45 }, (_, n) => key(String(n)));
  const filler = { S: 'x'.repeat(390 * 1024) };
  await Promise.all(keys.map((Key) => client.send(new PutItemCommand({ TableName, Item: { ...Key, filler } }))));
  const answer = await client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: keys } } }));
  const read = answer.Responses?.[TableName]?.length ?? 0;
  expect(read).toBe(42);
  expect(answer.UnprocessedKeys?.[TableName]?.Keys).toEqual(keys.slice(read));
});

test('a transaction over 4 MB is refused', async () => {
  const TableName = await createEventsTable(client);
  const filler = { S: 'x'.repeat(390 * 1024) };
  const TransactItems = Array.from({ length: 11 }, (_, n) => ({
    Put: { TableName, Item: { ...key(String(n)), filler } },
  }));
  const attempt = client.send(new TransactWriteItemsCommand({ TransactItems }));
  await expect(attempt).rejects.toMatchObject({ name: 'ValidationException' });
});
