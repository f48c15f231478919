import { figuresExpiry } from '#domain/figures/count-rules.ts';
import {
  type CountedTest,
  concerns,
  countsOfCells,
  periodOf,
  periodOfAll,
  type TestedOrder,
  testedOrder,
  testFigures,
} from '#domain/figures/test-figures.ts';
import { type StoredItem, toOrder } from '#domain/orders/order-items.ts';
import { customerOf } from '#domain/promotions/ab-test.ts';
import { chunks } from '#platform/batches.ts';
import { partitionOf, recordPrefix, recordsIn, statisticsOf, testCountsPrefix } from '#platform/table/keys.ts';
import { itemsIn } from '#platform/table/reads.ts';
import { toRecord } from '#platform/table/records.ts';
import {
  type CountSource,
  countersIn,
  earlyExpiryIn,
  itemsOf,
  pagesIn,
  type TableAccess,
  wholeItemsOf,
} from './recount-source.ts';

/** What the customers of a shop did who are in its A/B tests, by all their orders. */
export async function testSource(access: TableAccess, slug: string, now: Date): Promise<CountSource> {
  const records = await Array.fromAsync(itemsOf(access, itemsIn(recordsIn('abTests', slug), { prefix: recordPrefix })));
  const tests = records.map((record) => toRecord<CountedTest>(record)).filter(hasPeriod);
  const withErased = new Set<CountedTest>();
  return {
    stored: () => storedTests(access, slug, now),
    counted: () => countedTests(access, slug, tests, withErased, now),
    beginningOf: ({ key }) => Date.parse(dayIn(key.sk)),
    leftAlone: () => [...withErased].map(({ uuid }) => ({ name: `A/B test ${uuid}`, prefix: testCountsPrefix(uuid) })),
  };
}

/** One that was ended long before its start has none, and DynamoDB takes no range that ends before it begins. */
function hasPeriod(test: CountedTest): boolean {
  const { from, to } = periodOf(test);
  return to === undefined || from <= to;
}

const prefix = 'TEST#';
const dayIn = (sk: string) => sk.slice(-'yyyy-mm-dd'.length);
const isKept = (sk: string, now: Date) => figuresExpiry(dayIn(sk)) * 1000 > now.getTime();

async function* storedTests(access: TableAccess, slug: string, now: Date) {
  for await (const page of pagesIn(access, itemsIn(statisticsOf(slug), { prefix })))
    yield page
      .filter(({ sk }) => isKept(sk, now))
      .flatMap((item) => [...earlyExpiryIn(item, figuresExpiry(dayIn(item.sk))), ...countersIn(item)]);
}

/** So many orders are in memory at once. */
const ordersAtOnce = 250_000;

/**
 * Whether a customer came back depends on all orders of theirs, so these are held together: of a part of the customers at a
 * time, if the shop has many.
 */
async function* countedTests(
  access: TableAccess,
  slug: string,
  tests: readonly CountedTest[],
  withErased: Set<CountedTest>,
  now: Date,
) {
  if (tests.length === 0) return;
  const entries = itemsIn(partitionOf.orders(slug), { index: 'timeline', ...rangeOf(tests) });
  let count = 0;
  for await (const page of pagesIn(access, entries)) count += page.length;
  const parts = Math.ceil(count / ordersAtOnce);
  for (let part = 0; part < parts; part++) {
    const ofCustomers = new Map<string, TestedOrder[]>();
    for await (const items of wholeItemsOf(access, entries)) {
      for (const order of items.map((item) => toOrder(item as unknown as StoredItem))) {
        const concerned = order.simulation_id === undefined ? tests.filter((test) => concerns(order, test)) : [];
        if (order.erased_at !== undefined) for (const test of concerned) withErased.add(test);
        const customer = customerOf(order);
        if (concerned.length === 0 || partOf(customer, parts) !== part) continue;
        const known = ofCustomers.get(customer);
        if (known) known.push(testedOrder(order));
        else ofCustomers.set(customer, [testedOrder(order)]);
      }
    }
    for (const some of chunks([...ofCustomers.values()], 1000)) {
      const counts = some.flatMap((orders) => countsOfCells(slug, testFigures(orders, tests)));
      yield counts.filter(({ key }) => isKept(key.sk, now));
    }
  }
}

function rangeOf(tests: readonly CountedTest[]) {
  const { from, to } = periodOfAll(tests);
  // The uuid of an order follows its time.
  return to === undefined ? { from } : { from, to: `${to}~` };
}

/** Which part of the customers one is in. */
function partOf(customer: string, parts: number): number {
  let sum = 0;
  for (const letter of customer) sum = (sum * 31 + letter.codePointAt(0)!) % 65_521;
  return sum % parts;
}
