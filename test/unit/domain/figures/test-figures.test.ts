import { describe, expect, test } from 'vitest';
import { type CountedTest, concerns, type TestedOrder, testFigures } from '#domain/figures/test-figures.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { variantOf } from '#domain/promotions/ab-test.ts';
import { everybody } from '#schemas/catalogues/enumerations.ts';
import { figuresLimits } from '#schemas/catalogues/limits.ts';

const start = '2026-09-01T00:00:00.000Z';
const day = (days: number, hour = 12) => new Date(Date.parse(start) + (days * 24 + hour) * 3_600_000).toISOString();
const dateOf = (days: number) => day(days).slice(0, 10);

const aTest = (changes: Partial<CountedTest> = {}): CountedTest => ({
  uuid: 'test-1',
  segment: everybody,
  start_date: start,
  created_at: start,
  end_date: null,
  ended_at: null,
  campaigns: [
    { campaign_id: 'first', allocation: 40 },
    { campaign_id: 'second', allocation: 40 },
  ],
  counted: true,
  ...changes,
});

let made = 0;
const order = (days: number, changes: Partial<TestedOrder> = {}): TestedOrder => ({
  uuid: `order-${String(++made).padStart(6, '0')}`,
  order_placed_at: day(days),
  email_id: 'ann@example.com',
  ...changes,
});

const days = (orders: TestedOrder[], ...tests: CountedTest[]) => testFigures(orders, tests).map((cell) => cell.day);
const reordered = (orders: TestedOrder[], ...tests: CountedTest[]) =>
  testFigures(orders, tests).map((cell) => cell.reordered);

describe('a customer of a test', () => {
  test('counts once, on the day of the first order while it runs', () => {
    expect(days([order(3), order(1), order(90), order(-1)], aTest())).toEqual([dateOf(1)]);
  });

  test('came back with an order within thirty days after the first', () => {
    expect(reordered([order(1)], aTest())).toEqual([0]);
    expect(reordered([order(1), order(31)], aTest())).toEqual([1]);
    expect(reordered([order(1), order(31, { order_placed_at: day(31, 12.001) })], aTest())).toEqual([0]);
  });

  test('does not come back by two orders of one moment', () => {
    expect(reordered([order(1), order(1)], aTest())).toEqual([0]);
  });

  test('comes back after the test has ended, and in whatever segment', () => {
    const ended = aTest({ segment: 'vip', end_date: day(2) });
    expect(reordered([order(1, { segments: ['vip'] }), order(20)], ended)).toEqual([1]);
  });

  test('is in the arm that decides what the tracking page shows', () => {
    const all = Array.from({ length: 500 }, (_, i) => `customer-${i}`);
    const armsSeen = new Set<number | string>();
    for (const external_customer_id of all) {
      const [cell] = testFigures([order(1, { external_customer_id })], [aTest()]);
      const shown = variantOf(aTest(), external_customer_id);
      expect(cell!.arm).toBe(shown === undefined ? 'c' : ['first', 'second'].indexOf(shown));
      armsSeen.add(cell!.arm);
    }
    expect([...armsSeen].sort()).toEqual([0, 1, 'c']);
  });

  test('is nobody with more orders than a person places', () => {
    const many = Array.from({ length: figuresLimits.ordersOfCustomer }, (_, i) => order(i / 10));
    expect(days(many, aTest())).toEqual([dateOf(0)]);
    expect(days([...many, order(5)], aTest())).toEqual([]);
    expect(days([...many, order(-5)], aTest())).toEqual([dateOf(0)]);
  });
});

describe('a test of an earlier release', () => {
  const unmarked = aTest({ segment: 'vip', counted: undefined as never });

  test('has no customers, and concerns no order', () => {
    expect(days([order(1, { segments: ['vip'] })], unmarked)).toEqual([]);
    expect(concerns(order(1), unmarked)).toBe(false);
  });

  test('still decides about its orders, which are in no other test', () => {
    const everyone = aTest({ uuid: 'test-2' });
    expect(days([order(1, { segments: ['vip'] })], unmarked, everyone)).toEqual([]);
    expect(days([order(1)], unmarked, everyone)).toEqual([dateOf(1)]);
  });
});

describe('an order that was placed after it was made', () => {
  const madeOn = (days: number) => newOrderId(new Date(day(days)));

  test('by more than a day is in no test', () => {
    expect(days([order(3, { uuid: madeOn(2) })], aTest())).toEqual([dateOf(3)]);
    expect(days([order(3, { uuid: madeOn(1.9) })], aTest())).toEqual([]);
    expect(days([order(1, { uuid: madeOn(30) })], aTest())).toEqual([dateOf(1)]);
  });

  test('by more than a day brings nobody back', () => {
    expect(reordered([order(1), order(5, { uuid: madeOn(1) })], aTest())).toEqual([0]);
  });
});

test('the times of a test are computed once, however many orders ask', () => {
  let asked = 0;
  const watched = Object.defineProperty(aTest(), 'end_date', {
    get: () => {
      asked += 1;
      return null;
    },
  });
  const orders = Array.from({ length: 50 }, (_, i) => order(i));
  expect(days(orders, watched)).toEqual([dateOf(0)]);
  expect(concerns(orders[0]!, watched)).toBe(true);
  expect(asked).toBe(1);
});

describe('an order', () => {
  test.each<[string, Partial<TestedOrder>, Partial<CountedTest>]>([
    ['of a simulation', { simulation_id: 'simulation' }, {}],
    ['that was erased', { erased_at: day(2) }, {}],
    ['of another segment', { segments: ['newsletter'] }, { segment: 'vip' }],
    ['before the start', {}, { start_date: day(2) }],
    ['before somebody made the test', {}, { created_at: day(2) }],
    ['at the end', {}, { end_date: day(1) }],
    ['after somebody ended the test', {}, { end_date: day(9), ended_at: day(0) }],
  ])('%s is in no test', (_, changes, ofTest) => {
    expect(days([order(1, changes)], aTest(ofTest))).toEqual([]);
  });

  test('before somebody ended the test stays in it', () => {
    expect(days([order(1)], aTest({ end_date: day(9), ended_at: day(2) }))).toEqual([dateOf(1)]);
  });

  test('is in the one test that decides about its page: that of its own segment, then the latest', () => {
    const tests = [
      aTest({ uuid: 'all' }),
      aTest({ uuid: 'vip', segment: 'vip' }),
      aTest({ uuid: 'late', segment: 'x' }),
    ];
    const inTests = (segments: string[]) => testFigures([order(1, { segments })], tests).map(({ testId }) => testId);
    expect(inTests([])).toEqual(['all']);
    expect(inTests(['vip'])).toEqual(['vip']);
    tests[2]!.start_date = day(0);
    expect(inTests(['vip', 'x'])).toEqual(['late']);
  });

  test('counts a customer in two tests if they decided about two orders', () => {
    const [before, after] = [aTest({ uuid: 'before', end_date: day(5) }), aTest({ uuid: 'after', start_date: day(6) })];
    const cells = testFigures([order(1), order(8)], [before, after]);
    expect(cells.map(({ testId, reordered }) => [testId, reordered])).toEqual([
      ['before', 1],
      ['after', 0],
    ]);
  });
});
