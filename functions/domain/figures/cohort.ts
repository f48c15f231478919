import type { CohortPlace } from '#platform/table/keys.ts';

/** What became of the parcels that a carrier got on one day for one country. */
export interface Cohort extends CohortPlace {
  /** Handed over on the day. */
  shipped: number;
  /** How many were delivered after so many hours, by the number of the range (durations.ts). */
  delivered: ReadonlyMap<number, number>;
  /** Lost, sent back, or cancelled on the way. */
  endedOtherwise: number;
  /** Whose delivery was attempted, and those of them that it was successful for at the first time. */
  attempted: number;
  firstAttempts: number;
  /** Delivered ones whose carrier named a time, and those of them that came by the end of its first window. */
  promised: number;
  kept: number;
  /** Those of them whose first window was counted, whom it held from its beginning to its end, and the hours of all these windows. */
  carrierWindows: number;
  carrierHeld: number;
  carrierHours: number;
  /** Delivered ones that we showed a window of days for, those of them whose first window held, and the days of all these windows. */
  shown: number;
  held: number;
  shownDays: number;
  /** Claims about them, without the deleted ones. */
  claims: number;
  ratings: number;
  /** The sum of the stars of the ratings. */
  stars: number;
}

/** Of which nothing is counted. */
export const emptyCohort = (place: CohortPlace): Cohort => ({
  ...place,
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
});
