/**
 * At most so many things in any period of so many milliseconds. A leaky bucket cannot promise that: one that takes ten at
 * once has room for the eleventh before the hour is over, and a smaller one refuses the tenth.
 */
export interface Window {
  max: number;
  ms: number;
}

/** The times that count with one more, or how long to wait because there is no room for it. */
export type Counted = { times: number[] } | { waitMs: number };

/** @param times of what came before, in any order */
export function oneMore(times: readonly number[], now: number, { max, ms }: Window): Counted {
  // A time ahead of our clock comes from another machine, and counts as now.
  const counting = times.map((time) => Math.min(time, now)).filter((time) => time > now - ms);
  if (counting.length < max) return { times: [...counting, now] };
  const [nextToEnd] = counting.toSorted((a, b) => b - a).slice(max - 1);
  return { waitMs: nextToEnd! + ms - now };
}

/** For the header Retry-After. */
export const secondsOf = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1000));
