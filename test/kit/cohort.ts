import { type Cohort, emptyCohort } from '#domain/figures/cohort.ts';
import { rangeOf } from '#domain/figures/durations.ts';

/** The parcels that a carrier got on one day for one country, of which nothing is counted but what is given. */
export const cohort = (counted: Partial<Cohort>): Cohort => ({
  ...emptyCohort({ day: '2026-10-05', carrier: 'dhl', country: 'DE' }),
  ...counted,
});

/** So many delivered after so many hours. */
export const deliveredAfter = (...counts: [hours: number, count: number][]) =>
  new Map(counts.map(([hours, count]) => [rangeOf(hours), count]));
