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

/** Gives the count to write now, or undefined if it is too early. */
export type Due = (name: string, now: Date) => number | undefined;

/** @param max names of which it knows when they were written */
export function onceAMinute(max = 1000): Due {
  const noted = new Map<string, Noted>();
  return (name, now) => {
    const { at, count } = noted.get(name) ?? { at: Number.NEGATIVE_INFINITY, count: 0 };
    const isDue = now.getTime() - at >= everyMs;
    remember(noted, name, isDue ? { at: now.getTime(), count: 0 } : { at, count: count + 1 }, max);
    return isDue ? count + 1 : undefined;
  };
}
