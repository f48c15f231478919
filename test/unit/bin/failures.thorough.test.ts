import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { table, tableName } from '#platform/table/client.ts';
import { dueItem, giveUpDue } from '#platform/table/due-item.ts';
import { keyOf } from '#platform/table/keys.ts';
import { commit } from '#platform/table/writes.ts';
import { FakeFailureQueue } from '#test/kit/fake-failure-queue.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeRequest, tableWith } from '#test/kit/table.ts';
import { listFailures, type Place, replayFailures } from '../../../bin/operator/failures.ts';

const queue = { name: 'runs', from: 'https://failures', to: 'https://again' };
const s3 = mockClient(S3Client);
beforeEach(() => {
  tableWith();
  s3.reset();
  s3.onAnyCommand().resolves({});
});

const placeWith = (sqs: SQSClient, more: object = {}): Place => ({
  failures: { bucket: 'payloads', table: tableName(), queues: [{ ...queue, ...more }] },
  sqs,
  s3: new S3Client({}),
  table,
});

const numbered = (count: number) => Array.from({ length: count }, (_, i) => String(i));
const start = 0;
const minutes = (ms: number) => ms / 60_000;

test('a queue of failures is read with a wait, so that all servers of the queue are asked', async () => {
  const sqs = mockClient(SQSClient);
  sqs.onAnyCommand().resolves({});
  expect(await listFailures(placeWith(new SQSClient({})))).toEqual([]);
  const [call] = sqs.commandCalls(ReceiveMessageCommand);
  expect(call!.args[0].input.WaitTimeSeconds).toBeGreaterThan(0);
});

describe('a replay of 100,000 messages', () => {
  const count = 100_000;

  test('sends each of them once, with few in hand, and says how far it is', async () => {
    const fake = new FakeFailureQueue(numbered(count));
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    expect(await replayFailures(placeWith(fake.sqs), 'runs', { start, say })).toBe(count);
    expect(fake.sent).toHaveLength(count);
    expect(new Set(fake.sent).size).toBe(count);
    expect(fake.left).toBe(0);
    expect(fake.mostHeld).toBeLessThanOrEqual(80);
    expect(minutes(fake.now)).toBeLessThan(25);
    expect(lines).toHaveLength(100);
    expect(lines[41]).toBe('runs, about 100,000 in all: 42,000 sent again.');
  });

  test('can be interrupted and begun again, without loss and without doubling', async () => {
    const fake = new FakeFailureQueue(numbered(count));
    const ending = new AbortController();
    fake.beforeRequest = () => fake.sent.length >= 30_000 && ending.abort();
    const first = await replayFailures(placeWith(fake.sqs), 'runs', { start, signal: ending.signal });
    expect(first).toBe(fake.sent.length);
    expect([first, first + fake.left]).toEqual([expect.closeTo(30_000, -3), count]);
    expect(await replayFailures(placeWith(fake.sqs), 'runs', { start })).toBe(count - first);
    expect(new Set(fake.sent).size).toBe(count);
    expect(fake.sent).toHaveLength(count);
  });
});

describe('a large queue of failures', () => {
  const count = 20_000;

  test('loses nothing if a replay is killed, and doubles at most what that had in hand', async () => {
    const fake = new FakeFailureQueue(numbered(count));
    fake.beforeRequest = (name) => {
      if (fake.sent.length >= 3_000 && name === 'DeleteMessageBatchCommand') throw new Error('killed');
    };
    await expect(replayFailures(placeWith(fake.sqs), 'runs', { start })).rejects.toThrow('killed');
    fake.beforeRequest = () => {};
    const lines: string[] = [];
    await replayFailures(placeWith(fake.sqs), 'runs', { start, say: (line) => void lines.push(line) });
    expect(lines[0]).toMatch(/runs: about \d+ are hidden for up to a minute/);
    expect(fake.left).toBe(0);
    expect(new Set(fake.sent).size).toBe(count);
    expect(fake.sent.length - count).toBeLessThanOrEqual(80);
  });

  test('is listed in part, with the number of all', async () => {
    const fake = new FakeFailureQueue(numbered(count));
    const lines: string[] = [];
    const found = await listFailures(placeWith(fake.sqs), 'runs', { start, say: (line) => void lines.push(line) });
    expect(found).toHaveLength(200);
    expect(lines).toEqual(['runs: 200 are listed, of about 20,000.']);
    expect(fake.mostHeld).toBeLessThanOrEqual(200);
    // They are visible again, so a replay right after it finds all.
    expect(await replayFailures(placeWith(fake.sqs), 'runs', { start })).toBe(count);
  });
});

describe('a replay', () => {
  test('ends although what it sends fails again at once', async () => {
    const fake = new FakeFailureQueue(numbered(500));
    fake.beforeRequest = (name) => name === 'SendMessageBatchCommand' && fake.add('failed again');
    expect(await replayFailures(placeWith(fake.sqs), 'runs', { start })).toBe(500);
    expect(new Set(fake.sent)).toEqual(new Set(numbered(500)));
    expect(fake.left).toBeGreaterThanOrEqual(50);
  });

  test('leaves what the queue refuses, sends the others and says why', async () => {
    const fake = new FakeFailureQueue(numbered(20_000));
    fake.refusal = (name, body) => (name === 'SendMessageBatchCommand' && body === '4711' ? 'Invalid' : undefined);
    await expect(replayFailures(placeWith(fake.sqs), 'runs', { start })).rejects.toThrow(
      'runs: 19,999 were sent again. 1 stay, because the queue refused them: Invalid.',
    );
    expect([fake.left, fake.sent.length]).toEqual([1, 19_999]);
  });

  test('stops if a message cannot be removed, which would be sent again and again', async () => {
    const fake = new FakeFailureQueue(numbered(1000));
    fake.refusal = (name) => (name === 'DeleteMessageBatchCommand' ? 'InternalError' : undefined);
    await expect(replayFailures(placeWith(fake.sqs), 'runs', { start })).rejects.toThrow('could not be removed');
    expect(fake.sent.length).toBeLessThanOrEqual(80);
  });

  test('stops at once if it may not send', async () => {
    const fake = new FakeFailureQueue(numbered(1000));
    fake.beforeRequest = (name) => {
      if (name === 'SendMessageBatchCommand') throw new Error('denied');
    };
    await expect(replayFailures(placeWith(fake.sqs), 'runs', { start })).rejects.toThrow('0 were sent again, then');
    expect(fake.left).toBe(1000);
  });

  test('sends no more than a megabyte in one request', async () => {
    const fake = new FakeFailureQueue(numbered(10).map((number) => number.repeat(400_000)));
    let requests = 0;
    fake.beforeRequest = (name) => name === 'SendMessageBatchCommand' && requests++;
    expect(await replayFailures(placeWith(fake.sqs), 'runs', { start })).toBe(10);
    expect(requests).toBe(5);
  });
});

describe('what was due and was given up', () => {
  const none = new FakeFailureQueue([]).sqs;
  const givenUpAt = new Date('2026-11-14T12:00:00.000Z');
  const itemOf = (name: string) =>
    dueItem(keyOf.due('blue', 'subject', name), {
      kind: 'automation_run' as const,
      shop_slug: 'blue',
      due_at: '2026-11-14T11:00:00.000Z',
    });
  const giveUp = async (count: number) => {
    const items = numbered(count).map(itemOf);
    tableWith(...items);
    for (const item of items) await commit([giveUpDue({ ...item, attempts: 23 }, 'TypeError', givenUpAt)]);
    return items;
  };
  const later = Date.parse('2026-11-15T12:00:00.000Z');

  test('is listed, and put back as if it had never failed', async () => {
    const [item] = await giveUp(1);
    const place = placeWith(none);
    const listed = { queue: 'due', since: givenUpAt.toISOString(), reason: 'TypeError (automation_run)', records: 1 };
    expect(await listFailures(place, undefined, { start: later })).toEqual([listed]);
    expect(await listFailures(place, 'runs', { start: later })).toEqual([]);
    expect(await replayFailures(place, 'due', { start: later })).toBe(1);
    const time = new Date(later).toISOString();
    expect(memoryTable.read(keyOf.due('blue', 'subject', '0'))).toEqual({ ...item, due_at: time, list_sk: time });
    expect(await listFailures(place, 'due', { start: later })).toEqual([]);
  });

  test('is listed in part if it is much, and the replay can be interrupted and begun again', async () => {
    await giveUp(700);
    const lines: string[] = [];
    const options = { start: later, say: (line: string) => void lines.push(line) };
    expect(await listFailures(placeWith(none), 'due', options)).toHaveLength(200);
    expect(lines).toEqual(['due: 200 are listed. There may be more.']);
    const ending = new AbortController();
    let writes = 0;
    beforeRequest(UpdateCommand, () => ++writes === 300 && ending.abort());
    const first = await replayFailures(placeWith(none), 'due', { start: later, signal: ending.signal });
    expect(first).toBeGreaterThanOrEqual(300);
    expect(first).toBeLessThan(330);
    expect(await replayFailures(placeWith(none), 'due', { start: later })).toBe(700 - first);
  });

  test('stays if it was given up again after the replay began', async () => {
    await giveUp(1);
    expect(await replayFailures(placeWith(none), 'due', { start: givenUpAt.getTime() - 1 })).toBe(0);
  });

  test('is not put back if somebody else did it in the meantime', async () => {
    await giveUp(1);
    beforeRequest(UpdateCommand, () => memoryTable.put(itemOf('0')));
    expect(await replayFailures(placeWith(none), 'due', { start: later })).toBe(0);
    expect(memoryTable.read(keyOf.due('blue', 'subject', '0'))).toEqual(itemOf('0'));
  });
});

test('a name that does not exist is answered with those that do', async () => {
  await expect(listFailures(placeWith(new FakeFailureQueue([]).sqs), 'odd')).rejects.toThrow('There are: runs, due.');
});

test('what Lambda gave up is sent in batches, page by page of the bucket, and each object is removed after its records', async () => {
  const functionArn = 'arn:aws:lambda:eu-central-1:1:function:fan-out';
  const lost = {
    timestamp: '2026-11-14T12:00:00Z',
    requestContext: { functionArn: `${functionArn}:$LATEST`, condition: 'RecordAgeExceeded' },
    payload: { Records: numbered(25).map((SequenceNumber) => ({ dynamodb: { SequenceNumber } })) },
  };
  const keys = numbered(6).map((Key) => ({ Key }));
  s3.on(ListObjectsV2Command)
    .resolvesOnce({ Contents: keys.slice(0, 3), IsTruncated: true, NextContinuationToken: 'next' })
    .resolves({ Contents: keys.slice(3) });
  s3.on(GetObjectCommand).callsFake(() => ({ Body: { transformToString: async () => JSON.stringify(lost) } }));
  const sqs = mockClient(SQSClient);
  sqs.onAnyCommand().resolves({});
  const place = placeWith(new SQSClient({}), { functionArn });
  expect(await replayFailures(place, 'runs', { start: Date.now() })).toBe(150);
  const batches = sqs.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input.Entries!.length);
  expect(batches.sort()).toEqual(numbered(18).map((i) => (Number(i) < 12 ? 10 : 5)));
  const removed = s3.commandCalls(DeleteObjectCommand).map(({ args }) => args[0].input.Key);
  expect(removed.sort()).toEqual(numbered(6));
});
