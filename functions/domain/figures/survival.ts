import { dayMs, hourMs } from '#platform/time.ts';
import type { Cohort } from './cohort.ts';
import { rangeEnd, rangeOf, rangeStarts } from './durations.ts';

/**
 * How long parcels take, also while some are under way: by the product-limit estimate of E. L. Kaplan and P. Meier,
 * "Nonparametric Estimation from Incomplete Observations", Journal of the American Statistical Association 53 (1958),
 * 457–481. What is under way counts as not yet delivered for as long as it was watched, so a young week, of which only the
 * quick parcels have arrived, does not look quick.
 *
 * The estimate takes it that parcels which were watched for a shorter time go on like those which were watched for longer.
 * Those of a Friday do not go on like those of a Monday: a weekend is in their way. So each weekday has a curve of its
 * own, and the curve of all is their mean.
 */

type Delivered = Pick<Cohort, 'day' | 'shipped' | 'delivered'>;

/** Parcels that were watched for the same time. */
export interface Watched {
  size: number;
  /** How many were delivered, by the number of the range (durations.ts). */
  delivered: ReadonlyMap<number, number>;
  /** How long each of them was watched. */
  hours: number;
}

/**
 * In hours; null if so many have not been delivered within the time that was watched. Those that ended otherwise are never
 * delivered, and stay under way.
 * @param ofSameLanes cohorts of any days. Those of the weeks before a young one tell how parcels of each weekday go on,
 * for longer than these were watched. Without them, the quantiles of a week are null until most of its days were watched long enough.
 */
export function deliveryQuantiles(
  cohorts: readonly Delivered[],
  now: Date,
  ofSameLanes: readonly Delivered[] = [],
): { median: number | null; p90: number | null } {
  const before = byWeekday(daysBeforeYoung(cohorts, ofSameLanes, now), now);
  const weekdays = [...byWeekday(cohorts, now)].map(([weekday, groups]) => ({
    size: groups.reduce((sum, group) => sum + sizeOf(group), 0),
    hazards: continued(hazardsOf(groups), hazardsOf(before.get(weekday) ?? [])),
  }));
  const survival = meanSurvival(weekdays);
  return { median: quantileOf(survival, 0.5), p90: quantileOf(survival, highest) };
}

/** Parcels that were watched for so many days need nobody to say how they go on: hardly any is under way. */
export const youngDays = 5 * 7;
/** What is longer ago says less about how it goes now. Later days were watched for less time, and have nothing to add. */
export const daysBefore = 4 * 7;

function daysBeforeYoung(cohorts: readonly Delivered[], others: readonly Delivered[], now: Date): Delivered[] {
  const first = Math.min(...cohorts.map(({ day }) => Date.parse(day)));
  if (now.getTime() - first >= youngDays * dayMs) return [];
  return others.filter(({ day }) => Date.parse(day) < first && Date.parse(day) >= first - daysBefore * dayMs);
}

/**
 * The last parcel of a day was watched from the end of the day on. What is known of the others beyond that is left out: it
 * would be known of the delivered ones only.
 */
function byWeekday(cohorts: readonly Delivered[], now: Date): Map<number, Watched[]> {
  const watched = cohorts.map(({ day, shipped, delivered }) => {
    const start = Date.parse(day);
    const hours = (now.getTime() - start - dayMs) / hourMs;
    return { weekday: new Date(start).getUTCDay(), group: { size: shipped, delivered, hours } };
  });
  return new Map(
    [...Map.groupBy(watched, ({ weekday }) => weekday)].map(([weekday, same]) => [
      weekday,
      same.map(({ group }) => group),
    ]),
  );
}

/** The counters of hand-overs may come after those of deliveries. */
const sizeOf = ({ size, delivered }: Watched) =>
  Math.max(
    0,
    size,
    [...delivered.values()].reduce((sum, count) => sum + Math.max(0, count), 0),
  );

/**
 * For each range the part of those who were not delivered before it that is delivered in it, for as many ranges as somebody
 * was watched to the end of.
 */
function hazardsOf(groups: readonly Watched[]): number[] {
  const delivered = new Float64Array(rangeStarts.length);
  /** Those who are watched until a range begins, and not to its end. */
  const leaving = new Float64Array(rangeStarts.length);
  let atRisk = 0;
  for (const group of groups) {
    const size = sizeOf(group);
    atRisk += size;
    let left = size;
    // All ranges before the one in which the watch ends.
    const watched = rangeOf(group.hours);
    for (const [range, count] of group.delivered) {
      if (range >= watched || count <= 0) continue;
      delivered[range]! += count;
      left -= count;
    }
    leaving[watched]! += left;
  }
  const hazards: number[] = [];
  for (const range of rangeStarts.keys()) {
    atRisk -= leaving[range]!;
    if (atRisk <= 0) break;
    hazards.push(delivered[range]! / atRisk);
    atRisk -= delivered[range]!;
  }
  return hazards;
}

const continued = (hazards: readonly number[], further: readonly number[]) => [
  ...hazards,
  ...further.slice(hazards.length),
];

/** The share that is not delivered at the end of each range, for as many ranges as somebody was watched to the end of. */
export function survivalOf(groups: readonly Watched[]): number[] {
  let share = 1;
  return hazardsOf(groups).map((hazard) => {
    share *= 1 - hazard;
    return share;
  });
}

/**
 * The curve of all may follow that of most: a few parcels of a Sunday do not keep it waiting. Where more is unknown, it ends.
 */
const most = 0.9;

/** The highest quantile that somebody asks for. How the curve goes on beyond it costs time, and tells nothing. */
const highest = 0.9;

function meanSurvival(weekdays: readonly { size: number; hazards: readonly number[] }[]): number[] {
  const all = weekdays.reduce((sum, { size }) => sum + size, 0);
  const survival: number[] = [];
  let left = weekdays.map(({ size }) => size);
  for (const range of rangeStarts.keys()) {
    let [known, leftOfKnown, delivered] = [0, 0, 0];
    for (const [i, { size, hazards }] of weekdays.entries()) {
      const hazard = left[i] === 0 ? 0 : hazards[range];
      if (hazard === undefined) continue;
      known += size;
      leftOfKnown += left[i]!;
      delivered += left[i]! * hazard;
    }
    if (known === 0 || known < most * all) break;
    const usual = leftOfKnown === 0 ? 0 : delivered / leftOfKnown;
    left = left.map((some, i) => some * (1 - (weekdays[i]!.hazards[range] ?? usual)));
    const share = left.reduce((sum, some) => sum + some, 0) / all;
    survival.push(share);
    if (share <= 1 - highest) break;
  }
  return survival;
}

/** A product of many factors misses a quantile by the last digits only. */
const negligible = 1e-9;

/** The hours after which this part (0 to 1) is delivered, as if deliveries were even within their range. */
export function quantileOf(survival: readonly number[], part: number): number | null {
  const left = 1 - part;
  const range = survival.findIndex((share) => share <= left + negligible);
  if (range < 0) return null;
  const before = survival[range - 1] ?? 1;
  const start = rangeStarts[range]!;
  const within = Math.min(1, (before - left) / (before - survival[range]!));
  return start + within * (rangeEnd(range) - start);
}
