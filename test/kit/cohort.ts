import type { Cohort } from '#domain/figures/cohort.ts';
import { rangeOf } from '#domain/figures/durations.ts';

/** The parcels that a carrier got on one day for one country, of which nothing is counted but what is given. */
export const cohort = (counted: Partial<Cohort>): Cohort => ({
  day: '2026-10-05',
  carrier: 'dhl',
  country: 'DE',
  shipped: 0,
  delivered: new Map(),
  endedOtherwise: 0,
  attempted: 0,
  firstAttempts: 0,
  promised: 0,
  kept: 0,
  carrierWindows: 0,
  carrierHeld: 0,
  carrierHours: 0,
  shown: 0,
  held: 0,
  shownDays: 0,
  claims: 0,
  ratings: 0,
  stars: 0,
  ...counted,
});

/** So many delivered after so many hours. */
export const deliveredAfter = (...counts: [hours: number, count: number][]) =>
  new Map(counts.map(([hours, count]) => [rangeOf(hours), count]));
