import { toLocal } from '../../ui/times.ts';
import type { Tone } from '../../ui/tones.ts';

/** An hour of the ledger of an endpoint. Hours are those of UTC. */
export interface LedgerHour {
  hour: string;
  count: number;
  digest: string;
  delivered: number | null;
  settled: boolean;
}

export interface Sum {
  sent: number;
  arrived: number;
  open: number;
  /** Whether the numbers can still grow by what has happened already. */
  isCounting: boolean;
}

/** A day of the user's own zone. An hour belongs to the day in which it begins. */
export interface LedgerDay extends Sum {
  day: string;
  /** Newest first. */
  hours: readonly LedgerHour[];
}

/** An arrival may be counted before the event itself: that is no reason to say that less than nothing is open. */
const openIn = ({ count, delivered }: LedgerHour): number => Math.max(0, count - (delivered ?? 0));

/** What was counted as arrived, and not yet as sent, is not said: nobody understands 5 of 4. */
const arrivedIn = (hour: LedgerHour): number => hour.count - openIn(hour);

const total = (hours: readonly LedgerHour[], of: (hour: LedgerHour) => number): number =>
  hours.reduce((all, hour) => all + of(hour), 0);

export const sumOf = (hours: readonly LedgerHour[]): Sum => ({
  sent: total(hours, ({ count }) => count),
  arrived: total(hours, arrivedIn),
  open: total(hours, openIn),
  isCounting: hours.some(({ settled }) => !settled),
});

export const localDay = (at: string | number): string =>
  toLocal(new Date(at).toISOString()).slice(0, 'yyyy-mm-dd'.length);

/** The days that have events, newest first. */
export function daysOf(hours: readonly LedgerHour[]): LedgerDay[] {
  const newestFirst = hours.toSorted((a, b) => Date.parse(b.hour) - Date.parse(a.hour));
  const days = Map.groupBy(newestFirst, ({ hour }) => localDay(hour));
  return [...days].map(([day, own]) => ({ day, hours: own, ...sumOf(own) }));
}

/** The day so many days ago, counted in days of the calendar: one of them may have 23 or 25 hours. */
export function dayBefore(now: number, count: number): string {
  const at = new Date(now);
  return localDay(new Date(at.getFullYear(), at.getMonth(), at.getDate() - count, 12).getTime());
}

interface Sentence {
  /** Its name among the texts. */
  name: 'nothingToday' | 'all' | 'none' | 'some';
  /** What is filled in. */
  values: Record<string, number>;
}

/** "All 1,204 of today arrived." */
export function todaySentence({ sent, arrived, open }: Sum): Sentence {
  if (sent === 0) return { name: 'nothingToday', values: {} };
  if (open === 0) return { name: 'all', values: { count: sent } };
  if (arrived === 0) return { name: 'none', values: { count: sent } };
  return { name: 'some', values: { count: open, arrived, sent } };
}

const hourMs = 3_600_000;

/** From the first hour that is open to the end of the last one. Undefined if nothing is open. */
export function openRange(hours: readonly LedgerHour[]): { since: number; until: number } | undefined {
  const open = hours.filter((hour) => openIn(hour) > 0).map(({ hour }) => Date.parse(hour));
  return open.length === 0 ? undefined : { since: Math.min(...open), until: Math.max(...open) + hourMs };
}

interface Counted {
  /** The hour in which it counts. Null if it is in no feed, such as a test event. */
  feed_hour: string | null;
  created_at: string;
}

/** Of the deliveries that did not arrive, those that count in these hours. Newest first. */
export function countedIn<D extends Counted>(deliveries: readonly D[], hours: readonly LedgerHour[]): D[] {
  const counted = new Set(hours.map(({ hour }) => Date.parse(hour)));
  return deliveries
    .filter(({ feed_hour }) => feed_hour !== null && counted.has(Date.parse(feed_hour)))
    .toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
}

/** How many are open and not in the log. */
export const unlogged = (open: number, logged: number): number => Math.max(0, open - logged);

/**
 * What is on its way needs nobody. It does if an attempt failed, or if it is open in an hour that is counted whole.
 * @param hasFailed whether an attempt failed, of any that is open
 */
export function toneOf(hours: readonly LedgerHour[], hasFailed: boolean): Tone {
  const { sent, open } = sumOf(hours);
  if (sent === 0) return 'quiet';
  if (open === 0) return 'arrived';
  const isOverdue = hours.some((hour) => hour.settled && openIn(hour) > 0);
  return hasFailed || isOverdue ? 'attention' : 'moving';
}
