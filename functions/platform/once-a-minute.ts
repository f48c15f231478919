import { remember } from './recently-used.ts';

/**
 * For marks that say when something last happened, and how often: an execution environment writes each at most once a
 * minute, so that somebody who calls all the time costs no more.
 */

const everyMs = 60_000;

interface Noted {
  /** When it was last written. */
  at: number;
  /** What came since then. */
  count: number;
}

/** By the name of the mark. */
export const noted = new Map<string, Noted>();
const maxNoted = 1000;

/** The count to write now, or undefined if it is too early. */
export function dueCount(name: string, now: Date): number | undefined {
  const { at, count } = noted.get(name) ?? { at: Number.NEGATIVE_INFINITY, count: 0 };
  const isDue = now.getTime() - at >= everyMs;
  remember(noted, name, isDue ? { at: now.getTime(), count: 0 } : { at, count: count + 1 }, maxNoted);
  return isDue ? count + 1 : undefined;
}
