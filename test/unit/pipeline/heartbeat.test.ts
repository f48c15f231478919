import { gzipSync } from 'node:zlib';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as countsHandler } from '#pipeline/counts/handler.ts';
import { handler as dueHandler } from '#pipeline/due/handler.ts';
import { logger } from '#platform/logging.ts';
import { dueItem } from '#platform/table/due-item.ts';
import { keyOf } from '#platform/table/keys.ts';
import { handler as fanOutHandler } from '#test/kit/fan-out.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { itemsOf, listener, orderWithEvent, streamOf } from '#test/kit/outbox-records.ts';
import { batchOf } from '#test/kit/queue-messages.ts';
import { dynamo, shopItem, tableWith } from '#test/kit/table.ts';

const sqs = mockClient(SQSClient);
process.env.DELIVERY_QUEUE_URL = 'https://deliveries';
process.env.AUTOMATION_RUN_QUEUE_URL = 'https://runs';

const context = { getRemainingTimeInMillis: () => 50_000 } as Context;
const round = () => dueHandler({}, context);
const region = process.env.AWS_REGION!;
const stored = () => memoryTable.read(keyOf.heartbeat(region));

beforeEach(() => {
  tableWith();
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
});

describe('a round of due work', () => {
  test('changes one small item that is in no index, which is one write unit', async () => {
    vi.useFakeTimers({ now: new Date('2026-11-14T12:00:00.000Z'), toFake: ['Date'] });
    await round();
    const before = stored();
    vi.setSystemTime(new Date('2026-11-14T12:01:00.000Z'));
    await round();
    vi.useRealTimers();
    const written = dynamo.commandCalls(PutCommand).map(({ args }) => args[0].input.Item!);
    expect(written).toHaveLength(2);
    for (const item of written) expect(Object.keys(item).sort()).toEqual(['at', 'pk', 'sk']);
    expect(stored()).not.toEqual(before);
  });

  test('does what is due although the item cannot be written', async () => {
    const key = keyOf.dueRun('blue', 'automation', 'run');
    const run = { shop_slug: 'blue', automation_id: 'automation', run_id: 'run' };
    tableWith(dueItem(key, { kind: 'automation_run', due_at: '2026-11-14T11:59:00.000Z', ...run }));
    dynamo.on(PutCommand).rejects(new Error('down'));
    await round();
    expect(stored()).toBeUndefined();
    expect(memoryTable.read(key)).toBeUndefined();
    expect(sqs.commandCalls(SendMessageBatchCommand)).toHaveLength(1);
  });
});

const heartbeat = (SequenceNumber: string, seconds = 0): DynamoDBRecord => {
  const item = { ...keyOf.heartbeat(region), at: '2026-11-14T12:00:00.000Z' };
  const { at: _, ...key } = item;
  return {
    eventID: `event-${SequenceNumber}`,
    eventName: 'MODIFY',
    dynamodb: {
      SequenceNumber,
      ApproximateCreationDateTime: seconds,
      Keys: marshall(key) as never,
      OldImage: marshall({ ...item, at: '' }) as never,
      NewImage: marshall(item) as never,
    },
  };
};

const done = { batchItemFailures: [] };

interface Reader {
  name: string;
  handle(event: DynamoDBStreamEvent): Promise<unknown>;
}

describe.each<Reader>([
  { name: 'fan-out', handle: fanOutHandler },
  { name: 'counts', handle: countsHandler },
])('a heartbeat in the stream of $name', ({ name, handle }) => {
  test('is noted in one write, and leads to nothing else and no line in the log', async () => {
    const log = vi.spyOn(logger, 'info');
    expect(await handle({ Records: [heartbeat('1', 60), heartbeat('2', 120)] })).toEqual(done);
    expect(dynamo.commandCalls(PutCommand)).toHaveLength(1);
    expect([dynamo.calls().length, sqs.calls().length, log.mock.calls.length]).toEqual([1, 0, 0]);
    expect(memoryTable.read(keyOf.lastRead(region, name))).toMatchObject({ at: '1970-01-01T00:02:00.000Z' });
    log.mockRestore();
  });

  test('is done although it cannot be noted', async () => {
    dynamo.on(PutCommand).rejects(new Error('down'));
    expect(await handle({ Records: [heartbeat('1')] })).toEqual(done);
  });
});

describe('a heartbeat among other records', () => {
  test('changes nothing for fan-out: the event is sent, and the heartbeat is no reason to read anything', async () => {
    const event = orderWithEvent('blue', 'A');
    tableWith(shopItem('blue'), listener('blue', 'one'), ...itemsOf(event));
    await fanOutHandler(streamOf(event));
    const requests = dynamo.calls().length;
    tableWith(shopItem('blue'), listener('blue', 'one'), ...itemsOf(event));
    expect(await fanOutHandler({ Records: [heartbeat('0'), ...streamOf(event).Records] })).toEqual(done);
    expect(dynamo.calls()).toHaveLength(requests + 1);
    expect(memoryTable.read(keyOf.lastRead(region, 'fan-out'))).toBeDefined();
    expect(sqs.commandCalls(SendMessageBatchCommand)).toHaveLength(2);
  });

  test('does nothing for counts', async () => {
    const key = { pk: 'DELIVERIES#blue#one#0', sk: 'DELIVERY#1' };
    const other = { ...heartbeat('2'), dynamodb: { SequenceNumber: '2', Keys: marshall(key) as never } };
    expect(await countsHandler({ Records: [heartbeat('1'), other] })).toEqual(done);
    const written = dynamo.commandCalls(PutCommand).map(({ args }) => args[0].input.Item!);
    expect(written).toEqual([expect.objectContaining(keyOf.lastRead(region, 'counts'))]);
  });

  test('does nothing for fan-out when Lambda gave it up and an operator replays it', async () => {
    const packed = gzipSync(JSON.stringify(heartbeat('1'))).toString('base64');
    expect(await fanOutHandler(batchOf([{ packed }]))).toEqual(done);
    expect([dynamo.calls().length, sqs.calls().length]).toEqual([0, 0]);
  });
});
