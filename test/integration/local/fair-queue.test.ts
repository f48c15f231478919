import type { Message } from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import type { Mapping } from '#lib/local/functions/event-sources/mapping.ts';
import { trackProcessing } from '#lib/local/functions/event-sources/processing.ts';
import { startQueueSource } from '#lib/local/functions/event-sources/sqs.ts';
import { fairest, maxOfGroup } from '#lib/local/queues/fairest.ts';
import { ownQueueReader, type QueueReader, type Work } from '#lib/local/queues/queue-reader.ts';
import { openSqs } from '#lib/local/queues/sqs.ts';

/** A message is named by its group and a number: `a1`; the name of one without a group begins with a dash. */
const groupOf = (message: string) => (message.startsWith('-') ? undefined : message[0]);
const next = (waiting: string[], most: number, busy: Record<string, number> = {}) =>
  fairest(waiting, most, groupOf, { busy: new Map(Object.entries(busy)), recent: new Map() });

describe('among the waiting messages', () => {
  test.each<[string, string[], number, Record<string, number>, string[]]>([
    ['the oldest of a group come first', ['a1', 'a2', 'a3'], 2, {}, ['a1', 'a2']],
    ['groups take turns', ['a1', 'a2', 'a3', 'b1', 'b2'], 4, {}, ['a1', 'b1', 'a2', 'b2']],
    ['a group that comes last does not wait for the others', ['a1', 'a2', 'a3', 'a4', 'b1'], 2, {}, ['a1', 'b1']],
    ['the group with fewer messages in work comes first', ['a1', 'a2', 'b1'], 2, { a: 10 }, ['b1', 'a1']],
    ['messages without a group keep their order', ['-1', '-2', '-3'], 2, {}, ['-1', '-2']],
    ['a group with the maximum in work waits', ['a1', 'b1'], 10, { a: maxOfGroup }, ['b1']],
    ['a group gets messages up to its maximum', ['a1', 'a2', 'a3'], 10, { a: maxOfGroup - 2 }, ['a1', 'a2']],
    ['an empty queue gives none', [], 10, {}, []],
  ])('%s', (_rule, waiting, most, busy, expected) => {
    expect(next(waiting, most, busy)).toEqual(expected);
  });
});

describe('while several tenants have messages', () => {
  /** A message is named by its tenant, its group and a number: `a#x1`. */
  const besideOthers = (waiting: string[], recent: Record<string, number>) =>
    fairest(waiting, 10, (message) => message.slice(0, 3), {
      busy: new Map(),
      recent: new Map(Object.entries(recent)),
    });
  const many = (tenant: string, groups: string) => [...groups].map((group) => `${tenant}#${group}1`);

  test.each([
    ['a tenant alone gets all it can', many('a', 'stuvw'), {}, many('a', 'stuvw')],
    ['a tenant with many groups gets few', [...many('a', 'stuvw'), 'b#x1'], {}, [...many('a', 'st'), 'b#x1']],
    ['those that began a moment ago count', [...many('a', 'stuvw'), 'b#x1'], { a: 1 }, ['a#s1', 'b#x1']],
    ['a tenant that was there a moment ago counts', many('a', 'stuvw'), { b: 0 }, many('a', 'st')],
  ])('%s', (_rule, waiting, recent, expected) => {
    expect(besideOthers(waiting, recent)).toEqual(expected);
  });

  test('a message that takes long does not count, and a tenant is forgotten after a while', () => {
    let time = 0;
    const processing = trackProcessing(() => time);
    const message = (group: string): Message => ({ Attributes: { MessageGroupId: group } });
    const processed = processing.begin([message('a#x'), message('a#y')]);
    expect(processing.inProcess()).toEqual({
      busy: new Map([
        ['a#x', 1],
        ['a#y', 1],
      ]),
      recent: new Map([['a', 2]]),
    });
    time = 600;
    expect(processing.inProcess()).toEqual({
      busy: new Map([
        ['a#x', 1],
        ['a#y', 1],
      ]),
      recent: new Map([['a', 0]]),
    });
    processed();
    expect(processing.inProcess()).toEqual({ busy: new Map(), recent: new Map([['a', 0]]) });
    time = 2001;
    expect(processing.inProcess()).toEqual({ busy: new Map(), recent: new Map() });
  });
});

describe('when a group has its maximum in work', () => {
  const arn = 'arn:aws:sqs:us-east-1:000000000000:q';

  test('its next message is received as soon as one is done, without waiting for a new message', async () => {
    const sqs = openSqs(undefined);
    await sqs.perform('CreateQueue', { QueueName: 'q' });
    await sqs.perform('SendMessage', { QueueUrl: 'q', MessageBody: 'next', MessageGroupId: 'g' });
    sqs.queue('q').arrival = () => new Promise(() => {});
    const busy = new Map([['g', maxOfGroup]]);
    const inProcess = () => ({ busy, recent: new Map<string, number>() });
    const easing = Promise.withResolvers<void>();
    const work: Work = { inProcess, stopped: new AbortController().signal, eased: () => easing.promise };
    const receiving = ownQueueReader(sqs, arn).receive(10, work);
    busy.set('g', maxOfGroup - 1);
    easing.resolve();
    expect((await receiving).map(({ Body }) => Body)).toEqual(['next']);
  });

  test.each([
    ['the end of an invocation', () => {}, false],
    [
      'a failed invocation',
      () => {
        throw new Error('timed out');
      },
      false,
    ],
    ['a stop of the stack', () => new Promise<void>(() => {}), true],
  ])('%s notifies the reader of the queue', async (_what, end, stops) => {
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
    const pool = { invoke: () => asked.promise.then(end) } as unknown as Mapping['pool'];
    const source = startQueueSource({ ...mapping, pool }, reader, () => {});
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

test('of the messages that are given back, one that is gone does not keep the others hidden', async () => {
  const sqs = openSqs(undefined);
  await sqs.perform('CreateQueue', { QueueName: 'q' });
  const queue = sqs.queue('q');
  queue.send([{ body: 'gone' }, { body: 'left' }]);
  const reader = ownQueueReader(sqs, queue.arn);
  const inProcess = () => ({ busy: new Map(), recent: new Map() });
  const work: Work = { inProcess, stopped: new AbortController().signal, eased: () => new Promise(() => {}) };
  const messages = await reader.receive(10, work);
  await reader.remove(messages.slice(0, 1));
  await reader.giveBack(messages);
  expect(queue.counts()).toEqual({ waiting: 1, inFlight: 0, delayed: 0 });
});
