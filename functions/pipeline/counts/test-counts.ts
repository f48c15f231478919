import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Changed, type Count, difference } from '#domain/figures/count-rules.ts';
import {
  type CountedTest,
  concerns,
  countsOfCells,
  madeAt,
  periodOfAll,
  type TestedOrder,
  testedOrder,
  testFigures,
} from '#domain/figures/test-figures.ts';
import type { Order } from '#domain/orders/model.ts';
import { type StoredItem, toOrder } from '#domain/orders/order-items.ts';
import { customerOf } from '#domain/promotions/ab-test.ts';
import { chunks, loadOnce, mapConcurrently } from '#platform/batches.ts';
import { logger } from '#platform/logging.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf, orderIdIn, partitionOf, recordPrefix, recordsIn, shopOfOrder } from '#platform/table/keys.ts';
import { batchGet, itemsIn, queryPages } from '#platform/table/reads.ts';
import { toRecord } from '#platform/table/records.ts';
import { UnknownForm } from '#platform/unknown-form.ts';
import { isOutage } from '#platform/verdicts.ts';
import { figuresLimits } from '#schemas/catalogues/limits.ts';
import { changeKindOf } from '#schemas/catalogues/stream-kinds.ts';
import { both, type Image, orderIn, type RecordImages } from './changes.ts';

/**
 * What records of orders add to the counters of A/B tests. Whether a customer came back depends on their other orders, so
 * these are read, and an order adds what is new with it: the figures with it less the figures without it. Each pair of orders
 * must be seen by one of the two only. So an order looks at those whose uuid is smaller, and a change at those that were
 * there when it happened, in whatever order the records come: shards of the stream are read at the same time.
 *
 * What that costs in exactness: two orders of one customer that are written in the same moments, such as by one bulk request that
 * takes longer than `settledMs`, and an order that changes between the record of another one and its counting. Then a
 * customer may count twice, or not as one who came back, until somebody counts the shop anew. The same is true of an order in more
 * tests than `maxItems`, and of a customer whose orders are too many or too long to be read here.
 */

/** A change of an order that may add to the figures of tests. */
export interface OrderChange extends Changed<Order> {
  slug: string;
  uuid: string;
}

/** Undefined if a record says nothing about tests. Throws if it cannot be read. */
export function orderChangeIn({ pk, sk, images }: RecordImages): OrderChange | undefined {
  if (changeKindOf('counts', sk) !== 'order_change' || isSameDocument(images)) return undefined;
  const { before, after } = both(images, orderIn);
  return isCountedAlike(before, after) ? undefined : { slug: shopOfOrder(pk), uuid: orderIdIn(pk), before, after };
}

/** Then the order need not be unpacked. */
const isSameDocument = ({ before, after }: Changed<Image>): boolean =>
  before !== undefined && after !== undefined && isDeepStrictEqual(before.document, after.document);

/**
 * An erasure takes nothing back: the figures say nothing about a person. What becomes of an erased order afterwards says
 * nothing new about its customer, who is unknown.
 */
function isCountedAlike(before: Order | undefined, after: Order | undefined): boolean {
  if ([before, after].some((order) => order?.simulation_id !== undefined || order?.erased_at !== undefined))
    return true;
  return before !== undefined && after !== undefined && countedOf(before) === countedOf(after);
}

const countedOf = (order: Order) =>
  JSON.stringify([customerOf(order), order.order_placed_at, [...(order.segments ?? [])].sort()]);

/** A change, and where its record stands in the batch. */
interface PlacedChange extends OrderChange {
  place: number;
}

/** What a record adds, or why that cannot be known: then it adds nothing. */
export interface TestCounts {
  counts: Count[];
  error?: unknown;
}

/**
 * What the changes of a batch add, each for itself: a stored order that cannot be read is a fault of the records that need it.
 * An outage fails the batch, which comes again. Most batches have no such change, and read nothing.
 */
export async function testCountsOf(
  records: readonly (OrderChange | undefined)[],
  wait: (ms: number) => Promise<unknown> = pause,
): Promise<TestCounts[]> {
  const changes = records.flatMap((change, place) => (change ? [{ ...change, place }] : []));
  const newest = Math.max(...changes.map(({ uuid }) => madeAt(uuid)));
  const batch: Batch = {
    changes: Map.groupBy(changes, idOf),
    settled: loadOnce(() => wait(Math.min(Math.max(0, newest + settledMs - Date.now()), settledMs))),
    testsOf: loadOnce(readTests),
    ordersAt: loadOnce((place) => readOrders(JSON.parse(place), batch)),
  };
  const added: TestCounts[] = records.map(() => ({ counts: [] }));
  await mapConcurrently(
    changes,
    async (change) => {
      const tests = await batch.testsOf(change.slug);
      try {
        added[change.place] = { counts: bounded(change, await countsOf(change, tests, batch)) };
      } catch (error) {
        if (isOutage(error) && !(error instanceof UnknownForm)) throw error;
        added[change.place] = { counts: [], error };
      }
    },
    atOnce,
  );
  return added;
}

/** Of the customers of a batch: as many have their orders in memory. */
const atOnce = 4;

/**
 * Items of tests that one record may touch, so that these and its others fit into a transaction. A shop can have hundreds of tests
 * at a time, in as many segments, and one order can be the return of a customer to all of them.
 */
const maxItems = 40;

/** All or nothing: some of them would be no more right. */
function bounded({ slug, uuid }: OrderChange, counts: Count[]): Count[] {
  const items = new Set(counts.map(({ key }) => key.sk)).size;
  if (items <= maxItems) return counts;
  logger.warn('order in too many A/B tests, which only a recount counts', { slug, uuid, items });
  return [];
}

/**
 * After it was made, an order is in the table and in its indexes, and so are those that have a smaller uuid. Most batches
 * have waited for longer.
 */
const settledMs = 3000;

/** What several records of a batch need is read once. */
interface Batch {
  /** The changes of each order. */
  changes: ReadonlyMap<string, readonly PlacedChange[]>;
  testsOf: (slug: string) => Promise<CountedTest[]>;
  /** Waits until its newest order has settled. */
  settled: (name: 'newest') => Promise<unknown>;
  /** The stored orders of a customer. @param place a CustomerPlace in JSON */
  ordersAt: (place: string) => Promise<TestedOrder[] | undefined>;
}

const idOf = ({ slug, uuid }: Pick<OrderChange, 'slug' | 'uuid'>) => `${slug}#${uuid}`;

/**
 * The tests of a shop, the newest that a few requests read: each about a thousand. Not consistently, for half the price: a test
 * that somebody has just made waits for its first orders.
 */
async function readTests(slug: string): Promise<CountedTest[]> {
  const tests: CountedTest[] = [];
  let requests = 0;
  const query = itemsIn(recordsIn('abTests', slug), { prefix: recordPrefix });
  for await (const items of queryPages({ ...query, ScanIndexForward: false })) {
    for (const item of items) tests.push(toRecord<CountedTest>(item));
    if (++requests === maxRequests) break;
  }
  return tests;
}

const maxRequests = 5;

/** Where the orders of a customer are, and the part of them that tests need. */
interface CustomerPlace {
  slug: string;
  partition: string;
  from: string;
  to?: string;
}

async function countsOf(change: PlacedChange, tests: readonly CountedTest[], batch: Batch): Promise<Count[]> {
  const { slug, before, after } = change;
  const concerned = tests.filter((test) => [before, after].some((order) => order && concerns(order, test)));
  if (concerned.length === 0) return [];
  const isSame = before && after && customerOf(before) === customerOf(after);
  const customers = isSame
    ? [change]
    : [
        { ...change, after: undefined },
        { ...change, before: undefined },
      ];
  const counts = customers.map(async (one) => {
    const shown = one.after ?? one.before;
    const others = shown ? await othersOf(shown, change, concerned, batch) : undefined;
    if (!others) return [];
    const cells = (order: Order | undefined) =>
      countsOfCells(slug, testFigures(order ? [...others, order] : others, tests));
    return difference(cells(one.before), cells(one.after));
  });
  return (await Promise.all(counts)).flat();
}

/** The other orders of a customer that a change looks at. Undefined if they are too many to be a person's. */
async function othersOf(
  order: Order,
  change: PlacedChange,
  tests: readonly CountedTest[],
  batch: Batch,
): Promise<TestedOrder[] | undefined> {
  const { slug } = change;
  const partition = partitionOfCustomer(slug, order);
  if (partition === undefined) return []; // nobody knows who comes back
  const place: CustomerPlace = { slug, partition, ...periodOfAll(tests) };
  await batch.settled('newest');
  const stored = await batch.ordersAt(JSON.stringify(place));
  if (!stored) return undefined;
  const inBatch = [...batch.changes.values()].filter(([first]) => first!.slug === slug);
  const known = [...stored, ...inBatch.flatMap((changes) => stateAt(changes, change) ?? [])];
  const customer = customerOf(order);
  return known.filter((other) => other.uuid !== change.uuid && customerOf(other) === customer && isSeen(other, change));
}

/** The index knows some orders of the batch a moment later, and they may have changed in the batch since. */
function stateAt(changes: readonly PlacedChange[], { place, before }: PlacedChange): Order | undefined {
  const last = changes.findLast((change) => change.place < place);
  if (last) return last.after;
  const [next] = changes;
  // A new order looks at all with a smaller uuid, and a change at what was there.
  return next!.before ?? (before ? undefined : next!.after);
}

function isSeen(other: TestedOrder, { uuid, before, after }: OrderChange): boolean {
  if (!before) return other.uuid < uuid;
  return !after || madeAt(other.uuid) < Date.parse(after.updated_at);
}

/** As `customerOf` tells customers apart. */
function partitionOfCustomer(slug: string, { external_customer_id, email_id }: Order): string | undefined {
  if (external_customer_id?.trim()) return partitionOf.ordersByCustomerId(slug, external_customer_id);
  return email_id?.trim() ? partitionOf.ordersByEmail(slug, email_id) : undefined;
}

/** Entries that one customer may have in the index: some of an e-mail address may be of others, by their customer ids. */
const maxEntries = 2 * figuresLimits.ordersOfCustomer;

/**
 * The stored orders of a customer, without those of the batch, whose images say more. The index has neither segments nor who
 * is a customer by another id, so the orders themselves are read: of a customer who orders for the first time none.
 */
async function readOrders(
  { slug, partition, from, to }: CustomerPlace,
  batch: Batch,
): Promise<TestedOrder[] | undefined> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      // The uuid of an order follows its time.
      ...itemsIn(partition, { index: 'order_emails', from, ...(to !== undefined && { to: `${to}~` }) }),
      TableName: tableName(),
      ProjectionExpression: 'timeline_sk',
      Limit: maxEntries + 1,
    }),
  );
  if (Items.length > maxEntries) return undefined;
  const ids = Items.map(({ timeline_sk }) => String(timeline_sk).split('#')[1]!);
  const others = ids.filter((uuid) => !batch.changes.has(idOf({ slug, uuid })));
  const orders: TestedOrder[] = [];
  const text = { bytes: 0 };
  for (const some of chunks(others, ordersPerRead)) {
    const keys = some.map((uuid) => keyOf.order(slug, uuid));
    for (const item of await batchGet(keys, { attributes: ['document'] }))
      if (item && text.bytes <= maxTextBytes) orders.push(readOrder(item as unknown as StoredItem, text));
    if (text.bytes > maxTextBytes) return undefined;
  }
  return orders;
}

/** A stored order may have 350 KB, and many times as much as text. */
const ordersPerRead = 25;

/** Of all orders of a customer. Those of a person have some kilobytes each. */
const maxTextBytes = 20 * 1024 * 1024;

function readOrder(item: StoredItem, text: { bytes: number }): TestedOrder {
  const addText = (bytes: number) => {
    text.bytes += bytes;
  };
  return testedOrder(toOrder(item, { addShipments: () => {}, addText }));
}
