import { bodyOf } from '#domain/deliveries/delivery-messages.ts';
import { isErasedPayload } from '#domain/deliveries/erased-payload.ts';
import { matchesEvent } from '#domain/endpoints/endpoint.ts';
import { ServiceError } from '#platform/errors.ts';
import { keyOf, simulationOfMade } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { StoredBody } from '#platform/table/stored-body.ts';
import { blockOfTime, blocksFrom, type Entry, type Feed } from './blocks.ts';
import { type Cursor, keptSince, writeCursor } from './cursor.ts';
import { type FeedMark, isAt, markIn, type Place, type Telling, tellingsOf } from './mark.ts';
import { closePlace, isDecided } from './store-event.ts';

/** An event as the feed shows it. What was erased has only its id and its time. */
export type FeedEvent = ShownEvent | ErasedEvent;

interface AnyEvent {
  id: string;
  at: string;
  /** Who goes on here gets what follows this event. */
  cursor: string;
}

interface ShownEvent extends AnyEvent {
  ref: string;
  event_group: string | null;
  subject_version: number | null;
  simulation_id: string | null;
  payload: Record<string, unknown>;
}

interface ErasedEvent extends AnyEvent {
  erased: true;
}

export interface FeedPage {
  events: FeedEvent[];
  next: string;
  /** There was no more when the reader looked. */
  at_end: boolean;
}

export interface FeedQuestion {
  /** Absent: from the oldest that is kept. */
  after?: Cursor | undefined;
  limit: number;
  /** The uuid of an endpoint, or `wholeShop`. */
  receiver: string;
  /** Filters as those of endpoints. Absent: all. */
  refs?: readonly string[] | undefined;
}

/** So long a reader waits for an event whose place is taken. Writing it takes some milliseconds. Only waiting depends on it. */
const patienceMs = 5000;

/** Payloads that are read together. Each may have 300 KB. */
const readAtOnce = 50;
/** An answer has 6 MB at most. */
const maxBytes = 4 * 1024 * 1024;
/** So far one request looks for events that a filter lets through. */
const maxPlaces = 1000;
const blocksAtOnce = 16;

/** Throws cursor_expired if something behind the cursor may be gone. */
export async function readFeed(feed: Feed, question: FeedQuestion, now: Date): Promise<FeedPage> {
  const { after, limit } = question;
  if (after && (after.generation !== feed.generation || after.at < keptSince(now))) {
    throw new ServiceError('cursor_expired');
  }
  const start = after ?? (await oldestKept(feed, now));
  const events: FeedEvent[] = [];
  let cursor = start;
  let bytes = 0;
  let places = 0;
  for await (const window of windowsFrom(feed, start)) {
    const items = await payloadItems(feed, window);
    for (const [i, entry] of window.entries()) {
      const item = await decided(feed, entry, items[i], now);
      // Its writer is at work. What follows it waits, so that all readers have the same order.
      if (!item) return page(feed, events, { ...cursor, at: now.getTime() }, true);
      const shown = await eventsOf(feed, entry, item, question, now);
      const skipped = isAt(start, entry) ? start.told : 0;
      for (const [position, { event, size }] of shown.entries()) {
        if (position < skipped) continue;
        if (events.length === limit || (events.length > 0 && bytes + size > maxBytes))
          return page(feed, events, cursor, false);
        cursor = behind(entry, position + 1, shown.length);
        events.push({ ...event, cursor: writeCursor(feed.slug, cursor) });
        bytes += size;
      }
      cursor = behind(entry, 0, 0);
      if (++places >= maxPlaces) return page(feed, events, cursor, false);
    }
  }
  return page(feed, events, { ...cursor, at: now.getTime() }, true);
}

const page = ({ slug }: Feed, events: FeedEvent[], cursor: Cursor, at_end: boolean): FeedPage => ({
  events,
  next: writeCursor(slug, cursor),
  at_end,
});

interface PlacedEntry extends Place, Entry {}

/** The position behind so many of the things that the event at a place tells. */
const behind = ({ generation, block, index, at }: PlacedEntry, told: number, all: number): Cursor =>
  told < all ? { generation, block, index, told, at } : { generation, block, index: index + 1, told: 0, at };

async function oldestKept(feed: Feed, now: Date): Promise<Cursor> {
  const since = keptSince(now);
  return { generation: feed.generation, block: await blockOfTime(feed, since), index: 0, told: 0, at: now.getTime() };
}

async function* windowsFrom(feed: Feed, { block: first, index: begin }: Cursor): AsyncGenerator<PlacedEntry[]> {
  let window: PlacedEntry[] = [];
  for await (const { number: block, entries } of blocksFrom(feed, first, blocksAtOnce)) {
    for (const [index, entry] of entries.entries()) {
      if (block === first && index < begin) continue;
      window.push({ ...entry, generation: feed.generation, block, index });
      if (window.length < readAtOnce) continue;
      yield window;
      window = [];
    }
  }
  if (window.length > 0) yield window;
}

type PayloadItem = Record<string, unknown>;

const payloadItems = ({ slug }: Feed, entries: readonly Entry[]): Promise<(PayloadItem | undefined)[]> =>
  batchGet(entries.map(({ event_id }) => keyOf.payload(slug, event_id)));

/** What is known for good about a place. Undefined if it is still to be waited for. */
async function decided(
  feed: Feed,
  entry: PlacedEntry,
  item: PayloadItem | undefined,
  now: Date,
): Promise<PayloadItem | undefined> {
  if (isDecided(item, entry)) return item;
  if (now.getTime() - entry.at < patienceMs) return undefined;
  await closePlace(feed, entry, now);
  const [newest] = await payloadItems(feed, [entry]);
  return isDecided(newest, entry) ? newest : undefined;
}

interface Sized {
  event: Omit<ShownEvent, 'cursor'> | Omit<ErasedEvent, 'cursor'>;
  size: number;
}

/** What the event at a place tells the receiver. Nothing if the event is elsewhere. */
async function eventsOf(
  feed: Feed,
  entry: PlacedEntry,
  item: PayloadItem,
  { receiver, refs }: FeedQuestion,
  now: Date,
): Promise<Sized[]> {
  const mark = markIn(item);
  if (!mark || !isAt(mark, entry) || mark.at < keptSince(now)) return [];
  const shown: Sized[] = [];
  for (const telling of tellingsOf(entry.event_id, mark, receiver)) {
    const one = isErasedPayload(item) ? erased(mark, telling) : await whole(feed, entry, item, mark, telling);
    if (!refs || !('ref' in one.event) || matchesEvent(refs, one.event.ref)) shown.push(one);
  }
  return shown;
}

const timeOf = ({ at }: FeedMark) => new Date(at).toISOString();

const erased = (mark: FeedMark, { id }: Telling): Sized => ({
  event: { id, at: timeOf(mark), erased: true },
  size: 100,
});

async function whole(
  { slug }: Feed,
  { event_id }: Entry,
  item: PayloadItem,
  mark: FeedMark,
  { id, part, subject }: Telling,
): Promise<Sized> {
  const about = { shop_slug: slug, payload_id: event_id, payload_part: part };
  const text = await bodyOf(about, item as unknown as StoredBody);
  const payload = JSON.parse(text.toString('utf8')) as ShownEvent['payload'];
  const { ref, event_group } = payload as Pick<ShownEvent, 'ref' | 'event_group'>;
  return {
    event: {
      ...{ id, at: timeOf(mark), ref, event_group },
      subject_version: subject.version ?? null,
      simulation_id: simulationOfMade(item.timeline_pk as string | undefined) ?? null,
      payload,
    },
    size: text.length,
  };
}
