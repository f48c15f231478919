import { sampleRatio } from '#domain/figures/sample-ratio.ts';
import { differenceOf, type Trials, verdictOf } from '#domain/figures/sequences.ts';
import { Random } from '#test/fuzz/random.ts';
import { daysUntilKnown, type MadeTest, type SeenArm, seenDays } from './made-tests.ts';
import { fixed, median } from './statistics.ts';

/** How often a look is wrong in all, at most. */
const level = 0.05;
/** On each day, and so many of them after the first orders are known to have a second one after them or not. */
const looks = 60;
const withoutDifference = 10_000;
const withDifference = 1000;

type Metric = 'clicked' | 'reordered';

interface Compared {
  arm: number;
  against: number;
  metric: Metric;
}

interface Kind extends Omit<MadeTest, 'customersADay'> {
  /** As the results of a test compare its arms. The first decides. */
  compared: readonly Compared[];
}

/** Tests of campaigns that do nothing: 15 of 100 customers order again, 5 of 100 follow a campaign. */
const steady: Record<string, Kind> = {
  'two campaigns': {
    reorderRates: [0.15, 0.15],
    clickRates: [0.05, 0.05],
    compared: [
      { arm: 1, against: 0, metric: 'clicked' },
      { arm: 1, against: 0, metric: 'reordered' },
    ],
  },
  'a campaign and a control': {
    reorderRates: [0.15, 0.15],
    clickRates: [0, 0.05],
    compared: [{ arm: 1, against: 0, metric: 'reordered' }],
  },
  'two campaigns and a control': {
    reorderRates: [0.15, 0.15, 0.15],
    clickRates: [0, 0.05, 0.05],
    compared: [
      { arm: 1, against: 0, metric: 'reordered' },
      { arm: 2, against: 0, metric: 'reordered' },
      { arm: 2, against: 1, metric: 'clicked' },
    ],
  },
};

const idle: Record<string, Kind> = {
  ...steady,
  'a campaign and a control, rates that change': {
    ...steady['a campaign and a control']!,
    seasons: [1, 1.4, 0.6, 0.8, 1.2],
  },
};

/** The campaign of the last arm is a fifth better. */
const better: Record<string, Kind> = {
  'clicks, 5 and 6 of 100': { ...steady['two campaigns']!, clickRates: [0.05, 0.06] },
  'orders, 15 and 18 of 100': { ...steady['a campaign and a control']!, reorderRates: [0.15, 0.18] },
};

/** Customers a day, in all arms together. */
const shopOfIdle = 200;
const shops = [300, 1000, 3000];

/** Long enough for a small shop. */
const longestRun = 365;

/**
 * How often a test that one looks at each day calls a difference that is not there, beside the usual test of two rates at
 * the same looks; and when it calls one that is there.
 */
export async function benchAbTests(): Promise<void> {
  const broken = [...benchIdle(), ...benchBetter()];
  if (broken.length > 0) throw new Error(broken.join(' '));
}

function benchIdle(): string[] {
  const rows: Record<string, Record<string, string>> = {};
  const broken: string[] = [];
  for (const [name, kind] of Object.entries(idle)) {
    const called = { ours: 0, usual: 0, usualAtTheEnd: 0, ratio: 0, usualRatio: 0 };
    for (let run = 0; run < withoutDifference; run += 1) {
      const calls = callsOf(kind, new Random(`${name} ${run}`));
      for (const test of Object.keys(called) as (keyof typeof called)[]) called[test] += calls[test] ? 1 : 0;
    }
    rows[name] = {
      ours: share(called.ours),
      'usual test, each day': share(called.usual),
      'usual test, last day': share(called.usualAtTheEnd),
      'our sample ratio': share(called.ratio),
      'usual sample ratio, each day': share(called.usualRatio),
    };
    if (called.ours > level * withoutDifference) broken.push(`${name}: ${share(called.ours)} % called a difference.`);
    if (called.usual < 2 * level * withoutDifference) broken.push(`${name}: the usual test is as good.`);
    if (called.ratio > 0.01 * withoutDifference) broken.push(`${name}: ${share(called.ratio)} % had a wrong ratio.`);
  }
  console.log(
    `\n${withoutDifference} tests without a difference, ${shopOfIdle} customers a day, a look each day, at orders on ${looks} of them:`,
  );
  console.log(
    'of 100 tests so many ever called one (at most 5 should), or a wrong split of the customers (at most 1).',
  );
  console.table(rows);
  return broken;
}

const share = (count: number) => fixed((100 * count) / withoutDifference, 2);

/** Which tests ever call something in a run where nothing is. */
function callsOf(kind: Kind, random: Random) {
  const calls = { ours: false, usual: false, usualAtTheEnd: false, ratio: false, usualRatio: false };
  const alpha = level / kind.compared.length;
  for (const arms of seenDays({ ...kind, customersADay: shopOfIdle }, daysUntilKnown + looks, random)) {
    calls.ours ||= kind.compared.some((compared) => verdictOf(...armsOf(compared, arms), alpha) !== 'undecided');
    const usual = kind.compared.some((compared) => usualTest(...armsOf(compared, arms), alpha));
    calls.usual ||= usual;
    calls.usualAtTheEnd = usual;
    const customers = arms.map((arm) => arm.customers);
    calls.ratio ||= !sampleRatio(
      customers,
      customers.map(() => 1),
    ).ok;
    calls.usualRatio ||= usualRatio(customers);
  }
  return calls;
}

const armsOf = ({ arm, against, metric }: Compared, arms: readonly SeenArm[]): [Trials, Trials] => [
  arms[arm]![metric],
  arms[against]![metric],
];

/** The test of two rates by their standard error, which is right for one look that was planned before. */
function usualTest(a: Trials, b: Trials, alpha: number): boolean {
  const rate = (a.successes + b.successes) / (a.trials + b.trials);
  const variance = rate * (1 - rate) * (1 / a.trials + 1 / b.trials);
  return Math.abs(a.successes / a.trials - b.successes / b.trials) > criticalValues[alpha]! * Math.sqrt(variance);
}

/** Of the normal distribution, on two sides. */
const criticalValues: Record<number, number> = { [level]: 1.959964, [level / 2]: 2.241403, [level / 3]: 2.39398 };

/** Pearson's test of equal shares, at one in a hundred, for two and three arms. */
function usualRatio(customers: readonly number[]): boolean {
  const expected = customers.reduce((sum, count) => sum + count, 0) / customers.length;
  const distance = customers.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return distance > (customers.length === 2 ? 6.634897 : 9.21034);
}

function benchBetter(): string[] {
  const rows: Record<string, Record<string, string | number>> = {};
  const broken: string[] = [];
  for (const [name, kind] of Object.entries(better)) {
    for (const customersADay of shops) {
      const ends = Array.from({ length: withDifference }, (_, run) =>
        endOf({ ...kind, customersADay }, new Random(`${name} ${customersADay} ${run}`)),
      );
      const wrong = ends.filter(({ verdict }) => verdict === 'worse').length;
      const ended = ends.filter(({ verdict }) => verdict !== 'undecided');
      const within = ended.filter(({ day }) => day <= looks).length;
      rows[`${name}; ${customersADay} customers a day`] = {
        'ended by day 60': fixed((100 * within) / withDifference),
        'by day 365': fixed((100 * ended.length) / withDifference),
        'median day': ended.length > 0 ? median(ends.map(({ day }) => day)) : '–',
        'customers until then': ended.length > 0 ? Math.round(median(ends.map(({ customers }) => customers))) : '–',
        'called the wrong one': fixed((100 * wrong) / withDifference),
      };
      if (ended.length < 0.95 * withDifference) broken.push(`${name}: of ${customersADay} a day, too few tests end.`);
      if (wrong > (level / 2) * withDifference) broken.push(`${name}: the worse campaign was called better.`);
    }
  }
  console.log(
    `\n${withDifference} tests each of a campaign that is a fifth better, a look each day: of 100 tests, so many called it.`,
  );
  console.log(`Orders count ${daysUntilKnown} days after they were placed.`);
  console.table(rows);
  return broken;
}

/** The first look that calls a difference. */
function endOf(test: MadeTest & Kind, random: Random) {
  const [compared] = test.compared;
  const alpha = level / test.compared.length;
  let [day, customers] = [0, 0];
  for (const arms of seenDays(test, longestRun, random)) {
    day += 1;
    customers = arms.reduce((sum, arm) => sum + arm.customers, 0);
    const verdict = verdictOf(...armsOf(compared!, arms), alpha);
    if (verdict === 'undecided') continue;
    const { low, high } = differenceOf(...armsOf(compared!, arms), alpha);
    if (low < 0 && high > 0) throw new Error('The verdict and the sequence contradict each other.');
    return { day, customers, verdict };
  }
  return { day: Number.POSITIVE_INFINITY, customers, verdict: 'undecided' as const };
}
