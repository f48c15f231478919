import type { Lane } from '#platform/table/keys.ts';

/** The names of the counters. Those of cohorts are short, because a cohort has many and an item costs by the kilobyte. */

/** In the item of a day, beside the parcels that were handed over. */
export const dayCounters = [
  'orders',
  'delivered',
  'claims',
  'pages_opened',
  'mails_sent',
  'promotions_shown',
  'promotions_clicked',
] as const;

export type DayCounter = (typeof dayCounters)[number];

/** In the item of a cohort, beside the ranges of durations (durations.ts). */
export const cohortCounters = {
  endedOtherwise: 'x',
  attempted: 'a',
  firstAttempts: 'f',
  promised: 'p',
  kept: 'k',
  claims: 'c',
} as const;

const shipped = 's#';

/** In the item of a day: the parcels that were handed over on it, by what they are compared by. */
export const shippedCounter = ({ carrier, country }: Lane) => `${shipped}${carrier}#${country}` as const;

export function laneOfCounter(name: string): Lane | undefined {
  if (!name.startsWith(shipped)) return undefined;
  const [carrier, country] = name.slice(shipped.length).split('#');
  return { carrier: carrier!, country: country! };
}

const silence = 'g';

/** In the item of a cohort: delivered parcels, by the days of their longest silence. */
export const silenceCounter = (days: number): string => silence + days;

export function silenceOfCounter(name: string): number | undefined {
  return /^g\d+$/.test(name) ? Number(name.slice(silence.length)) : undefined;
}
