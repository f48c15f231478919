import { bodyOf } from '#domain/deliveries/delivery-messages.ts';
import { isErasedPayload } from '#domain/deliveries/erased-payload.ts';
import { matchesEvent } from '#domain/endpoints/endpoint.ts';
import { ServiceError } from '#platform/errors.ts';
import { keyOf, simulationOfMade } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { StoredBody } from '#platform/table/stored-body.ts';
import { hourMs } from '#platform/time.ts';
import { blockOfTime, blocksFrom, type Entry, type Feed } from './blocks.ts';
import { type Cursor, writeCursor } from './cursor.ts';
import { type FeedMark, isAt, markIn, type Place, type Telling, tellingsOf, wholeShop } from './mark.ts';
import { keptSince } from './retention.ts';
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
  /** Null if it is too large for an answer. */
  payload: Record<string, unknown> | null;
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
  /** Without `after`: where to begin, in milliseconds. In the future, only what comes from now on. */
  from?: number | undefined;
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
/** Of an answer, which Lambda writes as a text within a text. It takes 6 MB. */
const maxBytes = 5 * 1024 * 1024;
/** So far one request looks for events that a filter lets through. */
const maxPlaces = 1000;

/** Throws cursor_expired if something behind the cursor may be gone. */
export async function readFeed(feed: Feed, question: FeedQuestion, now: Date): Promise<FeedPage> {
  const { after, limit, receiver, refs } = question;
  if (after && (after.generation !== feed.generation || after.at < keptSince(now))) {
    throw new ServiceError('cursor_expired');
  }
  // With a cursor, an hour that ends is shown to its end: times are those of many clocks.
  const since = after ? keptSince(now) - hourMs : Math.max(keptSince(now), question.from ?? 0);
  const isKept = ({ at }: Entry) => at >= since;
  const start = after ?? (await startAt(feed, since, now));
  const events: FeedEvent[] = [];
  const page = (at: Cursor, at_end: boolean): FeedPage => ({ events, next: writeCursor(feed.slug, at), at_end });
  const size = () => (receiver === wholeShop && !refs ? Math.min(readAtOnce, limit - events.length) : readAtOnce);
  // What is not kept any more is passed, and does not make the cursor older: it would expire before it was used.
  const atLeast = after ? after.at : Math.min(since, now.getTime());
  const behind = ({ generation, block, index, at }: PlacedEntry): Cursor => {
    return { generation, block, index: index + 1, told: 0, at: Math.max(at, atLeast) };
  };
  let cursor = start;
  let bytes = 0;
  let places = 0;
  for await (const window of windowsFrom(feed, start, size)) {
    if (events.length === limit) return page(cursor, false);
    const items = await payloadItems(feed, window.filter(isKept));
    for (const entry of window) {
      if (events.length === limit || places === maxPlaces) return page(cursor, false);
      if (isKept(entry)) {
        places += 1;
        const item = await decided(feed, entry, items.shift(), now);
        // Its writer is at work. What follows it waits, so that all readers have the same order.
        if (!item) return page({ ...cursor, at: now.getTime() }, true);
        const next = isAt(start, entry) ? start.told : 0;
        const shown = (await eventsOf(feed, entry, item, question)).filter(({ part }) => part >= next);
        for (const [i, { event, part, size: added }] of shown.entries()) {
          if (events.length === limit || (events.length > 0 && bytes + added > maxBytes)) return page(cursor, false);
          cursor = i === shown.length - 1 ? behind(entry) : { ...behind(entry), index: entry.index, told: part + 1 };
          events.push({ ...event, cursor: writeCursor(feed.slug, cursor) });
          bytes += added;
        }
      }
      cursor = behind(entry);
    }
  }
  return page({ ...cursor, at: now.getTime() }, true);
}

interface PlacedEntry extends Place, Entry {}

/** A place may be this much younger than the block behind its own says: clocks differ, and a writer may stall for a minute. */
const marginMs = 5 * 60 * 1000;

async function startAt(feed: Feed, since: number, now: Date): Promise<Cursor> {
  const block = await blockOfTime(feed, since - marginMs);
  return { generation: feed.generation, block, index: 0, told: 0, at: now.getTime() };
}

/** Entries from the cursor on. @param size of the next window */
async function* windowsFrom(
  feed: Feed,
  { block: first, index: begin }: Cursor,
  size: () => number,
): AsyncGenerator<PlacedEntry[]> {
  let window: PlacedEntry[] = [];
  for await (const { number: block, entries } of blocksFrom(feed, first)) {
    for (const [index, entry] of entries.entries()) {
      if (block === first && index < begin) continue;
      window.push({ ...entry, generation: feed.generation, block, index });
      if (window.length < size()) continue;
      yield window;
      window = [];
    }
  }
  if (window.length > 0) yield window;
}

type PayloadItem = Record<string, unknown>;

async function payloadItems({ slug }: Feed, entries: readonly Entry[]): Promise<(PayloadItem | undefined)[]> {
  // An event whose record was replayed has several places, and DynamoDB takes a key only once.
  const ids = [...new Set(entries.map(({ event_id }) => event_id))];
  const items = await batchGet(ids.map((id) => keyOf.payload(slug, id)));
  const byId = new Map(ids.map((id, i) => [id, items[i]]));
  return entries.map(({ event_id }) => byId.get(event_id));
}

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

interface Told {
  event: Omit<ShownEvent, 'cursor'> | Omit<ErasedEvent, 'cursor'>;
  part: number;
  /** In bytes. */
  size: number;
}

/** What the event at a place tells the receiver. Nothing if the event is elsewhere. */
async function eventsOf(
  feed: Feed,
  entry: PlacedEntry,
  item: PayloadItem,
  { receiver, refs }: FeedQuestion,
): Promise<Told[]> {
  const mark = markIn(item);
  if (!mark || !isAt(mark, entry)) return [];
  const shown: Told[] = [];
  for (const telling of tellingsOf(entry.event_id, mark, receiver)) {
    const text = await textOf(feed, entry, item, telling);
    const event = text === undefined ? erased(mark, telling) : whole(text, item, mark, telling);
    // Nobody knows any more what was erased, so no filter leaves it out.
    if (refs && 'ref' in event && !matchesEvent(refs, event.ref)) continue;
    shown.push({ event, part: telling.part, size: sizeOf(text) });
  }
  return shown;
}

const timeOf = ({ at }: FeedMark) => new Date(at).toISOString();

const erased = (mark: FeedMark, { id }: Telling) => ({ id, at: timeOf(mark), erased: true as const });

function whole(text: string, item: PayloadItem, mark: FeedMark, { id, subject }: Telling): Told['event'] {
  const payload = JSON.parse(text) as Record<string, unknown>;
  const { ref, event_group } = payload as Pick<ShownEvent, 'ref' | 'event_group'>;
  return {
    ...{ id, at: timeOf(mark), ref, event_group },
    subject_version: subject.version ?? null,
    simulation_id: simulationOfMade(item.timeline_pk as string | undefined) ?? null,
    payload: sizeOf(text) > maxBytes ? null : payload,
  };
}

/** As Lambda sends it: each quotation mark takes two bytes. */
const sizeOf = (text = ''): number => Buffer.byteLength(JSON.stringify(text));

/** Undefined if it was erased. */
async function textOf(
  { slug }: Feed,
  { event_id }: Entry,
  item: PayloadItem,
  { part }: Telling,
): Promise<string | undefined> {
  if (isErasedPayload(item)) return undefined;
  try {
    const about = { shop_slug: slug, payload_id: event_id, payload_part: part };
    return (await bodyOf(about, item as unknown as StoredBody)).toString('utf8');
  } catch (error) {
    // The file goes first, then its item says that it was erased.
    if ((error as Error).name === 'NoSuchKey') return undefined;
    throw error;
  }
}
