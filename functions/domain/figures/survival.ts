import type { Cohort } from './cohort.ts';
import { rangeEnd, rangeOf, rangeStarts } from './durations.ts';

/**
 * How long parcels take, also while some are under way: by the product-limit estimate of E. L. Kaplan and P. Meier,
 * "Nonparametric Estimation from Incomplete Observations", Journal of the American Statistical Association 53 (1958),
 * 457–481. What is under way counts as not yet delivered for as long as it was watched, so a young week, of which only the
 * quick parcels have arrived, does not look quick.
 */

/** Parcels that were watched for the same time. */
export interface Watched {
  size: number;
  /** How many were delivered, by the number of the range (durations.ts). */
  delivered: ReadonlyMap<number, number>;
  /** How long each of them was watched. */
  hours: number;
}

const hourMs = 3600 * 1000;
const dayMs = 24 * hourMs;

/**
 * In hours; null if so many have not been delivered within the time that was watched. Those that ended otherwise are never
 * delivered, and stay under way.
 */
export function deliveryQuantiles(
  cohorts: readonly Pick<Cohort, 'day' | 'shipped' | 'delivered'>[],
  now: Date,
): { median: number | null; p90: number | null } {
  // The last parcel of a day was watched from the end of the day on. What is known of earlier ones beyond that is left out:
  // it would be known of the delivered ones only.
  const survival = survivalOf(
    cohorts.map(({ day, shipped, delivered }) => ({
      size: shipped,
      delivered,
      hours: (now.getTime() - (Date.parse(day) + dayMs)) / hourMs,
    })),
  );
  return { median: quantileOf(survival, 0.5), p90: quantileOf(survival, 0.9) };
}

/** The share that is not delivered at the end of each range, for as many ranges as somebody was watched to the end of. */
export function survivalOf(groups: readonly Watched[]): number[] {
  const delivered = new Float64Array(rangeStarts.length);
  /** Those who were watched until a range begins, and not to its end. */
  const leaving = new Float64Array(rangeStarts.length);
  let atRisk = 0;
  for (const group of groups) {
    // All ranges before the one in which the watch ends.
    const watched = rangeOf(group.hours);
    let arrived = 0;
    let arrivedWhileWatched = 0;
    for (const [range, count] of group.delivered) {
      // A counter is below zero while the records of a batch are counted in another order than they were written in.
      const some = Math.max(0, count);
      arrived += some;
      if (range >= watched) continue;
      arrivedWhileWatched += some;
      delivered[range]! += some;
    }
    // The counters of hand-overs may come after those of deliveries.
    const size = Math.max(0, group.size, arrived);
    atRisk += size;
    leaving[watched]! += size - arrivedWhileWatched;
  }
  const survival: number[] = [];
  let share = 1;
  for (const range of rangeStarts.keys()) {
    atRisk -= leaving[range]!;
    if (atRisk <= 0) break;
    share *= 1 - delivered[range]! / atRisk;
    atRisk -= delivered[range]!;
    survival.push(share);
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
