import type { Message } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fairest, maxOfGroup } from '#lib/local/event-sources/fairest.ts';
import type { Mapping } from '#lib/local/event-sources/mapping.ts';
import { ownQueueReader } from '#lib/local/event-sources/own-queue-reader.ts';
import type { QueueReader, Work } from '#lib/local/event-sources/queue-reader.ts';
import { startQueueSource } from '#lib/local/event-sources/sqs.ts';
import { type Fauxqs, startFauxqs } from '#lib/local/fauxqs.ts';
import { withGroups } from '#lib/local/message-groups.ts';

/** A message is named by its group and a number: `a1`; one without a group begins with a dash. */
const groupOf = (message: string) => (message.startsWith('-') ? undefined : message[0]);
const next = (waiting: string[], most: number, busy: Record<string, number> = {}) =>
  fairest(waiting, most, groupOf, new Map(Object.entries(busy)));

describe('of the waiting messages', () => {
  test.each<[string, string[], number, Record<string, number>, string[]]>([
    ['the oldest of one group come first', ['a1', 'a2', 'a3'], 2, {}, ['a1', 'a2']],
    ['groups take turns', ['a1', 'a2', 'a3', 'b1', 'b2'], 4, {}, ['a1', 'b1', 'a2', 'b2']],
    ['a group that comes last does not wait', ['a1', 'a2', 'a3', 'a4', 'b1'], 2, {}, ['a1', 'b1']],
    ['the group with less being worked on is first', ['a1', 'a2', 'b1'], 2, { a: 10 }, ['b1', 'a1']],
    ['those without a group keep their order', ['-1', '-2', '-3'], 2, {}, ['-1', '-2']],
    ['a group with as many as may be waits', ['a1', 'b1'], 10, { a: maxOfGroup }, ['b1']],
    ['a group stops where it may have no more', ['a1', 'a2', 'a3'], 10, { a: maxOfGroup - 2 }, ['a1', 'a2']],
    ['none is none', [], 10, {}, []],
  ])('%s', (_rule, waiting, most, busy, expected) => {
    expect(next(waiting, most, busy)).toEqual(expected);
  });
});

describe('a message group', () => {
  const group = { 'local-message-group': { DataType: 'String', StringValue: 'g' } };

  test('travels as an attribute beside the others', () => {
    const sent = { QueueUrl: 'q', MessageBody: 'b', MessageGroupId: 'g', MessageAttributes: { own: {} } };
    const expected = { QueueUrl: 'q', MessageBody: 'b', MessageAttributes: { own: {}, ...group } };
    expect(withGroups('SendMessage', sent)).toEqual(expected);
  });

  test('of each message of a batch is its own', () => {
    const sent = { QueueUrl: 'q', Entries: [{ Id: '1', MessageGroupId: 'g' }, { Id: '2' }] };
    expect(withGroups('SendMessageBatch', sent).Entries).toEqual([{ Id: '1', MessageAttributes: group }, { Id: '2' }]);
  });

  test('is refused where SQS would refuse its name', () => {
    const sent = (MessageGroupId: string) => withGroups('SendMessage', { QueueUrl: 'q', MessageGroupId });
    expect(sent('g'.repeat(128))).toBeDefined();
    for (const name of ['g'.repeat(129), '', 'two words', 'grün']) expect(() => sent(name)).toThrow(/MessageGroupId/);
  });

  test('of a FIFO queue is left to the emulator, as is any other request', () => {
    const fifo = { QueueUrl: 'q.fifo', MessageGroupId: 'g' };
    const other = { QueueUrl: 'q', MessageGroupId: 'g' };
    expect(withGroups('SendMessage', fifo)).toBe(fifo);
    expect(withGroups('ReceiveMessage', other)).toBe(other);
  });
});

describe('where enough of a group is being worked on', () => {
  const arn = 'arn:aws:sqs:us-east-1:000000000000:q';
  const visibility = { received: () => {}, removed: () => {} };
  let fauxqs: Fauxqs;

  beforeAll(async () => {
    fauxqs = await startFauxqs(undefined);
  });
  afterAll(() => fauxqs.stop());

  test('the next is handed out as soon as one of them is done, without waiting for a new message', async () => {
    const queue = fauxqs.queues.createQueue('q', 'http://localhost/q', arn, { VisibilityTimeout: '30' });
    queue.waitForMessages = () => new Promise(() => {});
    const now = Date.now();
    const group = { 'local-message-group': { DataType: 'String', StringValue: 'g' } };
    queue.messages.push({ ...whatever, messageId: '1', body: 'next', messageAttributes: group, sentTimestamp: now });
    const busy = new Map([['g', maxOfGroup]]);
    const easing = Promise.withResolvers<void>();
    const work: Work = { busy, stopped: new AbortController().signal, eased: () => easing.promise };
    const receiving = ownQueueReader(fauxqs.queues, visibility, arn).receive(10, work);
    busy.set('g', maxOfGroup - 1);
    easing.resolve();
    expect((await receiving).map(({ Body }) => Body)).toEqual(['next']);
  });

  const whatever = { md5OfBody: '', md5OfMessageAttributes: '', approximateReceiveCount: 0 };

  test.each([
    ['the end of an invocation', () => Promise.resolve({}), false],
    ['a failed invocation', () => Promise.reject(new Error('timed out')), false],
    ['a stop', () => new Promise(() => {}), true],
  ])('%s is told to who reads the queue', async (_what, invoke, stops) => {
    const eased = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const batches: Message[][] = [[{ MessageId: '1', Body: '{}' }]];
    const reader: QueueReader = {
      receive: async (_most, work) => {
        const batch = batches.shift();
        if (batch || work.stopped.aborted) return batch ?? [];
        asked.resolve();
        await work.eased().then(eased.resolve);
        return [];
      },
      remove: async () => {},
      giveBack: async () => {},
    };
    const source = startQueueSource({ ...mapping, pool: { invoke } as unknown as Mapping['pool'] }, reader, () => {});
    await asked.promise;
    if (stops) void source.stop();
    await eased.promise;
    await source.stop();
  });

  const mapping = {
    logicalId: 'Mapping',
    sourceArn: arn,
    batchSize: 10,
    batchingWindowSeconds: 0,
    maximumConcurrency: 2,
    accepts: () => true,
    reportsItemFailures: true,
  } as unknown as Mapping;
});
