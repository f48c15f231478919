import { valueError } from '#platform/errors.ts';
import { utc } from '#platform/time.ts';
import type { ErrorKey, FieldError } from '#schemas/catalogues/errors.ts';

/** A calendar stores which campaigns or A/B tests occupy a segment, and when. */

export interface Entry extends Window {
  uuid: string;
}

/** An entry in the calendar of a segment. */
export interface Booking extends Entry {
  segment: string;
}

export interface CalendarKind {
  of: 'campaigns' | 'abTests';
  /** Whether two entries cannot share a segment. */
  collide: (a: Window, b: Window) => boolean;
  /** The error for the second entry. */
  taken: ErrorKey;
  /** What an entry is called in that error. */
  noun: string;
  /** Whether entries that have ended are removed. */
  forgetsEnded: boolean;
}

/** A calendar is one item of the table, so its number of entries is limited. */
export const maxEntries = 200;

export type Booked = { entries: Entry[] } | { takenBy: Entry } | 'full';

/** The entries of a segment after one record loses its old entry and, if it has a booking, gets a new one. */
export function rebooked(
  { collide, forgetsEnded }: CalendarKind,
  entries: readonly Entry[],
  change: { uuid: string; booking?: Entry | undefined },
  now: Date,
): Booked {
  const others = entries.filter((entry) => entry.uuid !== change.uuid && !(forgetsEnded && hasEnded(entry, now)));
  if (!change.booking) return { entries: others };
  const { uuid, start_date, end_date } = change.booking;
  const takenBy = others.find((entry) => collide(entry, change.booking!));
  if (takenBy) return { takenBy };
  const kept = others.length < maxEntries ? others : others.filter((entry) => !hasEnded(entry, now));
  return kept.length < maxEntries ? { entries: [...kept, { uuid, start_date, end_date }] } : 'full';
}

export function sameBooking(a: Booking | undefined, b: Booking | undefined): boolean {
  if (!a || !b) return a === b;
  return a.segment === b.segment && a.start_date === b.start_date && a.end_date === b.end_date;
}

/** A time range. Times are UTC with milliseconds, so texts sort as times do. */
export interface Window {
  start_date: string;
  /** The first moment after the range. Null means no end. */
  end_date: string | null;
}

interface WindowInput {
  start_date?: string | null;
  end_date?: string | null;
}

/** The range that a caller gives. It starts now and has no end by default. */
export const newWindow = ({ start_date, end_date }: WindowInput, now: Date): Window => ({
  start_date: utc(start_date ?? now),
  end_date: end_date ? utc(end_date) : null,
});

export function faultsOfWindow({ start_date, end_date }: Window): FieldError[] {
  if (end_date === null || end_date > start_date) return [];
  return [valueError(['body', 'end_date'], 'must be after start_date')];
}

export const hasStarted = ({ start_date }: Window, now: Date) => start_date <= now.toISOString();
export const hasEnded = ({ end_date }: Window, now: Date) => end_date !== null && end_date <= now.toISOString();
export const isWithinWindow = (window: Window, now: Date) => hasStarted(window, now) && !hasEnded(window, now);

/** Whether a moment is part of both. */
export function overlap(a: Window, b: Window): boolean {
  return (b.end_date === null || a.start_date < b.end_date) && (a.end_date === null || b.start_date < a.end_date);
}

/** Whether they overlap, or one begins when the other ends. */
export function overlapOrMeet(a: Window, b: Window): boolean {
  return overlap(a, b) || a.start_date === b.end_date || b.start_date === a.end_date;
}
