import type { ErrorKey } from '#schemas/catalogues/errors.ts';
import { hasEnded, type Window } from './window.ts';

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
export const mostEntries = 200;

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
  const kept = others.length < mostEntries ? others : others.filter((entry) => !hasEnded(entry, now));
  return kept.length < mostEntries ? { entries: [...kept, { uuid, start_date, end_date }] } : 'full';
}

export function sameBooking(a: Booking | undefined, b: Booking | undefined): boolean {
  if (!a || !b) return a === b;
  return a.segment === b.segment && a.start_date === b.start_date && a.end_date === b.end_date;
}
