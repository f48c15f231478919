import { arrivalLimits } from '#schemas/catalogues/limits.ts';
import { type Day, type Delivers, dayOfDate, deliveryDaysWithin, weekdayOf } from './delivery-days.ts';
import { longest, nothingObserved, type Observed, observe, sumOf, zeros } from './distribution.ts';
import { type LaneDay, longestAfterStage, longestDays } from './lane-days.ts';

/** The parcels of one day, with the days of their deliveries counted in delivery days. */
export interface Cohort {
  day: Day;
  weight: number;
  /** The last delivery day of their way that is over, counted from the hand-over: 0 is the day of the hand-over itself. */
  watched: number;
  /** Still under way. What was not delivered in so long a time that it is lost is not. */
  open: number;
  delivered: number;
  /** How many were delivered so many delivery days later; the last number has all that took longer. */
  areas: ReadonlyMap<string, readonly number[]>;
  counted: LaneDay;
}

/** Those of the last weeks. What is of today has not begun. */
export const recentDays = (days: readonly LaneDay[], today: Day): LaneDay[] =>
  days.filter(({ day }) => {
    const age = today - dayOfDate(day);
    return age > 0 && age <= arrivalLimits.learnedDays;
  });

const weightOf = (age: number) => 2 ** (-age / arrivalLimits.halfLifeDays);

/** A day of deliveries speaks with no more parcels, so that a weekday is not known by the one on which a sale arrived. */
const mostOfDay = 20;

/** How many parcels were delivered on each weekday, by weight. */
export function weekdaysOfDeliveries(days: readonly LaneDay[], today: Day): number[] {
  const dates = new Map<Day, number>();
  for (const { day, delivered } of days) {
    const handedOver = dayOfDate(day);
    for (const { days: way, count } of delivered)
      dates.set(handedOver + way, (dates.get(handedOver + way) ?? 0) + count);
  }
  const counts = zeros(7);
  for (const [date, count] of dates)
    counts[weekdayOf(date)]! += weightOf(Math.max(0, today - date)) * Math.min(mostOfDay, count);
  return counts;
}

/** What has not come after so many delivery days is taken for lost. */
const lostAfter = 45;

export function cohortsOf(days: readonly LaneDay[], delivers: Delivers, today: Day): Cohort[] {
  const daysUntil = deliveryDaysWithin(today - arrivalLimits.learnedDays, today + longestDays, delivers);
  return days.map((counted) => {
    const day = dayOfDate(counted.day);
    const areas = new Map<string, number[]>();
    for (const { area, days: way, count } of counted.delivered) {
      const counts = areas.get(area) ?? zeros(longest + 2);
      counts[Math.min(longest + 1, daysUntil(day, day + way))]! += count;
      areas.set(area, counts);
    }
    const watched = daysUntil(day, today) - 1;
    const delivered = counted.delivered.reduce((sum, { count }) => sum + count, 0);
    const open = watched < lostAfter ? Math.max(0, counted.shipped - counted.ended - delivered) : 0;
    return { day, weight: weightOf(today - day), watched, open, delivered, areas, counted };
  });
}

/** What the cohorts of a lane say, by the weekday of the hand-over and by the postcode area. */
export interface Knowledge {
  /** How many delivered parcels speak, each by its weight. */
  parcels: number;
  lane: Observed;
  weekdays: readonly Observed[];
  areas: ReadonlyMap<string, Observed>;
  /** By the days after the courier first left with a parcel, and after an attempt failed. */
  afterOut: readonly number[];
  afterAttempt: readonly number[];
}

export function knowledgeOf(cohorts: readonly Cohort[]): Knowledge {
  const lane = nothingObserved();
  const weekdays = Array.from({ length: 7 }, nothingObserved);
  const shares = areaShares(cohorts);
  const areas = new Map([...shares.keys()].map((area) => [area, nothingObserved()]));
  for (const cohort of cohorts) {
    const all = deliveredOf(cohort);
    observe(lane, all, cohort);
    observe(weekdays[weekdayOf(cohort.day)]!, all, cohort);
    for (const [area, share] of shares) {
      // Where the parcels go that are still under way is not counted. They are spread as the others.
      observe(areas.get(area)!, cohort.areas.get(area) ?? [], { ...cohort, open: cohort.open * share });
    }
  }
  return {
    parcels: sumOf(cohorts.map(({ delivered, weight }) => delivered * weight)),
    lane,
    weekdays,
    areas,
    afterOut: weighted(cohorts, ({ afterOut }) => afterOut),
    afterAttempt: weighted(cohorts, ({ afterAttempt }) => afterAttempt),
  };
}

/** How many were delivered so many delivery days later, in all areas. */
function deliveredOf({ areas }: Cohort): number[] {
  const all = zeros(longest + 2);
  for (const counts of areas.values()) for (let n = 0; n < counts.length; n++) all[n]! += counts[n]!;
  return all;
}

function areaShares(cohorts: readonly Cohort[]): Map<string, number> {
  const sums = new Map<string, number>();
  let all = 0;
  for (const { areas } of cohorts) {
    for (const [area, counts] of areas) {
      const sum = sumOf(counts);
      sums.set(area, (sums.get(area) ?? 0) + sum);
      all += sum;
    }
  }
  return new Map([...sums].map(([area, sum]) => [area, sum / all]));
}

function weighted(cohorts: readonly Cohort[], countsOf: (counted: LaneDay) => readonly number[]): number[] {
  const sums = zeros(longestAfterStage + 1);
  for (const { counted, weight } of cohorts)
    for (const [n, count] of countsOf(counted).entries()) sums[n]! += weight * count;
  return sums;
}
