import { daysBefore, youngDays } from '#domain/figures/survival.ts';
import { invalidValue } from '#platform/errors.ts';
import { dayAfter, dayAt, dayMs, daysBetween } from '#platform/time.ts';
import { figuresLimits } from '#schemas/catalogues/limits.ts';

/** Days in UTC, as `yyyy-mm-dd`, which sort as text. */
export interface DayRange {
  /** The first and the last day. */
  from: string;
  to: string;
}

const firstDay = Date.parse('0000-01-01');

/** What a request asks for: by default the days up to today. */
export function dayRange(query: Partial<DayRange>, now: Date): DayRange {
  const to = query.to ?? dayAt(now);
  // No day is before the year 0, whose days would no longer sort as text.
  const from = query.from ?? dayAt(Math.max(firstDay, Date.parse(to) - (figuresLimits.usualDays - 1) * dayMs));
  if (from > to) throw invalidValue(['query', 'from'], `must not be after to, which is ${to}`);
  if (daysBetween(from, to) >= figuresLimits.days) {
    throw invalidValue(['query', 'from'], `must be at most ${figuresLimits.days} days before the end of ${to}`);
  }
  return { from, to };
}

/** Where a request has to stop reading. */
export const tooMuch = () =>
  invalidValue(['query', 'from'], 'finds too many figures to read at once: ask for fewer days');

/**
 * The first day to read for rows by week: the weeks before a young one tell how its parcels go on. They are always read, so
 * a week has the same figures wherever the range begins.
 */
export function firstToRead({ from, to }: DayRange, now: Date): string {
  const young = dayAfter(dayAt(now), -youngDays);
  if (to < young) return from;
  const before = dayAfter(from > young ? from : young, -daysBefore);
  return before < from ? before : from;
}

/** Every day of the range, oldest first. */
export const daysIn = ({ from, to }: DayRange): string[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, i) => dayAfter(from, i));

/**
 * The week of a day by ISO 8601, such as `2026-W46`. Weeks begin on Monday, and belong to the year that has their Thursday:
 * 2027-01-01 is a day of `2026-W53`.
 */
export function isoWeek(day: string): string {
  const weekday = new Date(day).getUTCDay() || 7;
  const thursday = dayAfter(day, 4 - weekday);
  const year = thursday.slice(0, 'yyyy'.length);
  const week = Math.floor(daysBetween(`${year}-01-01`, thursday) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}
