import type { Cohort } from '#domain/figures/cohort.ts';
import type { DayCounts } from '#domain/figures/counter-store.ts';
import { deliveryQuantiles } from '#domain/figures/survival.ts';
import { hourMs } from '#platform/time.ts';
import { figuresDefinition } from '#schemas/catalogues/figures.ts';
import type { DayFigures, DeliveryTimes, FigureDimension } from '#schemas/families/analytics.ts';
import { compared, deliveredOf, knownName, rounded, sumOf, underWayOf } from './counted.ts';
import { isoWeek } from './day-range.ts';

/** What `by` of a request names, each once. */
export const dimensionsOf = (by = 'carrier'): ReadonlySet<FigureDimension> =>
  new Set(by.split(',') as FigureDimension[]);

/**
 * One row for each group of cohorts in which anything was counted.
 * @param earlier cohorts of the days before. They are in no row, and tell how the parcels of a young week go on.
 */
export function deliveryTimes(
  cohorts: readonly Cohort[],
  dimensions: ReadonlySet<FigureDimension>,
  now: Date,
  earlier: readonly Cohort[] = [],
): DeliveryTimes[] {
  const ofLane = (cohort: Cohort) => JSON.stringify(laneOf(cohort, dimensions));
  const lanes = Map.groupBy([...earlier, ...cohorts], ofLane);
  return [...Map.groupBy(cohorts.filter(isCounted), ofLane)]
    .flatMap(([lane, ofSameLanes]) =>
      [...Map.groupBy(ofSameLanes, ({ day }) => (dimensions.has('week') ? isoWeek(day) : null))].map(
        ([week, group]) => ({
          ...laneOf(group[0]!, dimensions),
          week,
          ...figuresOf(group, now, week === null ? [] : lanes.get(lane)!),
          definition: figuresDefinition,
        }),
      ),
    )
    .sort(byWeekAndSize);
}

const isCounted = (cohort: Cohort): boolean =>
  cohort.shipped > 0 || cohort.claims > 0 || cohort.ratings > 0 || cohort.endedOtherwise > 0 || deliveredOf(cohort) > 0;

type AnsweredLane = Pick<DeliveryTimes, 'carrier_reference' | 'country'>;

const laneOf = ({ carrier, country }: Cohort, dimensions: ReadonlySet<FigureDimension>): AnsweredLane => ({
  carrier_reference: dimensions.has('carrier') ? knownName(carrier) : null,
  country: dimensions.has('country') ? knownName(country) : null,
});

type Figures = Omit<DeliveryTimes, keyof AnsweredLane | 'week' | 'definition'>;

function figuresOf(cohorts: readonly Cohort[], now: Date, ofSameLanes: readonly Cohort[]): Figures {
  const sum = (countOf: (cohort: Cohort) => number): number => sumOf(cohorts, countOf);
  const attempted = sum((cohort) => cohort.attempted);
  const ratings = sum((cohort) => cohort.ratings);
  const { median, p90 } = quantilesOf(cohorts, now, ofSameLanes);
  return {
    shipped: sum((cohort) => cohort.shipped),
    delivered: sum(deliveredOf),
    ended_otherwise: sum((cohort) => cohort.endedOtherwise),
    under_way: underWayOf(cohorts),
    median_hours: median && rounded(median, 1),
    p90_hours: p90 && rounded(p90, 1),
    first_attempt_rate: ratio(
      sum((cohort) => cohort.firstAttempts),
      attempted,
    ),
    promised: { n: sum((cohort) => cohort.promised), kept: sum((cohort) => cohort.kept) },
    claims: sum((cohort) => cohort.claims),
    rating: {
      n: ratings,
      mean: ratio(
        sum((cohort) => cohort.stars),
        ratings,
      ),
    },
  };
}

/**
 * Earlier weeks tell of a young one how its parcels go on (survival.ts). They cannot change the quantiles of a week of which
 * every day was watched for longer than these, and most are so.
 */
function quantilesOf(cohorts: readonly Cohort[], now: Date, ofSameLanes: readonly Cohort[]) {
  const own = deliveryQuantiles(cohorts, now);
  const lastDay = Math.max(...cohorts.map(({ day }) => Date.parse(day)));
  const watchedHours = (now.getTime() - lastDay) / hourMs - 24;
  const isComplete = own.p90 !== null && own.p90 <= watchedHours;
  return isComplete || ofSameLanes.length === 0 ? own : deliveryQuantiles(cohorts, now, ofSameLanes);
}

/** To four decimals. Null: of nothing. */
const ratio = (part: number, whole: number): number | null => (whole > 0 ? rounded(part / whole, 4) : null);

/** The oldest week first, then the most parcels, then by names: what is unknown comes last. */
function byWeekAndSize(a: DeliveryTimes, b: DeliveryTimes): number {
  return (
    compared(a.week, b.week) ||
    b.shipped - a.shipped ||
    compared(a.carrier_reference, b.carrier_reference) ||
    compared(a.country, b.country)
  );
}

/** Every day, with zeros where nothing was counted. */
export function overviewOf(days: readonly string[], counted: readonly DayCounts[]): DayFigures[] {
  const byDay = new Map(counted.map((counts) => [counts.day, counts]));
  return days.map((day) => ({ ...(byDay.get(day) ?? nothing), day }));
}

const nothing: Omit<DayCounts, 'day'> = {
  orders: 0,
  shipped: 0,
  delivered: 0,
  claims: 0,
  pages_opened: 0,
  mails_sent: 0,
  promotions_shown: 0,
  promotions_clicked: 0,
};
