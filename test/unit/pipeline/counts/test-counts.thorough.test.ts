import { gzipSync } from 'node:zlib';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { BatchGetCommand, QueryCommand, type QueryCommandInput, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { foldCounts } from '#domain/figures/count-rules.ts';
import { type CountedTest, countsOfCells, testFigures } from '#domain/figures/test-figures.ts';
import { newOrderId, type Order } from '#domain/orders/model.ts';
import { orderItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { referenceItems } from '#domain/orders/order-store.ts';
import { customerOf } from '#domain/promotions/ab-test.ts';
import { handler } from '#pipeline/counts/handler.ts';
import { testCountsOf } from '#pipeline/counts/test-counts.ts';
import { keyOf } from '#platform/table/keys.ts';
import { everybody } from '#schemas/catalogues/enumerations.ts';
import { figuresLimits } from '#schemas/catalogues/limits.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { batchOf, context } from '#test/kit/queue-messages.ts';
import { belowFrom } from '#test/kit/random-from.ts';
import { beforeRequest, dynamo, tableWith } from '#test/kit/table.ts';

/** Orders are written and counted here as on the service: the table has an order before its record is counted. */

const start = Date.parse('2026-09-01T00:00:00.000Z');
const at = (days: number) => new Date(start + days * 24 * 3_600_000);

const sqs = mockClient(SQSClient);
process.env.STREAM_FAILURES_QUEUE_URL = 'https://failures';
process.env.STREAM_REPLAYS_QUEUE_URL = 'https://replays';

let sequence = 0;
beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  sequence = 0;
  tableWith();
});

/** As Lambda passes them: bytes are base64 text. */
function image({ document, ...item }: { pk: string; document?: Uint8Array }) {
  const wire = marshall(item, { removeUndefinedValues: true });
  return { ...wire, ...(document && { document: { B: Buffer.from(document).toString('base64') } }) } as never;
}

interface Changed {
  before?: Order | undefined;
  after?: Order | undefined;
}

function record({ before, after }: Changed): DynamoDBRecord {
  sequence += 1;
  const key = keyOf.order('blue', (after ?? before)!.uuid);
  return {
    eventID: `event-${sequence}`,
    eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
    dynamodb: {
      Keys: image(key),
      SequenceNumber: String(sequence),
      ApproximateCreationDateTime: start / 1000,
      ...(before && { OldImage: image(orderItem('blue', before, 1)) }),
      ...(after && { NewImage: image(orderItem('blue', after, 1)) }),
    },
  };
}

/** Writes what became of an order, and returns the record of it. */
function write(changed: Changed): DynamoDBRecord {
  const { before, after } = changed;
  if (before)
    for (const { pk, sk } of [orderItem('blue', before, 1), ...referenceItems('blue', before)]) remove(pk, sk);
  if (after) memoryTable.put(orderItem('blue', after, 1), ...referenceItems('blue', after));
  return record(changed);
}
const remove = (pk: string, sk: string) => memoryTable.remove({ pk, sk });

const count = (...records: DynamoDBRecord[]) => handler({ Records: records } as DynamoDBStreamEvent);

interface TestFields {
  uuid?: string;
  segment?: string;
  end_date?: string | null;
  ended_at?: string | null;
  counted?: true | undefined;
}

function putTest({ uuid = 'test', ...fields }: TestFields = {}): CountedTest {
  const made = {
    uuid,
    segment: everybody,
    start_date: at(0).toISOString(),
    created_at: at(0).toISOString(),
    end_date: null,
    ended_at: null,
    // Everybody is in one arm, so that a test says what it expects.
    campaigns: [{ campaign_id: 'only', allocation: 100 }],
    counted: true as const,
    ...fields,
  };
  memoryTable.put({ ...keyOf.record('abTests', 'blue', uuid), ...made });
  return made as CountedTest;
}

let number = 0;
function orderOf(days: number, changes: Partial<Order> = {}, madeAt = at(days)): Order {
  const order = {
    order_number: String(++number),
    email_id: 'ann@example.com',
    order_placed_at: at(days).toISOString(),
  };
  return { ...newOrder(newOrderId(madeAt), order, madeAt), ...changes };
}
const place = (days: number, changes: Partial<Order> = {}) => write({ after: orderOf(days, changes) });

/** What is counted of tests, by day and counter, without zeros. */
function counted(testId = 'test'): Record<string, number> {
  const items = memoryTable.all('STATISTICS#blue').filter(({ sk }) => sk.startsWith(`TEST#${testId}#`));
  return Object.fromEntries(
    items.flatMap(({ pk: _pk, sk, expires_at: _expires, ...counters }) =>
      Object.entries(counters)
        .filter(([, step]) => step !== 0)
        .map(([name, step]) => [`${sk.slice(-10)} ${name}`, step as number]),
    ),
  );
}

const queries = () => dynamo.commandCalls(QueryCommand).length;
const reads = () =>
  dynamo
    .commandCalls(BatchGetCommand)
    .flatMap(({ args }) => Object.values(args[0].input.RequestItems!))
    .flatMap(({ Keys }) => Keys!)
    .filter((key) => String(key.pk).startsWith('ORDER#')).length;

describe('a new order', () => {
  test('counts its customer in the running test, for as long as figures are kept', async () => {
    putTest();
    await count(place(1));
    expect(counted()).toEqual({ '2026-09-02 o#0': 1 });
    const [item] = memoryTable.all('STATISTICS#blue').filter(({ sk }) => sk.startsWith('TEST#'));
    expect(item!.expires_at).toBeGreaterThan(at(1 + figuresLimits.keptDays).getTime() / 1000 - 1);
  });

  test('says that its customer came back, by the e-mail address in whatever case', async () => {
    putTest();
    await count(place(1));
    await count(place(5, { email_id: 'Ann@Example.com' }));
    expect(counted()).toEqual({ '2026-09-02 o#0': 1, '2026-09-02 r#0': 1 });
  });

  test('says the same by the customer id, which comes before the address', async () => {
    putTest();
    await count(place(1, { external_customer_id: '42' }));
    await count(place(5, { external_customer_id: '42', email_id: 'other@example.com' }));
    await count(place(6, { external_customer_id: '43' }), place(7));
    expect(counted()).toEqual({ '2026-09-02 o#0': 1, '2026-09-02 r#0': 1, '2026-09-07 o#0': 1, '2026-09-08 o#0': 1 });
  });

  test('counts a guest without address as a customer who is never seen again', async () => {
    putTest();
    await count(place(1, { email_id: '' }), place(1, { email_id: '' }));
    expect(counted()).toEqual({ '2026-09-02 o#0': 2 });
    expect(queries()).toBe(1);
  });

  test('that was placed before the first one of the customer moves them to its day', async () => {
    putTest();
    await count(place(9));
    await count(write({ after: orderOf(2, {}, at(10)) }));
    expect(counted()).toEqual({ '2026-09-03 o#0': 1, '2026-09-03 r#0': 1 });
  });

  test('counts a return after the test has ended', async () => {
    putTest({ ended_at: at(2).toISOString() });
    await count(place(1), place(20), place(40));
    expect(counted()).toEqual({ '2026-09-02 o#0': 1, '2026-09-02 r#0': 1 });
  });

  test('counts for a test that ended between the order and its counting', async () => {
    putTest();
    const waiting = place(1);
    putTest({ ended_at: at(1.5).toISOString() });
    await count(waiting);
    expect(counted()).toEqual({ '2026-09-02 o#0': 1 });
  });

  test('counts nowhere for a test that an earlier release made, which had customers that nobody counted', async () => {
    putTest({ counted: undefined });
    await count(place(1));
    await count(place(2));
    expect(counted()).toEqual({});
    expect(reads()).toBe(0);
  });

  test('of a simulation counts nowhere', async () => {
    putTest();
    await count(place(1, { simulation_id: 'simulation' }), place(2));
    expect(counted()).toEqual({ '2026-09-03 o#0': 1 });
  });
});

describe('an order that changes', () => {
  test('comes into the test of a segment that was joined in the background', async () => {
    putTest({ segment: 'vip' });
    const before = orderOf(1);
    const created = write({ after: before });
    await count(
      created,
      write({ before, after: { ...before, segments: ['vip'], updated_at: at(1.01).toISOString() } }),
    );
    expect(counted()).toEqual({ '2026-09-02 o#0': 1 });
  });

  test('leaves to a later order what comes of both, whichever of them is counted first', async () => {
    putTest({ segment: 'vip' });
    const before = orderOf(1);
    await count(write({ after: before }));
    const changed = write({ before, after: { ...before, segments: ['vip'], updated_at: at(2).toISOString() } });
    await count(place(3, { segments: ['vip'] }));
    await count(changed);
    expect(counted()).toEqual({ '2026-09-02 o#0': 1, '2026-09-02 r#0': 1 });
  });

  test('moves with its time', async () => {
    putTest();
    const before = orderOf(1, {}, at(25));
    await count(place(20));
    await count(write({ after: before }));
    expect(counted()).toEqual({ '2026-09-02 o#0': 1, '2026-09-02 r#0': 1 });
    const after = { ...before, order_placed_at: at(25).toISOString(), updated_at: at(26).toISOString() };
    await count(write({ before, after }));
    expect(counted()).toEqual({ '2026-09-21 o#0': 1, '2026-09-21 r#0': 1 });
  });

  test('leaves its customer for another one when it gets a customer id', async () => {
    putTest();
    const before = orderOf(1);
    await count(write({ after: before }));
    await count(place(3));
    expect(counted()).toEqual({ '2026-09-02 o#0': 1, '2026-09-02 r#0': 1 });
    await count(write({ before, after: { ...before, external_customer_id: '42', updated_at: at(4).toISOString() } }));
    expect(counted()).toEqual({ '2026-09-02 o#0': 1, '2026-09-04 o#0': 1 });
  });

  test('is taken away when it is removed', async () => {
    putTest();
    const first = orderOf(1);
    await count(write({ after: first }), place(3));
    await count(write({ before: first }));
    expect(counted()).toEqual({ '2026-09-04 o#0': 1 });
  });

  test('stays counted when it is erased, and nothing that follows changes that', async () => {
    putTest();
    const order = orderOf(1);
    const { email_id: _, ...nameless } = order;
    const erased = { ...nameless, erased_at: at(2).toISOString(), updated_at: at(2).toISOString() } as Order;
    await count(write({ after: order }));
    await count(write({ before: order, after: erased }));
    await count(write({ before: erased, after: { ...erased, segments: ['x'] } }));
    await count(write({ before: erased }));
    expect(counted()).toEqual({ '2026-09-02 o#0': 1 });
  });
});

describe('what is read', () => {
  test('is one query for the tests of a shop where none concerns the orders of a batch', async () => {
    putTest({ end_date: at(1).toISOString() });
    await count(place(50), place(51, { email_id: 'bob@example.com' }));
    expect([queries(), reads()]).toEqual([1, 0]);
    expect(dynamo.commandCalls(QueryCommand)[0]!.args[0].input.ConsistentRead).toBeUndefined();
  });

  test('is nothing for changes that say nothing about tests', async () => {
    putTest();
    const before = orderOf(1);
    write({ after: before });
    await count(write({ before, after: { ...before, note: 'Ring twice', updated_at: at(2).toISOString() } as Order }));
    expect([queries(), reads()]).toEqual([0, 0]);
  });

  test('is the index for a customer who orders for the first time, and each earlier order of one who comes back', async () => {
    putTest();
    await count(place(1));
    expect([queries(), reads()]).toEqual([2, 0]);
    dynamo.resetHistory();
    await count(place(2));
    expect([queries(), reads()]).toEqual([2, 1]);
  });

  test('is read once for all orders of one customer in a batch, and knows those that the index does not have yet', async () => {
    putTest();
    const [first, second] = [orderOf(1), orderOf(2)];
    await count(record({ after: first }), record({ after: second }));
    expect(counted()).toEqual({ '2026-09-02 o#0': 1, '2026-09-02 r#0': 1 });
    expect([queries(), reads()]).toEqual([2, 0]);
  });

  test('is not the orders of a customer who has too many to be a person', async () => {
    putTest();
    for (let i = 0; i <= 2 * figuresLimits.ordersOfCustomer; i++) place(1 + i / 1000);
    await count(place(3));
    expect(counted()).toEqual({});
    expect(reads()).toBe(0);
  });

  test("is not all of the orders of a customer whose texts are too long to be a person's", async () => {
    putTest();
    const note = Array.from({ length: 999_000 }, (_, i) => i % 10).join('');
    for (let i = 0; i < 60; i++) place(1 + i / 1000, { note } as Partial<Order>);
    await count(place(3));
    expect(counted()).toEqual({});
    expect(reads()).toBe(25);
  });

  test('is in parts for many orders of one customer', async () => {
    putTest();
    for (let i = 0; i < 60; i++) place(1 + i / 1000);
    await count(place(3));
    expect(reads()).toBe(60);
    const parts = dynamo.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems!);
    expect(Math.max(...parts.flatMap((part) => Object.values(part).map(({ Keys }) => Keys!.length)))).toBe(25);
    expect(counted()).toEqual({});
  });

  test('is all tests of a shop, up to five requests', async () => {
    const tests = Array.from({ length: 7 }, (_, i) => ({
      ...putTest({ uuid: `test-${i}` }),
      pk: 'pk',
      sk: `sk-${i}`,
    }));
    const pages = tests.map((made) => ({ Items: [made], LastEvaluatedKey: { pk: made.pk, sk: made.sk } }));
    const isOfTests = (input: QueryCommandInput) => input.ScanIndexForward === false;
    let page = 0;
    dynamo.on(QueryCommand).callsFake((input) => (isOfTests(input) ? pages[page++] : { Items: [] }));
    await count(place(1));
    expect(page).toBe(5);
    // Of those that were read the one with the greatest uuid decides.
    expect(counted('test-4')).toEqual({ '2026-09-02 o#0': 1 });
  });

  test('waits until orders that were made just now are in the index, where a test concerns them', async () => {
    const waited: number[] = [];
    const wait = async (ms: number) => waited.push(ms);
    const change = (after: Order) => ({ slug: 'blue', uuid: after.uuid, before: undefined, after });
    const inDays = (Date.now() - start) / (24 * 3_600_000);
    const changes = [change(orderOf(inDays)), change(orderOf(inDays - 1))];
    await testCountsOf(changes, wait);
    expect(waited).toEqual([]);
    putTest();
    await testCountsOf(changes, wait);
    expect(waited).toEqual([expect.any(Number)]);
    expect(waited[0]).toBeGreaterThan(1000);
    await testCountsOf([change(orderOf(inDays - 1))], wait);
    expect(waited[1]).toBe(0);
  });

  test('fails the whole batch if it cannot be read, which is counted once when it comes again', async () => {
    putTest();
    const batch = [place(1), place(2)];
    dynamo.on(QueryCommand).rejectsOnce(Object.assign(new Error(), { name: 'ThrottlingException' }));
    expect((await count(...batch)).batchItemFailures).toEqual([{ itemIdentifier: '1' }]);
    expect(dynamo.commandCalls(TransactWriteCommand)).toEqual([]);
    await count(...batch);
    await count(...batch);
    expect(counted()).toEqual({ '2026-09-02 o#0': 1, '2026-09-02 r#0': 1 });
  });
});

describe('a customer in more tests than one record may touch', () => {
  const manyTests = (count: number) => {
    for (let i = 0; i < count; i++) putTest({ uuid: `test-${i}`, segment: `segment-${i}` });
  };
  const inSegment = (i: number) => ({ segments: [`segment-${i}`] });
  const comesBack = async (tests: number) => {
    manyTests(tests);
    await count(...Array.from({ length: tests }, (_, i) => place(1, inSegment(i))));
    return count(place(2), place(2, { email_id: 'bob@example.com', ...inSegment(0) }));
  };

  test('is counted as long as the items fit', async () => {
    expect((await comesBack(40)).batchItemFailures).toEqual([]);
    expect(counted('test-39')).toEqual({ '2026-09-02 o#0': 1, '2026-09-02 r#0': 1 });
  });

  test('is left to a recount, and what else is in the batch is counted', async () => {
    expect((await comesBack(120)).batchItemFailures).toEqual([]);
    expect(counted('test-119')).toEqual({ '2026-09-02 o#0': 1 });
    expect(counted('test-0')).toEqual({ '2026-09-02 o#0': 1, '2026-09-03 o#0': 1 });
    expect(memoryTable.read(keyOf.dayCounts('blue', '2026-09-03'))!.orders).toBe(2);
  });

  test('leaves all of them with one order too many', async () => {
    manyTests(110);
    const orders = Array.from({ length: figuresLimits.ordersOfCustomer }, (_, i) =>
      place(1 + i / 100, inSegment(i % 110)),
    );
    await count(...orders);
    expect((await count(place(4))).batchItemFailures).toEqual([]);
    expect(sqs.commandCalls(SendMessageBatchCommand)).toEqual([]);
  });
});

describe('a stored order that cannot be read', () => {
  const hoursOld = (hours: number, record: DynamoDBRecord) => {
    record.dynamodb!.ApproximateCreationDateTime = Date.now() / 1000 - hours * 3600;
    return record;
  };
  async function damaged(document: Buffer) {
    putTest();
    const first = orderOf(1);
    await count(write({ after: first }));
    memoryTable.put({ ...orderItem('blue', first, 1), document });
  }
  const another = () => place(6, { email_id: 'bob@example.com' });
  const broken = gzipSync('{');

  test('is a fault of the record that needs it, which is put aside as one that cannot be read', async () => {
    await damaged(broken);
    expect((await count(hoursOld(1, place(5)), another())).batchItemFailures).toEqual([]);
    expect(sqs.commandCalls(SendMessageBatchCommand).length).toBe(1);
    expect(counted()).toEqual({ '2026-09-02 o#0': 1, '2026-09-07 o#0': 1 });
  });

  test('lets the records before it be counted, and those after it wait for it', async () => {
    await damaged(Buffer.from('of a newer version'));
    const records = [another(), hoursOld(1, place(5)), place(7, { email_id: 'eve@example.com' })];
    expect((await count(...records)).batchItemFailures).toEqual([{ itemIdentifier: '3' }]);
    expect(counted()).toEqual({ '2026-09-02 o#0': 1, '2026-09-07 o#0': 1 });
    expect(sqs.commandCalls(SendMessageBatchCommand)).toEqual([]);
  });

  test('fails a record that an operator sends again', async () => {
    await damaged(broken);
    const packed = gzipSync(JSON.stringify(place(5))).toString('base64');
    await handler(batchOf([{ packed }]), context);
    expect(memoryTable.read(keyOf.dayCounts('blue', '2026-09-06'))).toBeUndefined();
  });
});

test('a record whose transaction is refused is put aside alone', async () => {
  putTest();
  const refused = Object.assign(new Error(), { name: 'ValidationException', $metadata: {} });
  const batch = [place(1), place(2, { email_id: 'bob@example.com' })];
  let times = 0;
  beforeRequest(TransactWriteCommand, () => {
    if (++times <= 2) throw refused;
  });
  expect((await count(...batch)).batchItemFailures).toEqual([]);
  expect(sqs.commandCalls(SendMessageBatchCommand).length).toBe(1);
  expect(counted()).toEqual({ '2026-09-03 o#0': 1 });
});

test('a record that an operator sends again counts alone, as it would have', async () => {
  putTest();
  const first = place(1);
  await count(place(3));
  expect(counted()).toEqual({ '2026-09-02 r#0': 1 });
  const packed = gzipSync(JSON.stringify(first)).toString('base64');
  for (const _ of ['sent', 'sent again']) await handler(batchOf([{ packed }]), context);
  expect(counted()).toEqual({ '2026-09-02 o#0': 1, '2026-09-02 r#0': 1 });
});

describe('in the end the counters say what a recount of all orders says', () => {
  const tests = () => [
    putTest({ uuid: 'everybody' }),
    putTest({ uuid: 'vip', segment: 'vip', end_date: at(40).toISOString() }),
    putTest({ uuid: 'ended', segment: 'x', ended_at: at(20).toISOString() }),
  ];

  const recounted = (orders: readonly Order[], of: readonly CountedTest[]) => {
    const customers = Map.groupBy(orders, customerOf).values();
    const folded = foldCounts([...customers].flatMap((those) => countsOfCells('blue', testFigures(those, of))));
    return folded.map(({ key, steps }) => [key.sk, steps]).sort();
  };
  const inTable = () =>
    memoryTable
      .all('STATISTICS#blue')
      .filter(({ sk }) => sk.startsWith('TEST#'))
      .map(({ pk: _pk, sk, expires_at: _expires, ...counters }) => [
        sk,
        Object.fromEntries(Object.entries(counters).filter(([, step]) => step !== 0)),
      ])
      .filter(([, counters]) => Object.keys(counters as object).length > 0)
      .sort();

  const someFields = (random: (below: number) => number): Partial<Order> => ({
    order_placed_at: at(random(70)).toISOString(),
    email_id: `customer-${random(6)}@example.com`,
    segments: [[], ['vip'], ['x'], ['vip', 'x']][random(4)]!,
    ...(random(4) === 0 && { external_customer_id: `id-${random(3)}` }),
  });

  test.each([1, 2])('if orders come in whatever order from the shards of the stream (%i)', async (seed) => {
    const random = belowFrom(seed);
    const all = tests();
    const orders = Array.from({ length: 60 }, (_, i) => orderOf(0, someFields(random), at(i / 2)));
    const records = orders.map((after) => write({ after }));
    const shards = Map.groupBy(records, () => random(5)).values();
    for (const batch of [...shards].reverse()) await count(...batch);
    expect(inTable()).toEqual(recounted(orders, all));
  });

  test.each([3, 4])('if orders change and go, each counted before the next or in one batch (%i)', async (seed) => {
    const random = belowFrom(seed);
    const all = tests();
    const stored: Order[] = [];
    let waiting: DynamoDBRecord[] = [];
    for (let step = 0; step < 90; step++) {
      const place = random(stored.length + 10);
      const before = stored[place];
      const updated_at = at(step / 2).toISOString();
      const after = before
        ? { ...before, ...someFields(random), updated_at }
        : orderOf(0, someFields(random), at(step / 2));
      if (before && random(4) === 0) {
        stored.splice(place, 1);
        waiting.push(write({ before }));
      } else {
        stored.splice(before ? place : stored.length, before ? 1 : 0, after);
        waiting.push(write({ before, after }));
      }
      // A batch has all that happened since the last one.
      if (random(4) > 0) continue;
      await count(...waiting);
      waiting = [];
    }
    await count(...waiting);
    expect(inTable()).toEqual(recounted(stored, all));
  });
});
