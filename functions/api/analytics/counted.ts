import type { Cohort } from '#domain/figures/cohort.ts';

/** What the rows of all answers have in common: sums of counters, names, rounding, order. */

/** Counters change by differences, so that one of a single cohort may be below zero for a while. A sum is not. */
export const sumOf = (cohorts: readonly Cohort[], countOf: (cohort: Cohort) => number): number =>
  Math.max(
    0,
    cohorts.reduce((total, cohort) => total + countOf(cohort), 0),
  );

export function deliveredOf({ delivered }: Cohort): number {
  let sum = 0;
  for (const count of delivered.values()) sum += count;
  return sum;
}

/** The hand-over and the end of a parcel are counted in different moments. */
export const underWayOf = (cohorts: readonly Cohort[]): number =>
  Math.max(
    0,
    sumOf(cohorts, ({ shipped }) => shipped) -
      sumOf(cohorts, deliveredOf) -
      sumOf(cohorts, ({ endedOtherwise }) => endedOtherwise),
  );

/** `-` stands for what is unknown, because a key has no empty part. */
export const knownName = (name: string): string | null => (name === '-' ? null : name);

export const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** By names: what is unknown comes last. */
export function compared(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
