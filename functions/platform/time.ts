import { invalidValue } from './errors.ts';

interface RangeInput {
  since?: string | undefined;
  until?: string | null | undefined;
}

interface Range {
  since?: Date;
  until?: Date;
}

/** A time range with both ends included. @param place where the request contains it */
export function timeRange(place: 'query' | 'body', { since, until }: RangeInput): Range {
  const range: Range = {
    ...(since !== undefined && { since: new Date(utc(since)) }),
    ...(until != null && { until: new Date(utc(until)) }),
  };
  if (range.since && range.until && range.since > range.until) {
    throw invalidValue([place, 'until'], 'must not be before since');
  }
  return range;
}

export const hourMs = 3600 * 1000;
export const dayMs = 24 * hourMs;

/** The day in UTC, such as `2026-11-17`. Days sort as text. @param time in milliseconds, if it is no Date */
export const dayAt = (time: Date | number): string => new Date(time).toISOString().slice(0, 'yyyy-mm-dd'.length);

/** So many days after a day, or before it if they are negative. */
export const dayAfter = (day: string, days: number): string => dayAt(Date.parse(day) + days * dayMs);

/** Negative if the second day is before the first. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs);

/**
 * The `updated_at` of a record after a change. It is strictly later than the one before, whatever the clocks of those
 * who write say, so that it also tells which of two states is newer.
 */
export const laterThan = (before: string, now: Date): string =>
  new Date(Math.max(now.getTime(), Date.parse(before) + 1)).toISOString();

/** So late a time of a write may be. Who follows a list by `updated_at` looks two seconds back. */
const maxLagMs = 1000;

/**
 * The clock of somebody who writes, and may have to read and write again. What is written at once has the time at which
 * the work began, and what is written later has the time at which it is written.
 */
export function clockSince(began: Date): () => Date {
  const start = Date.now();
  return () => {
    const passedMs = Date.now() - start;
    return passedMs < maxLagMs ? began : new Date(began.getTime() + passedMs);
  };
}

/**
 * A date-time of the contract in UTC with milliseconds. The contract allows forms that Date does not parse: a leap
 * second, an offset without minutes, a space or a lower-case letter between date and time.
 */
export function utc(time: string | Date): string {
  if (time instanceof Date) return time.toISOString();
  const parseable = withOffset(time)
    .toUpperCase()
    .replace(/\s/, 'T')
    .replace(/:60(?=[.Z+-])/, ':59')
    .replace(/([+-]\d\d):?(\d\d)?$/, (offset, hours, minutes) =>
      offset.length > 3 || time.length > 10 ? `${hours}:${minutes ?? '00'}` : offset,
    );
  return withinFourDigits(new Date(parseable).toISOString());
}

/** A date-time without an offset is UTC. Date would read it in the time zone of the machine. */
export const withOffset = (time: string): string => time.replace(/[T\s]\d\d:\d\d(:\d\d(\.\d+)?)?$/i, '$&Z');

/** An offset can move a time out of the years 0000 to 9999, which sort as text. */
function withinFourDigits(time: string): string {
  if (time.startsWith('+')) return '9999-12-31T23:59:59.999Z';
  return time.startsWith('-') ? '0000-01-01T00:00:00.000Z' : time;
}
