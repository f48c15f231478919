import { type AttributeValue, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningDynamoDb, startDynamoDb } from '#lib/local/dynamodb/server.ts';
import { ownStreams, type StreamsApi, sdkStreams } from '#lib/local/dynamodb/streams-api.ts';
import type { Position } from '#lib/local/functions/event-sources/checkpoint.ts';
import { createShardReader } from '#lib/local/functions/event-sources/shard-reader.ts';
import { createEventsTable } from '#test/integration/dynamodb-engine/tables.ts';

describe('a record of a stream', () => {
  let engine: RunningDynamoDb;
  let client: DynamoDBClient;
  let streamsClient: DynamoDBStreamsClient;

  beforeAll(async () => {
    engine = await startDynamoDb({ file: ':memory:' });
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const config = { endpoint: engine.endpoint, region: 'eu-central-1', credentials };
    client = new DynamoDBClient(config);
    streamsClient = new DynamoDBStreamsClient(config);
  });
  afterAll(async () => {
    client?.destroy();
    streamsClient?.destroy();
    await engine?.stop();
  });

  const bytes = Uint8Array.from([0, 1, 127, 128, 254, 255]);
  const everyType: Record<string, AttributeValue> = {
    text: { S: 'Straße' },
    number: { N: '12345678901234567890.5' },
    bytes: { B: bytes },
    noBytes: { B: new Uint8Array() },
    texts: { SS: ['a', 'b'] },
    numbers: { NS: ['1', '2'] },
    manyBytes: { BS: [bytes, Uint8Array.from([7])] },
    yes: { BOOL: true },
    nothing: { NULL: true },
    list: { L: [{ B: bytes }, { L: [{ BS: [bytes] }] }, { M: {} }] },
    map: { M: { inner: { M: { bytes: { B: bytes }, number: { N: '0' } } } } },
  };

  test('is the same from another DynamoDB as from our own engine, whatever its types', async () => {
    const stream = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
    const TableName = await createEventsTable(client, { StreamSpecification: stream });
    const Item = { pk: { S: 'order' }, sk: { N: '1' }, ...everyType };
    await client.send(new PutItemCommand({ TableName, Item }));
    await client.send(new PutItemCommand({ TableName, Item: { ...Item, text: { S: 'changed' } } }));

    const read = async (streams: StreamsApi) => createShardReader(streams, await streamArn(TableName), {}).read(10);
    const own = await read(ownStreams(engine));
    expect(await read(sdkStreams(streamsClient))).toEqual(own);
    expect(own.records).toHaveLength(2);
    expect(own.records[1]?.dynamodb?.OldImage).toMatchObject({
      bytes: { B: 'AAF/gP7/' },
      manyBytes: { BS: ['AAF/gP7/', 'Bw=='] },
      list: { L: [{ B: 'AAF/gP7/' }, { L: [{ BS: ['AAF/gP7/'] }] }, { M: {} }] },
    });
    expect(own.records[0]?.dynamodb?.ApproximateCreationDateTime).toBeCloseTo(Date.now() / 1000, -2);
  });

  const streamArn = async (name: string) =>
    (engine.perform('DynamoDB_20120810.DescribeTable', { TableName: name }) as { Table: { LatestStreamArn: string } })
      .Table.LatestStreamArn;
});

describe('a reader of shards', () => {
  const record = (SequenceNumber: string) => ({ dynamodb: { SequenceNumber } });
  const failure = (name: string) => Object.assign(new Error(name), { name });

  /** Shards that have ended, as DynamoDB begins a new one every few hours. */
  function endedShards(shards: Record<string, string[]>): StreamsApi {
    return {
      shardIds: async () => Object.keys(shards),
      shardIterator: async ({ ShardId = '', SequenceNumber }) => {
        const numbers = shards[ShardId];
        if (!numbers) throw failure('ResourceNotFoundException');
        if (SequenceNumber !== undefined && !numbers.includes(SequenceNumber)) {
          throw failure('TrimmedDataAccessException');
        }
        return `${ShardId}/${SequenceNumber === undefined ? 0 : numbers.indexOf(SequenceNumber) + 1}`;
      },
      records: async (iterator = '', limit) => {
        const [shard = '', from] = iterator.split('/');
        const records = (shards[shard] ?? []).slice(Number(from), Number(from) + limit).map(record);
        const next = Number(from) + records.length;
        return { records, next: next < (shards[shard] ?? []).length ? `${shard}/${next}` : undefined };
      },
    };
  }

  async function readFrom(position: Position, shards: Record<string, string[]>): Promise<string[]> {
    const reader = createShardReader(endedShards(shards), 'arn', position);
    const read: string[] = [];
    for (let round = 0; round < 8; round++) {
      const { records } = await reader.read(2);
      read.push(...records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? ''));
    }
    return read;
  }

  test('continues with the next shard when one has ended', async () => {
    expect(await readFrom({}, { a: ['1', '2', '3'], b: ['4'], c: ['5', '6'] })).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  test('continues after the record of its position', async () => {
    expect(await readFrom({ shardId: 'a', sequenceNumber: '2' }, { a: ['1', '2', '3'], b: ['4'] })).toEqual(['3', '4']);
  });

  test.each([
    ['its record is gone', { shardId: 'a', sequenceNumber: '0' }],
    ['its shard is gone', { shardId: 'z', sequenceNumber: '0' }],
  ])('continues with the oldest record left when %s', async (_what, position) => {
    expect(await readFrom(position, { a: ['1', '2'], b: ['3'] })).toEqual(['1', '2', '3']);
  });

  test('passes on every other error', async () => {
    const streams = {
      ...endedShards({ a: ['1'] }),
      records: async () => Promise.reject(failure('InternalServerError')),
    };
    await expect(createShardReader(streams, 'arn', {}).read(1)).rejects.toThrow('InternalServerError');
  });
});
