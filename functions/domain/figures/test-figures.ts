import type { Order } from '#domain/orders/model.ts';
import { type AbTestRecord, customerOf, variantOf } from '#domain/promotions/ab-test.ts';
import { byPriority, segmentsOf } from '#domain/promotions/promotion-choice.ts';
import { type FieldNames, pick } from '#platform/pick.ts';
import { keyOf } from '#platform/table/keys.ts';
import { dayMs } from '#platform/time.ts';
import { figuresLimits } from '#schemas/catalogues/limits.ts';
import { type Count, dayOf, figuresExpiry } from './count-rules.ts';

/**
 * What the orders of customers say about A/B tests. A customer counts once in a test: in the arm that the test gives them, on the day of
 * their first order while it runs. They came back if they ordered again within thirty days, whatever they saw.
 */

export type CountedTest = Pick<
  AbTestRecord,
  'uuid' | 'segment' | 'start_date' | 'end_date' | 'ended_at' | 'created_at' | 'campaigns' | 'counted'
>;

export type TestedOrder = Pick<
  Order,
  'uuid' | 'order_placed_at' | 'external_customer_id' | 'email_id' | 'segments' | 'simulation_id' | 'erased_at'
>;

const testedFields: FieldNames<keyof TestedOrder> = {
  uuid: true,
  order_placed_at: true,
  external_customer_id: true,
  email_id: true,
  segments: true,
  simulation_id: true,
  erased_at: true,
};

/** What tests ask of an order. It has much more, and those of many customers are in memory at once. */
export const testedOrder = (order: TestedOrder): TestedOrder => pick(order, testedFields);

/** Customers of an arm whose first order was of one day. */
export interface TestCell {
  testId: string;
  day: string;
  arm: Arm;
  /** How many they are. */
  orders: number;
  /** Those of them who came back. */
  reordered: number;
}

/** The position of a campaign in its test, or the control. It does not change: nobody can change the campaigns of a test. */
export type Arm = number | typeof control;
export const control = 'c';

/** The cells that the orders of one customer give. All of them: whether a customer came back depends on the others. */
export function testFigures(orders: readonly TestedOrder[], tests: readonly CountedTest[]): TestCell[] {
  const counted = orders.filter(isCounted).sort(byTime);
  const firsts = new Map<CountedTest, TestedOrder>();
  for (const order of counted) {
    const test = testOf(order, tests);
    if (test?.counted && !firsts.has(test)) firsts.set(test, order);
  }
  return [...firsts].flatMap(([test, first]) => {
    const until = lastReturn(first.order_placed_at);
    if (counted.filter((order) => concerns(order, test)).length > figuresLimits.ordersOfCustomer) return [];
    return [
      {
        testId: test.uuid,
        day: dayOf(first.order_placed_at),
        arm: armOf(test, customerOf(first)),
        orders: 1,
        reordered: counted.some((order) => isReturn(order, first, until)) ? 1 : 0,
      },
    ];
  });
}

/** The customer of an erased order is forgotten, so it says nothing about who came back. */
const isCounted = (order: TestedOrder) =>
  order.simulation_id === undefined && order.erased_at === undefined && !isOfFuture(order);

/** Nobody places an order after the shop has sent it: such a time is wrong, and its test may not even run yet. */
const isOfFuture = ({ uuid, order_placed_at }: TestedOrder) => Date.parse(order_placed_at) > madeAt(uuid) + dayMs;

/** An order's uuid begins with the time at which it was made. */
export const madeAt = (uuid: string): number => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);

const byTime = (a: TestedOrder, b: TestedOrder) => (placeOf(a) < placeOf(b) ? -1 : 1);
const placeOf = ({ order_placed_at, uuid }: TestedOrder) => `${order_placed_at}#${uuid}`;

/** The test that decides about an order, as it does about the promotion on its page. */
function testOf({ order_placed_at: at, segments = [] }: TestedOrder, tests: readonly CountedTest[]) {
  const those = segmentsOf({ segments });
  return tests.filter((test) => runsAt(test, at) && those.includes(test.segment)).sort(byPriority)[0];
}

/** Undefined: nobody has ended it yet. */
interface Times {
  start: string;
  end: string | undefined;
  /** When the last customers can come back. */
  lastReturn: string | undefined;
}

const known = new WeakMap<CountedTest, Times>();

/** Once for a test that was read: a batch asks for each of its orders. */
function timesOf(test: CountedTest): Times {
  const times = known.get(test) ?? newTimes(test);
  known.set(test, times);
  return times;
}

function newTimes({ start_date, created_at, end_date, ended_at }: CountedTest): Times {
  const end = [end_date, ended_at].filter((time) => time !== null).sort()[0];
  // A test that begins in the past was not there before it was made.
  return { start: start_date > created_at ? start_date : created_at, end, lastReturn: end && lastReturn(end) };
}

function runsAt(test: CountedTest, at: string): boolean {
  const { start, end } = timesOf(test);
  return at >= start && (end === undefined || at < end);
}

/** The first and the last moment at which orders can say something about a test. */
export function periodOf(test: CountedTest): { from: string; to: string | undefined } {
  const { start, lastReturn: to } = timesOf(test);
  return { from: start, to };
}

/** The same for several tests, at least one. */
export function periodOfAll(tests: readonly CountedTest[]): { from: string; to?: string } {
  const periods = tests.map(periodOf);
  const from = periods.map((period) => period.from).sort()[0]!;
  const ends = periods.map(({ to }) => to);
  return ends.includes(undefined) ? { from } : { from, to: ends.sort().at(-1)! };
}

/**
 * Whether an order can say something about a test: it is placed while it runs, or when its last customers come back. A test
 * that a release made which counted nothing is not counted: its customers of then are missing, and only who came back would be
 * seen. It still decides about its orders, which are in no other test.
 */
export function concerns({ order_placed_at: at }: Pick<TestedOrder, 'order_placed_at'>, test: CountedTest): boolean {
  if (!test.counted) return false;
  const { start, lastReturn: to } = timesOf(test);
  return at >= start && (to === undefined || at <= to);
}

/** Two orders of the same moment are one purchase. */
const isReturn = ({ order_placed_at: at }: TestedOrder, { order_placed_at: first }: TestedOrder, until: string) =>
  at > first && at <= until;

const lastReturn = (at: string) => new Date(Date.parse(at) + figuresLimits.reorderDays * dayMs).toISOString();

function armOf(test: CountedTest, customer: string): Arm {
  const variant = variantOf(test, customer);
  return variant === undefined ? control : test.campaigns.findIndex(({ campaign_id }) => campaign_id === variant);
}

export const orderedCounter = (arm: Arm) => `o#${arm}`;
export const reorderedCounter = (arm: Arm) => `r#${arm}`;

/** What cells add to counters. */
export function countsOfCells(slug: string, cells: readonly TestCell[]): Count[] {
  return cells.flatMap(({ testId, day, arm, orders, reordered }) => {
    const item = { key: keyOf.testCounts(slug, testId, day), expires_at: figuresExpiry(day) };
    return [
      { ...item, name: orderedCounter(arm), step: orders },
      { ...item, name: reorderedCounter(arm), step: reordered },
    ];
  });
}
