import type { AbTestResults } from '#schemas/families/ab-tests.ts';
import type { ArrivalCalibration, DayFigures, DeliveryTimes } from '#schemas/families/analytics.ts';

/** Answers of the service about figures, as a shop with many parcels gets them. */

const dayMs = 86_400_000;
export const dayBefore = (days: number, now = Date.now()): string =>
  new Date(now - days * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length);

const times = (fields: Partial<DeliveryTimes>): DeliveryTimes => ({
  carrier_reference: null,
  country: null,
  week: null,
  shipped: 100,
  delivered: 90,
  ended_otherwise: 2,
  under_way: 8,
  median_hours: 41.2,
  p90_hours: 76.5,
  first_attempt_rate: 0.94,
  promised: { n: 80, kept: 71 },
  claims: 1,
  rating: { n: 12, mean: 4.4 },
  definition: 1,
  ...fields,
});

const carriers: Partial<DeliveryTimes>[] = [
  { carrier_reference: 'hrs', shipped: 820, delivered: 700, ended_otherwise: 21, under_way: 99, median_hours: 62.4 },
  { carrier_reference: 'dhl', shipped: 4210, delivered: 3905, ended_otherwise: 64, under_way: 241 },
  {
    carrier_reference: 'goexp',
    shipped: 12,
    delivered: 3,
    ended_otherwise: 0,
    under_way: 9,
    median_hours: null,
    p90_hours: null,
    first_attempt_rate: null,
    promised: { n: 0, kept: 0 },
    rating: { n: 0, mean: null },
    claims: 0,
  },
  { shipped: 35, delivered: 30, ended_otherwise: 1, under_way: 4, p90_hours: null, claims: 2 },
];
const countries = ['DE', 'AT', 'CH', null];

/** The Monday of the week that was so many weeks ago, as the API names the week. */
function weekBefore(weeks: number): string {
  const day = new Date(Date.now() - weeks * 7 * dayMs);
  const thursday = new Date(day.getTime() + (4 - (day.getUTCDay() || 7)) * dayMs);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - first) / (7 * dayMs)) + 1;
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}

const weeks = 13;

/** What the service answers to `getDeliveryTimes`, by what it is divided by. */
export function deliveryTimes(by: string): DeliveryTimes[] {
  const lanes = carriers.map((fields, i) =>
    times({
      ...fields,
      carrier_reference: by.includes('carrier') ? (fields.carrier_reference ?? null) : null,
      country: by.includes('country') ? countries[i]! : null,
    }),
  );
  if (!by.includes('week')) return lanes;
  return lanes.flatMap((lane, i) =>
    Array.from({ length: weeks }, (_, ago) => {
      const shipped = Math.max(1, Math.round(lane.shipped / weeks));
      const under_way = Math.round(shipped * (ago === 0 ? 0.7 : ago === 1 ? 0.2 : 0.01));
      const median_hours = lane.median_hours && lane.median_hours + ((ago * 7 + i * 3) % 11) - 5;
      return { ...lane, week: weekBefore(ago), shipped, under_way, delivered: shipped - under_way, median_hours };
    }),
  );
}

const said = (weeks_ago: number, fields: Partial<ArrivalCalibration>): ArrivalCalibration => ({
  week: weekBefore(weeks_ago),
  source: 'prediction',
  carrier_reference: 'dhl',
  level: fields.source === 'carrier' ? null : 0.9,
  n: 120,
  covered: 0.9,
  mean_width_hours: 69.6,
  under_way: [90, 12][weeks_ago] ?? 1,
  ...fields,
});

/** What the service answers to `getArrivalCalibration`: windows of ours, and of carriers, too. */
export const arrivalCalibration = (): ArrivalCalibration[] =>
  Array.from({ length: weeks }, (_, i) => weeks - 1 - i).flatMap((ago) => [
    said(ago, { n: 120 - 60 * Number(ago === 0), covered: [1, 0.95][ago] ?? 0.88 + 0.01 * (ago % 6) }),
    said(ago, { source: 'carrier', n: 40, covered: 0.7 + 0.02 * (ago % 5), mean_width_hours: 20.4 }),
    said(ago, { carrier_reference: 'hrs', n: 30, covered: 0.9, mean_width_hours: 98.4, under_way: 0 }),
    ...(ago === 6 ? [said(ago, { carrier_reference: null, source: 'carrier', n: 2, covered: 0.5 })] : []),
  ]);

export const dayFigures = (days: number): DayFigures[] =>
  Array.from({ length: days }, (_, i) => {
    const orders = 40 + ((i * 37) % 23) - (i % 7 > 4 ? 25 : 0);
    return {
      day: dayBefore(days - 1 - i),
      orders,
      shipped: Math.round(orders * 0.95),
      delivered: Math.round(orders * 0.9),
      claims: i % 5 === 0 ? 1 : 0,
      pages_opened: orders * 3,
      mails_sent: orders * 2,
      promotions_shown: Math.round(orders * 0.6),
      promotions_clicked: Math.round(orders * 0.08),
    };
  });

type Arm = AbTestResults['arms'][number];

const arm = (campaign_id: string | null, fields: Partial<Arm>): Arm => {
  const counts = { orders: 0, orders_observed: 0, shown: 0, clicked: 0, reordered: 0, ...fields };
  const { orders_observed, shown, clicked, reordered } = counts;
  return {
    campaign_id,
    ...counts,
    rates: {
      clicked: campaign_id === null || shown === 0 ? null : clicked / shown,
      reordered: orders_observed === 0 ? null : reordered / orders_observed,
    },
  };
};

type Comparison = AbTestResults['comparisons'][number];

/** Results of a test whose first campaign is compared with nothing, and the second one with both. */
export function abTestResults(campaigns: readonly string[], kind: 'undecided' | 'better' | 'split'): AbTestResults {
  const isDecided = kind !== 'undecided';
  const compared = (arm_: string, against: string | null, metric: Comparison['metric'], rest: Partial<Comparison>) => ({
    arm: arm_,
    against,
    metric,
    difference: 0.004,
    low: -0.011,
    high: 0.019,
    verdict: 'undecided' as const,
    ...rest,
  });
  const decided = { difference: 0.031, low: 0.008, high: 0.052, verdict: 'better' as const };
  return {
    arms: [
      arm(null, { orders: 4021, orders_observed: 3380, reordered: 372 }),
      ...campaigns.map((id, i) =>
        arm(id, {
          orders: 4102 + i,
          orders_observed: 3412,
          shown: 3790,
          clicked: Math.max(9, 210 - i * 90),
          reordered: Math.max(9, 477 - i * 90),
        }),
      ),
    ],
    comparisons: [
      ...campaigns.map((id, i) => compared(id, null, 'reordered', isDecided && i === 0 ? decided : {})),
      ...campaigns
        .slice(1)
        .map((id) =>
          compared(id, campaigns[0]!, 'clicked', { difference: -0.024, low: -0.036, high: -0.011, verdict: 'worse' }),
        ),
    ],
    srm: kind === 'split' ? { p_value: 0.0004, ok: false } : { p_value: 0.81, ok: true },
    decision: kind === 'better' ? 'better' : 'undecided',
    method: 'test',
  };
}
