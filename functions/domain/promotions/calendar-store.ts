import { invalidValue } from '#platform/errors.ts';
import { calendarPrefix, keyOf, recordsIn } from '#platform/table/keys.ts';
import { batchGet, getItem, itemsIn, queryAllWithin } from '#platform/table/reads.ts';
import { hashOf } from '#platform/table/record-writes.ts';
import { type Action, insert, putVersion } from '#platform/table/writes.ts';
import { errorBody } from '#schemas/catalogues/errors.ts';
import {
  type Booking,
  type CalendarKind,
  type Entry,
  overlap,
  rebooked,
  sameBooking,
  type Window,
} from './calendar.ts';

interface Calendar {
  /** 0 if the calendar does not exist yet. */
  version: number;
  entries: Entry[];
}

const keyOfCalendar = (kind: CalendarKind, slug: string, segment: string) =>
  keyOf.calendar(kind.of, slug, hashOf(segment));

export async function readCalendars(
  kind: CalendarKind,
  slug: string,
  segments: readonly string[],
): Promise<Calendar[]> {
  const keys = segments.map((segment) => keyOfCalendar(kind, slug, segment));
  const items = await batchGet(keys);
  return items.map((item) => (item as unknown as Calendar | undefined) ?? { version: 0, entries: [] });
}

/** What is open in a time range, in all segments of the shop. Throws `tooMuch` if the calendars have too many entries. */
export async function openInAnySegment(
  kind: CalendarKind,
  slug: string,
  range: Window,
  tooMuch: () => Error,
): Promise<string[]> {
  const query = { ...itemsIn(recordsIn(kind.of, slug), { prefix: calendarPrefix }), ConsistentRead: true };
  const calendars = await queryAllWithin<Calendar>(query, tooMuch);
  return calendars.flatMap(({ entries }) => entries.filter((entry) => overlap(entry, range)).map(({ uuid }) => uuid));
}

/**
 * The writes that move a record from its old booking to its new one, on the condition that nobody else changed the
 * calendars. If the segment is taken, the write has a condition that always fails, so the transaction reports this
 * together with its other conflicts.
 */
export async function rebook(
  kind: CalendarKind,
  slug: string,
  before: Booking | undefined,
  after: Booking | undefined,
  now: Date,
): Promise<Action[]> {
  if (sameBooking(before, after)) return [];
  const { uuid } = (after ?? before)!;
  const segments = [...new Set([before, after].flatMap((booking) => (booking ? [booking.segment] : [])))];
  const calendars = await readCalendars(kind, slug, segments);
  const writes = segments.map(async (segment, i): Promise<Action> => {
    const { version, entries } = calendars[i]!;
    const booking = segment === after?.segment ? after : undefined;
    const result = rebooked(kind, entries, { uuid, booking }, now);
    if (result === 'full') throw full();
    const key = keyOfCalendar(kind, slug, segment);
    if ('takenBy' in result) return refused(kind, key, await messageOf(kind, slug, result.takenBy));
    return putVersion({ ...key, version: version + 1, entries: result.entries });
  });
  return Promise.all(writes);
}

/** Calendars are never deleted, so the calendar with the conflicting entry exists and this insert always fails. */
const refused = ({ taken }: CalendarKind, key: object, refusalMessage: string): Action => ({
  ...insert(key),
  refusal: taken,
  refusalMessage,
});

/** Names what is in the way, so that nobody has to look for it. */
async function messageOf({ of, noun, taken }: CalendarKind, slug: string, { uuid }: Entry): Promise<string> {
  const other = await getItem<{ name?: string }>(keyOf.record(of, slug, uuid));
  return `${errorBody(taken).message} It is the ${noun} ${uuid}: ${other?.name ?? uuid}`;
}

const full = () =>
  invalidValue(['body', 'segment'], 'already has too many planned campaigns or tests; delete some of them first');
