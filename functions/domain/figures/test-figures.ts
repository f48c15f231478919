import type { Order } from '#domain/orders/model.ts';
import { type AbTestRecord, customerOf, variantOf } from '#domain/promotions/ab-test.ts';
import { byPriority, segmentsOf } from '#domain/promotions/promotion-choice.ts';
import { keyOf } from '#platform/table/keys.ts';
import { figuresLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import { type Count, dayOf, figuresExpiry } from './count-rules.ts';

/**
 * What the orders of customers say about A/B tests. A customer counts once in a test: in the arm that the test gives them, on the day of
 * their first order while it runs. They came back if they ordered again within thirty days, whatever they saw.
 */

export type CountedTest = Pick<
  AbTestRecord,
  'uuid' | 'segment' | 'start_date' | 'end_date' | 'ended_at' | 'created_at' | 'campaigns'
>;

export type TestedOrder = Pick<
  Order,
  'uuid' | 'order_placed_at' | 'external_customer_id' | 'email_id' | 'segments' | 'simulation_id' | 'erased_at'
>;

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
    if (test && !firsts.has(test)) firsts.set(test, order);
  }
  return [...firsts].flatMap(([test, first]) => {
    if (counted.filter((order) => concerns(order, test)).length > figuresLimits.ordersOfCustomer) return [];
    return [
      {
        testId: test.uuid,
        day: dayOf(first.order_placed_at),
        arm: armOf(test, customerOf(first)),
        orders: 1,
        reordered: counted.some((order) => isReturn(order, first)) ? 1 : 0,
      },
    ];
  });
}

/** The customer of an erased order is forgotten, so it says nothing about who came back. */
const isCounted = ({ simulation_id, erased_at }: TestedOrder) => simulation_id === undefined && erased_at === undefined;

const byTime = (a: TestedOrder, b: TestedOrder) => (placeOf(a) < placeOf(b) ? -1 : 1);
const placeOf = ({ order_placed_at, uuid }: TestedOrder) => `${order_placed_at}#${uuid}`;

/** The test that decides about an order, as it does about the promotion on its page. */
function testOf({ order_placed_at: at, segments = [] }: TestedOrder, tests: readonly CountedTest[]) {
  const those = segmentsOf({ segments });
  return tests.filter((test) => runsAt(test, at) && those.includes(test.segment)).sort(byPriority)[0];
}

/** A test that begins in the past was not there before it was made. */
const startOf = ({ start_date, created_at }: CountedTest) => (start_date > created_at ? start_date : created_at);

/** Undefined: nobody has ended it yet. */
function endOf({ end_date, ended_at }: CountedTest): string | undefined {
  return [end_date, ended_at].filter((end) => end !== null).sort()[0];
}

function runsAt(test: CountedTest, at: string): boolean {
  const end = endOf(test);
  return at >= startOf(test) && (end === undefined || at < end);
}

/** The first and the last moment at which orders can say something about a test. */
export function periodOf(test: CountedTest): { from: string; to: string | undefined } {
  const end = endOf(test);
  return { from: startOf(test), to: end && lastReturn(end) };
}

/** Whether an order can say something about a test: it is placed while it runs, or when its last customers come back. */
export function concerns({ order_placed_at: at }: Pick<TestedOrder, 'order_placed_at'>, test: CountedTest): boolean {
  const { from, to } = periodOf(test);
  return at >= from && (to === undefined || at <= to);
}

/** Two orders of the same moment are one purchase. */
const isReturn = ({ order_placed_at: at }: TestedOrder, { order_placed_at: first }: TestedOrder) =>
  at > first && at <= lastReturn(first);

const lastReturn = (at: string) =>
  new Date(Date.parse(at) + secondsOfDays(figuresLimits.reorderDays) * 1000).toISOString();

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
