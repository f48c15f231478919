import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deliveryItem } from '#domain/deliveries/delivery-items.ts';
import { payloadItem } from '#domain/deliveries/delivery-messages.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { erasedPayload } from '#domain/deliveries/erased-payload.ts';
import { type FeedMark, tellingsOf, wholeShop, writeMark } from '#domain/feed/mark.ts';
import { handler } from '#pipeline/counts/handler.ts';
import { keyOf } from '#platform/table/keys.ts';
import { consumedBy } from '#test/kit/consumed.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { batchOf, context } from '#test/kit/queue-messages.ts';
import { aDelivery } from '#test/kit/stored-deliveries.ts';
import { dynamo, tableWith } from '#test/kit/table.ts';

const at = Date.parse('2026-11-18T03:20:00Z');
const hour = '2026-11-18T03:00:00Z';
const expires_at = at / 1000 + 32 * 86_400;
const [first, second] = ['endpoint-1', 'endpoint-2'];

const mark: FeedMark = {
  ...{ generation: 3, block: 1, index: 0, at, occurred: at - 2000, groups: 2, endpoints: [first, second] },
  subjects: [
    { id: 'shipment-1', version: 1, told: 2 },
    { id: 'shipment-2', version: 1, told: 1 },
  ],
};

const stored = (event: string, more: object = {}) => ({
  ...payloadItem({ shop_slug: 'blue', payload_id: event, expires_at }, { body: gzipSync('{}\n{}') }),
  ...more,
});
const inFeed = (event: string) => stored(event, { feed: writeMark(mark) });

let sequence = 0;
beforeEach(() => {
  vi.useFakeTimers({ now: at, toFake: ['Date'] });
  sequence = 0;
  tableWith();
});
afterEach(() => vi.useRealTimers());

function record(before: object | undefined, after: object | undefined): DynamoDBRecord {
  sequence += 1;
  const image = (item: object) => marshall(item, { removeUndefinedValues: true }) as never;
  const { pk, sk } = (after ?? before) as { pk: string; sk: string };
  return {
    eventID: `record-${sequence}`,
    eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
    dynamodb: {
      Keys: image({ pk, sk }),
      SequenceNumber: String(sequence),
      ApproximateCreationDateTime: at / 1000,
      ...(before && { OldImage: image(before) }),
      ...(after && { NewImage: image(after) }),
    },
  };
}

async function count(...Records: DynamoDBRecord[]): Promise<void> {
  expect(await handler({ Records } as DynamoDBStreamEvent)).toEqual({ batchItemFailures: [] });
}

const cell = (receiver: string) => memoryTable.read(keyOf.ledger('blue', 3, receiver, hour));

const hashOf = (id: string) => BigInt(`0x${createHash('sha256').update(id).digest('hex')}`);
const sumIn = (receiver: string) =>
  Array.from({ length: 8 }, (_, limb) => BigInt(cell(receiver)?.[`d${limb}`] ?? 0)).reduce(
    (sum, limb) => (sum << 32n) + limb,
    0n,
  );

/** That the ledger has these events, each once. */
function expectCounted(...events: string[]): void {
  for (const receiver of [wholeShop, first, second]) {
    const ids = events.flatMap((event) => tellingsOf(event, mark, receiver).map(({ id }) => id));
    expect(cell(receiver)?.count).toBe(events.length * (receiver === wholeShop ? 2 : 3));
    expect(sumIn(receiver)).toBe(ids.map(hashOf).reduce((sum, hash) => sum + hash, 0n));
  }
}

const expectNothingWritten = () => expect(dynamo.commandCalls(TransactWriteCommand)).toEqual([]);

describe('an event that enters the feed', () => {
  test('counts once for the shop and for each endpoint with all that these are told, and its hour is kept for 31 days', async () => {
    await count(record(undefined, inFeed('event-1')), record(undefined, inFeed('event-2')));
    expectCounted('event-1', 'event-2');
    expect(cell(wholeShop)?.expires_at).toBe(Date.parse(hour) / 1000 + 31 * 86_400);
  });

  test('counts once when a reader had closed a place of it before', async () => {
    const closed = { ...keyOf.payload('blue', 'event-1'), feed_closed: ['3.1.0'], expires_at };
    await count(record(undefined, closed));
    expectNothingWritten();
    await count(record(closed, inFeed('event-1')));
    expectCounted('event-1');
  });

  test('counts once when its batch comes again, alone or with more records', async () => {
    const records = [record(undefined, inFeed('event-1')), record(undefined, inFeed('event-2'))];
    await count(...records);
    await count(...records);
    await count(...records, record(undefined, inFeed('event-3')));
    expectCounted('event-1', 'event-2', 'event-3');
  });

  test('counts once when two functions have its batch at the same time', async () => {
    const records = [record(undefined, inFeed('event-1')), record(undefined, inFeed('event-2'))];
    await Promise.all([count(...records), count(...records), count(...records)]);
    expectCounted('event-1', 'event-2');
  });

  test('counts once, in the hour that it carries, when its record was put aside and is replayed twice', async () => {
    const packed = gzipSync(JSON.stringify(record(undefined, inFeed('event-1')))).toString('base64');
    const replay = () => handler(batchOf([{ packed }]), context);
    expect(await replay()).toEqual({ batchItemFailures: [] });
    expect(await replay()).toEqual({ batchItemFailures: [] });
    expectCounted('event-1');
  });

  test.each<[string, object]>([
    ['is kept for longer', { ...inFeed('event-1'), expires_at: expires_at + 86_400 }],
    ['is erased', { ...erasedPayload('blue', 'event-1', hour, expires_at), feed: writeMark(mark) }],
  ])('counts nothing more when it %s', async (_, after) => {
    await count(record(undefined, inFeed('event-1')));
    await count(record(inFeed('event-1'), after));
    expectCounted('event-1');
  });

  test('stays counted when its item is removed', async () => {
    await count(record(undefined, inFeed('event-1')));
    await count(record(inFeed('event-1'), undefined));
    expectCounted('event-1');
  });
});

describe('a batch of counts', () => {
  const arrived = (n: number, feed?: Delivery['feed']) =>
    record(
      undefined,
      deliveryItem(aDelivery(n, n % 2 ? first : second, { status: 'delivered', ...(feed && { feed }) })),
    );
  const unitsOf = async (records: DynamoDBRecord[]) => (await consumedBy(() => count(...records))).units;

  test('costs two units more for the shop and for each endpoint, however many events and deliveries it has', async () => {
    const deliveries = (feed?: Delivery['feed']) => Array.from({ length: 60 }, (_, n) => arrived(n, feed));
    const without = await unitsOf(deliveries());
    tableWith();
    const entries = Array.from({ length: 60 }, (_, n) => record(undefined, inFeed(`event-${n}`)));
    const withFeed = await unitsOf([...entries, ...deliveries({ generation: 3, hour })]);
    expect(withFeed - without).toBe(2 * 3);
  });

  test('costs nothing more without a feed', async () => {
    const deliveries = Array.from({ length: 4 }, (_, n) => arrived(n));
    const alone = await unitsOf(deliveries);
    tableWith();
    expect(await unitsOf([record(undefined, stored('event-1')), ...deliveries])).toBe(alone);
  });
});

test.each<[string, object | undefined, object]>([
  ['of a shop without a feed', undefined, stored('event-1')],
  ['of a single delivery that is kept for longer', stored('event-1'), stored('event-1', { expires_at: 2 })],
  ['that were erased before they were stored', undefined, erasedPayload('blue', 'event-1', hour, expires_at)],
])('payloads %s count nothing, and fail nothing', async (_, before, after) => {
  await count(record(before, after));
  expectNothingWritten();
});

describe('a delivery of the feed', () => {
  const feed = { generation: 3, hour };
  const one = aDelivery(1, first, { feed });
  const as = (status: Delivery['status'], more: Partial<Delivery> = {}) => deliveryItem({ ...one, status, ...more });
  const delivered = () => cell(first)?.delivered;

  test('counts as delivered in its hour, in whichever attempt', async () => {
    await count(record(undefined, as('pending')), record(as('pending'), as('delivered')));
    await count(record(undefined, deliveryItem(aDelivery(2, first, { feed, status: 'delivered' }))));
    expect(delivered()).toBe(2);
  });

  test('does not while it is sent again, and counts once when it has arrived again', async () => {
    await count(record(undefined, as('delivered')));
    await count(record(as('delivered'), as('pending')));
    expect(delivered()).toBe(0);
    await count(record(as('pending'), as('delivered')), record(as('delivered'), as('delivered', { updated_at: hour })));
    expect(delivered()).toBe(1);
  });

  test('of a simulation counts too, and stays when the simulation is removed: the ledger has its event', async () => {
    const simulation_id = 'simulation-1';
    await count(record(undefined, as('delivered', { simulation_id })));
    await count(record(as('delivered', { simulation_id }), undefined));
    expect(delivered()).toBe(1);
  });

  test('that fails, and one of no feed, count nothing in the ledger', async () => {
    await count(record(undefined, as('failed')));
    await count(record(undefined, deliveryItem(aDelivery(3, first, { status: 'delivered' }))));
    expect(memoryTable.all('FEED#')).toEqual([]);
  });
});
