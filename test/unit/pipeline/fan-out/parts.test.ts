import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { BatchGetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { readPayload } from '#domain/deliveries/delivery-messages.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { withSnapshot } from '#domain/orders/outbox.ts';
import { type PartMessage, rangesOf } from '#pipeline/fan-out/parts.ts';
import type { Caused } from '#platform/correlation.ts';
import { fanOutLimits } from '#schemas/catalogues/limits.ts';
import { anAutomation, storedAutomation } from '#test/kit/automations.ts';
import { deliveryInMessage, handler } from '#test/kit/fan-out.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { listener, orderWithEvent, streamOf } from '#test/kit/outbox-records.ts';
import { batchOf } from '#test/kit/queue-messages.ts';
import { dynamo, shopItem, tableWith } from '#test/kit/table.ts';

const sqs = mockClient(SQSClient);
const queues = { deliveries: 'https://deliveries', parts: 'https://parts', dead: 'https://dead-parts' };
Object.assign(process.env, {
  DELIVERY_QUEUE_URL: queues.deliveries,
  PARTS_QUEUE_URL: queues.parts,
  DEAD_PARTS_QUEUE_URL: queues.dead,
});

beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
});

const endpoints = (count: number) => Array.from({ length: count }, (_, i) => listener('blue', `endpoint-${i}`));

const large = orderWithEvent('blue', 'A', { parcels: 100 });
const [carrying] = withSnapshot([{ ...large.event, cause: 'request-1' }], large);

const messagesTo = (queue: string) =>
  sqs
    .commandCalls(SendMessageBatchCommand)
    .map(({ args }) => args[0].input)
    .filter(({ QueueUrl }) => QueueUrl === queue)
    .flatMap(({ Entries }) => Entries!);

const partsSent = () => messagesTo(queues.parts).map(({ MessageBody }) => JSON.parse(MessageBody!) as PartMessage);

const fromQueue = (...parts: PartMessage[]) => batchOf(parts, { group: 'blue' });

const requests = () => dynamo.commandCalls(PutCommand).length;
const sent = (): Delivery[] => messagesTo(queues.deliveries).map(({ MessageBody }) => deliveryInMessage(MessageBody!));

/** Carries messages from the queue of parts to the function until there are none left. Returns the deliveries of each. */
async function settle(): Promise<Delivery[][]> {
  const deliveries: Delivery[][] = [];
  const waiting = partsSent();
  for (let rounds = 0; waiting.length > 0; rounds++) {
    expect(rounds).toBeLessThan(500);
    sqs.resetHistory();
    expect(await handler(fromQueue(waiting.shift()!))).toEqual({ batchItemFailures: [] });
    deliveries.push(sent());
    waiting.push(...partsSent());
  }
  return deliveries;
}

describe('an event with a hundred parcels and fifty endpoints', () => {
  beforeEach(() => tableWith(shopItem('blue'), ...endpoints(50), carrying!));

  test('costs the stream one message and no write', async () => {
    expect(await handler(streamOf({ event: carrying! }))).toEqual({ batchItemFailures: [] });
    expect(requests()).toBe(0);
    expect(dynamo.commandCalls(QueryCommand).length + dynamo.commandCalls(BatchGetCommand).length).toBeLessThan(5);
    expect(messagesTo(queues.deliveries)).toEqual([]);
    expect(messagesTo(queues.parts)).toHaveLength(1);
    expect(messagesTo(queues.parts)[0]).toMatchObject({ MessageGroupId: 'blue' });
  });

  test('is split into parts, which name the request that caused it, and a part makes no more deliveries than it may', async () => {
    await handler(streamOf({ event: carrying! }));
    const [whole] = partsSent();
    await handler(fromQueue(whole!));
    expect(requests()).toBe(1); // the payloads, once for all
    const parts = partsSent().slice(1);
    expect(parts).toHaveLength(100);
    expect(new Set([whole, ...parts].map((part) => (part as Caused).cause))).toEqual(new Set(['request-1']));
    const delays = messagesTo(queues.parts).slice(1);
    const perSecond = Map.groupBy(delays, ({ DelaySeconds }) => DelaySeconds);
    expect([...perSecond.keys()]).toEqual(Array.from({ length: 100 }, (_, second) => second));
    for (const some of perSecond.values()) {
      expect(some.length * fanOutLimits.unitsOfPart).toBeLessThanOrEqual(fanOutLimits.unitsPerSecond);
    }
    await handler(fromQueue(parts[7]!));
    expect(sent()).toHaveLength(fanOutLimits.unitsOfPart);
    expect(requests()).toBe(1);
  });
});

test('a part whose event is gone is put aside, so that it is listed, unless its shop is gone too', async () => {
  const part = { shop_slug: 'blue', order_id: 'order', event_id: 'event' };
  tableWith(shopItem('blue'));
  expect((await handler(fromQueue(part))).batchItemFailures).toEqual([]);
  expect(messagesTo(queues.dead)).toMatchObject([{ MessageBody: JSON.stringify(part), MessageGroupId: 'blue' }]);
  sqs.resetHistory();
  tableWith();
  expect((await handler(fromQueue(part))).batchItemFailures).toEqual([]);
  expect(messagesTo(queues.dead)).toEqual([]);
});

test('a part that fails by an outage comes again, however often, and is not put aside', async () => {
  const denied = Object.assign(new Error('no grant'), { name: 'AccessDeniedException', $metadata: {} });
  dynamo.on(BatchGetCommand).rejects(denied);
  const part = { shop_slug: 'blue', order_id: 'order', event_id: 'event' };
  const event = batchOf([part], { group: 'blue', receives: 500, ageSeconds: 7 * 24 * 3600 });
  expect((await handler(event)).batchItemFailures).toHaveLength(1);
  expect(messagesTo(queues.dead)).toEqual([]);
});

describe('an event that is done in parts', () => {
  const parcels = 12;
  const event = orderWithEvent('blue', 'A', { parcels });
  const [stored] = withSnapshot([event.event], event);

  beforeEach(async () => {
    tableWith(shopItem('blue'), ...endpoints(30), stored!);
    await handler(streamOf({ event: stored! }));
  });

  test('makes every delivery, and stores its payloads once', async () => {
    const parts = await settle();
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(fanOutLimits.unitsOfPart);
    expect(new Set(parts.flat().map(({ id }) => id)).size).toBe(30 * parcels);
    expect(memoryTable.all('PAYLOADS#')).toHaveLength(1);
  });

  test('has a payload for each parcel', async () => {
    const deliveries = (await settle()).flat();
    const payloads = await Promise.all(
      deliveries
        .filter(({ target }) => target === 'endpoint-7')
        .map(async (delivery) => JSON.parse((await readPayload(delivery))!)),
    );
    expect(new Set(payloads.map(({ event_data }) => event_data.tracking_number)).size).toBe(parcels);
    for (const { context, shop_slug } of payloads) {
      expect(shop_slug).toBe('blue');
      expect(context.shipments).toHaveLength(parcels);
    }
  });

  test('makes nothing twice when its messages come again', async () => {
    const [first] = partsSent();
    const idsOf = (deliveries: Delivery[]) => new Set(deliveries.map(({ id }) => id));
    const before = idsOf((await settle()).flat());
    await handler(fromQueue(first!));
    expect(idsOf((await settle()).flat())).toEqual(before);
    expect(memoryTable.all('PAYLOADS#')).toHaveLength(1);
  });

  test('queues its deliveries again when a part was interrupted before it could', async () => {
    await handler(fromQueue(...partsSent()));
    const part = partsSent().at(-1)!;
    sqs.on(SendMessageBatchCommand).rejects(new Error('down'));
    expect(await handler(fromQueue(part))).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }] });
    sqs.reset();
    sqs.on(SendMessageBatchCommand).resolves({});
    await handler(fromQueue(part));
    expect(messagesTo(queues.deliveries)).toHaveLength(30);
  });
});

test('an event of a shop that is deleted meanwhile is dropped', async () => {
  tableWith(carrying!);
  expect(await handler(fromQueue({ shop_slug: 'blue', order_id: large.order.uuid, event_id: large.event.id }))).toEqual(
    {
      batchItemFailures: [],
    },
  );
  expect(requests()).toBe(0);
});

test('a small event is not queued for later', async () => {
  const small = orderWithEvent('blue', 'B', { parcels: fanOutLimits.unitsAtOnce });
  tableWith(shopItem('blue'), ...endpoints(1), withSnapshot([small.event], small)[0]!);
  await handler(streamOf({ event: withSnapshot([small.event], small)[0]! }));
  expect(messagesTo(queues.parts)).toEqual([]);
  expect(messagesTo(queues.deliveries)).toHaveLength(fanOutLimits.unitsAtOnce);
});

test('automations count as work, and their runs are made by the parts', async () => {
  const automations = Array.from({ length: 3 }, (_, i) => storedAutomation(anAutomation({ uuid: `automation-${i}` })));
  tableWith(shopItem('blue'), ...automations, carrying!);
  await handler(streamOf({ event: carrying! }));
  expect(messagesTo(queues.parts)).toHaveLength(1);
  await settle();
  expect(memoryTable.all('AUTOMATIONRUNS#')).toHaveLength(300);
});

describe('work is split', () => {
  const work = (...units: number[]) =>
    units.map((count) => ({ deliveries: Array(count).fill({}), automations: [] })) as unknown as Parameters<
      typeof rangesOf
    >[0];

  test.each([
    ['into nothing when there is none', [], []],
    ['into one part that is full', [25, 25], [[0, 2]]],
    [
      'before a subject that does not fit any more',
      [25, 26, 24],
      [
        [0, 1],
        [1, 3],
      ],
    ],
    [
      'into a part of its own for a subject that is larger than a part',
      [10, 100, 10],
      [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
    ],
  ])('%s', (_case, units, expected) => {
    expect(rangesOf(work(...units)).map(({ from, to }) => [from, to])).toEqual(expected);
  });
});
