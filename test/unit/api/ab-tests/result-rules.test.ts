import { describe, expect, test } from 'vitest';
import { type Counted, type PlannedTest, resultsOf } from '#api/ab-tests/result-rules.ts';
import type { Arm, TestCell } from '#domain/figures/test-figures.ts';
import { randomFrom } from '#test/kit/random-from.ts';

const now = new Date('2026-11-17T09:00:00.000Z');
const lastObserved = '2026-10-17';
const tooYoung = '2026-10-18';

const aTest = (allocations: number[], holdout = 0): PlannedTest => ({
  campaigns: allocations.map((allocation, i) => ({ campaign_id: `campaign-${i}`, allocation })),
  has_holdout: holdout > 0,
  holdout_percentage: holdout,
});

const cell = (arm: Arm, orders: number, reordered = 0, day = lastObserved): TestCell => ({
  testId: 'test',
  day,
  arm,
  orders,
  reordered,
});

const nothing = { shown: 0, clicked: 0 };
const results = (plan: PlannedTest, counted: Partial<Counted>) =>
  resultsOf(plan, { cells: [], promotions: plan.campaigns.map(() => nothing), ...counted }, now);

const pairs = (plan: PlannedTest, counted: Partial<Counted> = {}) =>
  results(plan, counted).comparisons.map(({ arm, against, metric }) => `${metric}: ${arm} against ${against}`);

describe('the arms of a result', () => {
  test('are the control and the campaigns in the order of the test, with nothing before it starts', () => {
    const { arms, decision, srm } = results(aTest([40, 40], 20), {});
    const rates = { clicked: null, reordered: null };
    const zeros = { orders: 0, orders_observed: 0, shown: 0, clicked: 0, reordered: 0, rates };
    expect(arms).toEqual([null, 'campaign-0', 'campaign-1'].map((campaign_id) => ({ campaign_id, ...zeros })));
    expect({ decision, srm }).toEqual({ decision: 'undecided', srm: { p_value: 1, ok: true } });
  });

  test('have no control where nobody is held out', () => {
    const none = { ...aTest([100]), has_holdout: true, holdout_percentage: 0 };
    expect(results(none, {}).arms.map(({ campaign_id }) => campaign_id)).toEqual(['campaign-0']);
  });

  test('count all customers, and as observed those who had thirty days', () => {
    const cells = [cell(0, 10, 3), cell(0, 7, 7, tooYoung), cell('c', 4, 1, '2026-08-01')];
    const { arms } = results(aTest([80], 20), { cells, promotions: [{ shown: 8, clicked: 2 }] });
    expect(arms).toEqual([
      {
        ...{ campaign_id: null, orders: 4, orders_observed: 4, shown: 0, clicked: 0, reordered: 1 },
        rates: { clicked: null, reordered: 0.25 },
      },
      {
        ...{ campaign_id: 'campaign-0', orders: 17, orders_observed: 10, shown: 8, clicked: 2, reordered: 3 },
        rates: { clicked: 0.25, reordered: 0.3 },
      },
    ]);
  });

  test('are never below zero, and have no more successes than trials', () => {
    const cells = [cell(0, -1, 2)];
    const [arm] = results(aTest([100]), { cells, promotions: [{ shown: 1, clicked: 2 }] }).arms;
    expect(arm).toMatchObject({ orders: 0, orders_observed: 0, reordered: 0, shown: 1, clicked: 1 });
  });
});

describe('the comparisons of a result', () => {
  test('are against the control, and of clicks between campaigns', () => {
    expect(pairs(aTest([40, 40], 20))).toEqual([
      'reordered: campaign-0 against null',
      'reordered: campaign-1 against null',
      'clicked: campaign-1 against campaign-0',
    ]);
  });

  test('are against the first campaign without a control', () => {
    expect(pairs(aTest([50, 30, 20]))).toEqual([
      'reordered: campaign-1 against campaign-0',
      'reordered: campaign-2 against campaign-0',
      'clicked: campaign-1 against campaign-0',
      'clicked: campaign-2 against campaign-0',
    ]);
  });

  test('leave out campaigns that nobody gets', () => {
    expect(pairs(aTest([0, 50, 30], 20))).toEqual([
      'reordered: campaign-1 against null',
      'reordered: campaign-2 against null',
      'clicked: campaign-2 against campaign-1',
    ]);
    expect(pairs(aTest([0, 100]))).toEqual([]);
    expect(pairs(aTest([100]))).toEqual([]);
  });

  test('are wider the more there are, so that all hold together', () => {
    const cells = [cell('c', 1000, 100), cell(0, 1000, 200)];
    const width = (plan: PlannedTest) => {
      const { low, high } = results(plan, { cells }).comparisons[0]!;
      return high - low;
    };
    expect(width(aTest([40, 40], 20))).toBeGreaterThan(width(aTest([50], 50)));
  });

  test('show the difference once both arms have customers', () => {
    const comparison = (cells: TestCell[]) => results(aTest([50], 50), { cells }).comparisons[0];
    expect(comparison([cell(0, 10, 2)])).toMatchObject({ difference: null, low: -1, high: 1, verdict: 'undecided' });
    expect(comparison([cell(0, 10, 2), cell('c', 10, 1)])).toMatchObject({ difference: 0.1, verdict: 'undecided' });
  });
});

describe('clicks', () => {
  const plan = aTest([50, 50]);
  const clicked = (shown: number, customers: number) => {
    const promotions = [
      { shown, clicked: shown * 0.1 },
      { shown, clicked: shown * 0.2 },
    ];
    const { comparisons, arms } = results(plan, { cells: [cell(0, customers), cell(1, customers)], promotions });
    return { ...comparisons[1]!, rates: arms.map(({ rates }) => rates.clicked) };
  };

  test('of many pages of a customer say as much as one page of each, with the rates that were seen', () => {
    const { low, high } = clicked(500, 500);
    expect(clicked(10_000, 500)).toMatchObject({ low, high, difference: 0.1, rates: [0.1, 0.2] });
    expect(clicked(500, 10_000)).toMatchObject({ low, high });
    expect(high - low).toBeGreaterThan(clicked(10_000, 10_000).high - clicked(10_000, 10_000).low);
  });

  test('decide nothing in a test whose customers are not counted', () => {
    expect(clicked(10_000, 0)).toMatchObject({ difference: null, verdict: 'undecided', rates: [0.1, 0.2] });
  });

  /** Whether two arms that do not differ ever look as if they did: a tenth of the customers click nearly always. */
  function isCalled(random: () => number, customers: number, pages: number, looks: number): boolean {
    const all = Array.from({ length: customers }, () => ({
      arm: random() < 0.5 ? 0 : 1,
      rate: random() < 0.1 ? 0.8 : 0.02,
    }));
    const seen = [new Set<number>(), new Set<number>()];
    const promotions = [{ ...nothing }, { ...nothing }];
    return Array.from({ length: looks }).some(() => {
      for (let page = 0; page < (customers * pages) / looks; page++) {
        const who = Math.floor(random() * customers);
        const { arm, rate } = all[who]!;
        seen[arm]!.add(who);
        promotions[arm]!.shown += 1;
        if (random() < rate) promotions[arm]!.clicked += 1;
      }
      const cells = seen.map(({ size }, arm) => cell(arm, size));
      return results(plan, { cells, promotions }).comparisons[1]!.verdict !== 'undecided';
    });
  }

  test('of customers with twenty pages each seldom call a difference that is none', () => {
    const random = randomFrom(33);
    const called = Array.from({ length: 100 }, () => isCalled(random, 600, 20, 6)).filter(Boolean).length;
    expect(called).toBeLessThan(5);
  });
});

describe('the decision', () => {
  const rates = (control: number, ...campaigns: number[]) => [
    cell('c', 4000, 4000 * control),
    ...campaigns.map((rate, arm) => cell(arm, 4000, 4000 * rate)),
  ];
  const even = aTest([33, 33], 34);

  test.each<[string, number[], string]>([
    ['better: one campaign brings back more customers', [0.1, 0.1, 0.2], 'better'],
    ['better: even if the other is worse', [0.1, 0.02, 0.2], 'better'],
    ['worse: no campaign does as well as nothing', [0.2, 0.1, 0.1], 'worse'],
    ['undecided: only one of them is worse', [0.2, 0.1, 0.2], 'undecided'],
    ['undecided: no difference is sure', [0.1, 0.1, 0.1], 'undecided'],
  ])('is %s', (_, [control, ...campaigns], decision) => {
    expect(results(even, { cells: rates(control!, ...campaigns) }).decision).toBe(decision);
  });

  test('is undecided if the customers do not fit the allocations', () => {
    const split = results(aTest([50], 50), { cells: [cell('c', 4000, 400), cell(0, 3000, 900)] });
    expect(split.srm.ok).toBe(false);
    expect(split.comparisons[0]!.verdict).toBe('better');
    expect(split.decision).toBe('undecided');
  });

  test('is about clicks without a control', () => {
    const promotions = [
      { shown: 4000, clicked: 400 },
      { shown: 4000, clicked: 800 },
    ];
    const cells = [cell(0, 4000, 800), cell(1, 4000, 400)];
    expect(results(aTest([50, 50]), { promotions, cells }).decision).toBe('better');
    expect(results(aTest([50, 50]), { promotions: promotions.toReversed(), cells }).decision).toBe('worse');
  });
});
