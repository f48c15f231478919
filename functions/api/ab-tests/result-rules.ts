import { sampleRatio } from '#domain/figures/sample-ratio.ts';
import { differenceOf, type Trials } from '#domain/figures/sequences.ts';
import { type Arm, control, type TestCell } from '#domain/figures/test-figures.ts';
import type { PromotionCounts } from '#domain/pages/promotion-counts.ts';
import type { AbTestFields } from '#domain/promotions/ab-test.ts';
import { figuresLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { AbTestResults, AbTestVerdict, ComparedMetric } from '#schemas/families/ab-tests.ts';

export type PlannedTest = Pick<AbTestFields, 'campaigns' | 'has_holdout' | 'holdout_percentage'>;

/** What was counted of a test. */
export interface Counted {
  cells: readonly TestCell[];
  /** Of each campaign, in the order of the test. */
  promotions: readonly PromotionCounts[];
}

/** Who changes how these are computed raises the version, so that nobody compares results of two methods unknowingly. */
const method = 'beta-binomial-mixture/1';

/** All intervals of a test hold together at this level: it is divided among them. */
const errorLevel = 0.05;

export function resultsOf(test: PlannedTest, counted: Counted, now: Date): AbTestResults {
  const arms = plannedArms(test).map((planned) => ({ ...planned, ...figuresOf(planned, counted, now) }));
  const comparisons = comparisonsOf(arms);
  const { p_value, ok } = sampleRatio(
    arms.map(({ orders }) => orders),
    arms.map(({ share }) => share),
  );
  return {
    arms: arms.map(toArm),
    comparisons,
    srm: { p_value: rounded(p_value), ok },
    decision: ok ? decisionOf(comparisons) : 'undecided',
    method,
  };
}

interface PlannedArm {
  arm: Arm;
  /** Null is the control. */
  campaign_id: string | null;
  /** Percent. */
  share: number;
}

/** The control first. A holdout of nobody is none. */
function plannedArms({ campaigns, has_holdout, holdout_percentage }: PlannedTest): PlannedArm[] {
  const share = has_holdout ? (holdout_percentage ?? 0) : 0;
  return [
    ...(share > 0 ? [{ arm: control, campaign_id: null, share } as const] : []),
    ...campaigns.map(({ campaign_id, allocation }, arm) => ({ arm, campaign_id, share: allocation })),
  ];
}

interface ArmFigures {
  orders: number;
  orders_observed: number;
  reordered: number;
  shown: number;
  clicked: number;
}

type CountedArm = PlannedArm & ArmFigures;

/**
 * Whether a customer comes back is known after thirty days. Who came back sooner waits until then, too: a look would else
 * see the quick ones only, and an interval is valid at every look only if no outcome that it saw can change.
 */
function figuresOf({ arm }: PlannedArm, { cells, promotions }: Counted, now: Date): ArmFigures {
  const own = cells.filter((cell) => cell.arm === arm);
  const lastDay = new Date(now.getTime() - secondsOfDays(figuresLimits.reorderDays + 1) * 1000).toISOString();
  const observed = own.filter(({ day }) => day <= lastDay.slice(0, 'yyyy-mm-dd'.length));
  const orders_observed = sumOf(observed, 'orders');
  const { shown, clicked } = (arm === control ? undefined : promotions[arm]) ?? { shown: 0, clicked: 0 };
  return {
    orders: sumOf(own, 'orders'),
    orders_observed,
    reordered: Math.min(sumOf(observed, 'reordered'), orders_observed),
    shown,
    // Both are read while they change.
    clicked: Math.min(clicked, shown),
  };
}

/** A counter may be below zero for a moment: what takes away can be counted before what it takes away. */
const sumOf = (cells: readonly TestCell[], name: 'orders' | 'reordered') =>
  Math.max(
    0,
    cells.reduce((sum, cell) => sum + cell[name], 0),
  );

function toArm(arm: CountedArm): AbTestResults['arms'][number] {
  const { campaign_id, orders, orders_observed, shown, clicked, reordered } = arm;
  const rates = { clicked: rateOf(trialsOf(arm, 'clicked')), reordered: rateOf(trialsOf(arm, 'reordered')) };
  return { campaign_id, orders, orders_observed, shown, clicked, reordered, rates };
}

const trialsOf = (arm: ArmFigures, metric: ComparedMetric): Trials =>
  metric === 'clicked'
    ? { trials: arm.shown, successes: arm.clicked }
    : { trials: arm.orders_observed, successes: arm.reordered };

/**
 * Pages of one customer are clicked alike, so they are not independent trials, as the sequences take them to be: with twenty pages a
 * customer, one in four tests without any difference would call one. An arm says no more than its customers do, at the same rate.
 */
function comparedTrials(arm: ArmFigures, metric: ComparedMetric): Trials {
  const { trials, successes } = trialsOf(arm, metric);
  if (metric !== 'clicked' || trials <= arm.orders) return { trials, successes };
  return { trials: arm.orders, successes: (successes * arm.orders) / trials };
}

const rateOf = ({ trials, successes }: Trials): number | null => (trials === 0 ? null : rounded(successes / trials));

/** A millionth is less than anybody can tell apart. */
const rounded = (rate: number) => Math.round(rate * 1e6) / 1e6;

type Comparison = AbTestResults['comparisons'][number];
interface Pair {
  arm: CountedArm;
  against: CountedArm;
  metric: ComparedMetric;
}

function comparisonsOf(arms: readonly CountedArm[]): Comparison[] {
  const pairs = pairsOf(arms);
  return pairs.map((pair) => comparisonOf(pair, errorLevel / pairs.length));
}

/** Everything against the control, or else against the first campaign. Clicks need something to click on. */
function pairsOf(arms: readonly CountedArm[]): Pair[] {
  // An arm that no customer can be in would only widen the intervals of the others.
  const [first, ...others] = arms.filter(({ share }) => share > 0);
  const [firstCampaign, ...otherCampaigns] = first?.arm === control ? others : [first, ...others];
  const against = (
    base: CountedArm | undefined,
    compared: readonly (CountedArm | undefined)[],
    metric: ComparedMetric,
  ) => (base ? compared.flatMap((arm) => (arm ? [{ arm, against: base, metric }] : [])) : []);
  return [...against(first, others, 'reordered'), ...against(firstCampaign, otherCampaigns, 'clicked')];
}

function comparisonOf({ arm, against, metric }: Pair, alpha: number): Comparison {
  const [ofArm, ofOther] = [comparedTrials(arm, metric), comparedTrials(against, metric)];
  const { difference, low, high, verdict } = differenceOf(ofArm, ofOther, alpha);
  return {
    arm: arm.campaign_id,
    against: against.campaign_id,
    metric,
    difference: difference === null ? null : rounded(difference),
    low: rounded(low),
    high: rounded(high),
    verdict,
  };
}

/** One campaign that sells more is enough to keep it. That none does is known when all of them are worse. */
function decisionOf(comparisons: readonly Comparison[]): AbTestVerdict {
  const hasControl = comparisons.some(({ against }) => against === null);
  const metric: ComparedMetric = hasControl ? 'reordered' : 'clicked';
  const verdicts = comparisons.filter((one) => one.metric === metric).map(({ verdict }) => verdict);
  if (verdicts.includes('better')) return 'better';
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === 'worse') ? 'worse' : 'undecided';
}
