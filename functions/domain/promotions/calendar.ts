import { utc } from '#platform/time.ts';
import type { ErrorKey, FieldError } from '#schemas/catalogues/errors.ts';

/** Which campaigns, or which A/B tests, have a segment, and when. */

export interface Entry extends Window {
  uuid: string;
}

/** An entry in the calendar of a segment. */
export interface Booking extends Entry {
  segment: string;
}

export interface CalendarKind {
  of: 'campaigns' | 'abTests';
  /** Whether two cannot have one segment. */
  collide: (a: Window, b: Window) => boolean;
  /** The answer to the second one. */
  taken: ErrorKey;
  /** Whether what has ended is in nobody's way. */
  forgetsEnded: boolean;
}

/** A calendar is one item of the table: so many entries it holds at most. */
export const maxEntries = 200;

export type Booked = { entries: Entry[] } | 'taken' | 'full';

/** The entries of a segment where one record leaves its old place and, with a booking, takes its new one. */
export function rebooked(
  { collide, forgetsEnded }: CalendarKind,
  entries: readonly Entry[],
  change: { uuid: string; booking?: Entry | undefined },
  now: Date,
): Booked {
  const others = entries.filter((entry) => entry.uuid !== change.uuid && !(forgetsEnded && hasEnded(entry, now)));
  if (!change.booking) return { entries: others };
  const { uuid, start_date, end_date } = change.booking;
  if (others.some((entry) => collide(entry, change.booking!))) return 'taken';
  const kept = others.length < maxEntries ? others : others.filter((entry) => !hasEnded(entry, now));
  return kept.length < maxEntries ? { entries: [...kept, { uuid, start_date, end_date }] } : 'full';
}

export function sameBooking(a: Booking | undefined, b: Booking | undefined): boolean {
  if (!a || !b) return a === b;
  return a.segment === b.segment && a.start_date === b.start_date && a.end_date === b.end_date;
}

/** From one moment until another. The times are UTC, to the millisecond: as texts they compare as times do. */
export interface Window {
  start_date: string;
  /** The first moment that is no longer part of it; null: none. */
  end_date: string | null;
}

interface GivenWindow {
  start_date?: string | null;
  end_date?: string | null;
}

/** As a caller says it: from now on and without an end, where nothing is said. */
export const newWindow = ({ start_date, end_date }: GivenWindow, now: Date): Window => ({
  start_date: utc(start_date ?? now),
  end_date: end_date ? utc(end_date) : null,
});

export function faultsOfWindow({ start_date, end_date }: Window): FieldError[] {
  if (end_date === null || end_date > start_date) return [];
  return [{ loc: ['body', 'end_date'], msg: 'must be after start_date', type: 'value_error' }];
}

export const hasStarted = ({ start_date }: Window, now: Date) => start_date <= now.toISOString();
export const hasEnded = ({ end_date }: Window, now: Date) => end_date !== null && end_date <= now.toISOString();
export const isOpen = (window: Window, now: Date) => hasStarted(window, now) && !hasEnded(window, now);

/** Whether there is a moment that is part of both. */
export function overlap(a: Window, b: Window): boolean {
  return (b.end_date === null || a.start_date < b.end_date) && (a.end_date === null || b.start_date < a.end_date);
}

/** Whether they overlap, or one begins when the other ends. */
export function overlapOrMeet(a: Window, b: Window): boolean {
  return overlap(a, b) || a.start_date === b.end_date || b.start_date === a.end_date;
}
