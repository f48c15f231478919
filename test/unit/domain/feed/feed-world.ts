import { isDeepStrictEqual } from 'node:util';
import { startTakingPlaces } from '#domain/feed/blocks.ts';
import { type Cursor, readCursor } from '#domain/feed/cursor.ts';
import {
  type FeedMark,
  type FeedSubject,
  markIn,
  readMark,
  tellingsOf,
  wholeShop,
  writeMark,
} from '#domain/feed/mark.ts';
import { readFeed } from '#domain/feed/reading.ts';
import { type FeedContent, storeInFeed } from '#domain/feed/store-event.ts';
import { keyOf } from '#platform/table/keys.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { Random } from '#test/fuzz/random.ts';
import { type Actor, type Lies, UnsteadyTable } from './unsteady-table.ts';

const feed = { slug: 'shop', generation: 3 };
const endpoints = ['endpoint-a', 'endpoint-b'];
const begin = Date.parse('2026-11-18T02:59:50.000Z');

/** As long as a reader may wait for a place. */
const patienceMs = 5000;

/** An entry of a block is the id of an event and a time. */
const idBytes = 16;
const timeBytes = 6;
const timeIn = (entry: Uint8Array) => Buffer.from(entry).readUIntBE(idBytes, timeBytes);

/** An entry that is so old that nobody looks what is there. */
export const noEvent = new Uint8Array(idBytes + timeBytes);

interface StoredEvent {
  id: string;
  content: FeedContent;
  isErased: boolean;
}

interface Reader {
  name: string;
  receiver: string;
  /** What it has read, by id. */
  ids: string[];
  after?: Cursor;
}

/**
 * Functions that store the events of a stream, readers that follow the feed and somebody who erases orders, all at once on an
 * unsteady table. A function that dies or takes long is replaced by another one with the same events, as Lambda does, and
 * the first may wake up later. It throws at the first step that breaks what the feed promises.
 */
export class FeedWorld {
  readonly #random: Random;
  readonly #world: UnsteadyTable;
  readonly #events: StoredEvent[];
  readonly #waiting = new Set<string>();
  /** The order that the first reader saw, which is everybody's. By receiver. */
  readonly #orders = new Map<string, string[]>();
  readonly #returned = new Map<string, FeedMark>();
  readonly #readers: Reader[] = [];
  #runs = 0;
  #broken: Error | undefined;

  constructor(seed: string, lies: Lies = {}) {
    this.#random = new Random(seed);
    this.#world = new UnsteadyTable(this.#random, begin, lies);
    this.#events = Array.from({ length: this.#random.between(8, 24) }, () => this.#newEvent(this.#random.uuid()));
    this.#fillFirstBlock();
  }

  get table() {
    return this.#world;
  }

  async run(): Promise<void> {
    const spreadMs = this.#random.pick([50, 1_000, 30_000]);
    for (let i = 0; i < this.#events.length; ) {
      const batch = this.#events.slice(i, i + this.#random.between(1, 5));
      for (const { id } of batch) this.#waiting.add(id);
      this.#startFunction(batch, this.#random.below(spreadMs));
      i += batch.length;
    }
    const receiver = this.#random.pick([wholeShop, ...endpoints]);
    // Who comes later begins with the oldest.
    for (const afterMs of [100, 100, 3 * spreadMs]) this.#startReader(receiver, this.#random.below(afterMs));
    for (const event of this.#events)
      if (this.#random.chance(0.1)) this.#startErasing(event, this.#random.below(2 * spreadMs));
    await this.#world.run();
    if (this.#broken) throw this.#broken;
    this.#compare();
  }

  /** A block takes more than a world has. So most worlds begin with one that is nearly full, of places where nothing is. */
  #fillFirstBlock(): void {
    const places = this.#random.pick([0, 15, 25, 30, 35, 36]);
    if (places === 0) return;
    const key = keyOf.feedBlock(feed.slug, feed.generation, 1);
    this.#world.table.write({ Item: { ...key, since: begin, entries: Array.from({ length: places }, () => noEvent) } });
  }

  #newEvent(id: string): StoredEvent {
    const subjects = Array.from(
      {
        length: this.#random.weighted([
          [1, 8],
          [2, 1],
          [3, 1],
        ]),
      },
      (_, i): FeedSubject => ({ id: `${id}/${i}`, version: i, told: this.#random.pick([0, 1, 2]) }),
    );
    const content = {
      ...{ occurred: begin - this.#random.below(60_000), groups: 2, subjects },
      endpoints: endpoints.filter(() => this.#random.chance(0.6)),
    };
    return { id, content, isErased: false };
  }

  #newActor(name: string, isUnsteady: boolean): Actor {
    const offMs = this.#random.weighted([
      [0, 2],
      [-1000, 2],
      [1000, 2],
      [-1400, 1],
      [1400, 1],
      [-9000, 1],
      [9000, 1],
    ]);
    return { name, isUnsteady, isDead: false, clock: () => this.#world.now + offMs };
  }

  /** Handles the events of a batch, and those of them that were not handled come again, until all are. */
  #startFunction(batch: readonly StoredEvent[], afterMs: number): void {
    if (this.#runs > 500) this.#fail('nothing is ever stored');
    if (this.#broken) return;
    // The last ones are steady, so that all comes to an end.
    const actor = this.#newActor(`function ${++this.#runs}`, this.#runs < 200);
    this.#world.begin(actor, afterMs, () => {
      const takePlace = startTakingPlaces(feed, actor.clock);
      for (const event of batch) this.#store(event, takePlace).catch(() => {});
    });
    this.#world.begin(this.#newActor('stream', false), afterMs + this.#random.pick([40, 1_000, 60_000]), () => {
      const again = batch.filter(({ id }) => this.#waiting.has(id) || this.#random.chance(0.03));
      if (again.length > 0) this.#startFunction(again, 0);
    });
  }

  async #store({ id, content }: StoredEvent, takePlace: ReturnType<typeof startTakingPlaces>): Promise<void> {
    const owner = { shop_slug: feed.slug, payload_id: id, expires_at: begin / 1000 + 31 * 24 * 3600 };
    const parts = content.subjects.flatMap((subject) =>
      ['own', 'all'].map((event_group) => ({ ref: 'shipments/a', event_group, about: subject.id })),
    );
    const mark = await storeInFeed(owner, { context: {}, parts }, content, takePlace);
    this.#waiting.delete(id);
    if (mark === 'erased') return;
    if (!mark) return this.#fail(`${id} was stored in no feed`);
    // From here on it is sent.
    const sent = readMark(writeMark(mark));
    const before = this.#returned.get(id) ?? sent;
    if (!isDeepStrictEqual(before, sent)) this.#fail(`${id} has two marks`);
    this.#returned.set(id, before);
  }

  #startErasing(event: StoredEvent, afterMs: number): void {
    const actor = this.#newActor('eraser', false);
    this.#world.begin(actor, afterMs, () => {
      event.isErased = true;
      this.#world.table.write({
        Key: keyOf.payload(feed.slug, event.id),
        UpdateExpression: 'SET erased_at = :at, expires_at = :end REMOVE feed_closed, body',
        ExpressionAttributeValues: { ':at': new Date(actor.clock()).toISOString(), ':end': begin / 1000 + 1e7 },
      });
    });
  }

  #startReader(receiver: string, afterMs: number): void {
    const actor = this.#newActor(`reader ${this.#readers.length} of ${receiver}`, false);
    const reader: Reader = { name: actor.name, receiver, ids: [] };
    this.#readers.push(reader);
    this.#world.begin(actor, afterMs, () => {
      this.#follow(reader, actor).catch((error) => this.#fail(`${reader.name}: ${(error as Error).stack}`));
    });
  }

  async #follow(reader: Reader, actor: Actor): Promise<void> {
    const limit = this.#random.weighted([
      [1, 1],
      [3, 2],
      [20, 4],
      [100, 4],
    ]);
    let quietMs = 200;
    let endedAt = Number.POSITIVE_INFINITY;
    while (!this.#broken) {
      const now = new Date(actor.clock());
      const overdue = this.#overdue(reader, now);
      const question = { after: reader.after, limit, receiver: reader.receiver };
      const { events, next, at_end } = await readFeed(feed, question, now);
      // An answer that gets lost is asked for again.
      if (this.#random.chance(0.1)) continue;
      for (const event of events) this.#see(reader, event);
      const cursor = readCursor(feed.slug, next)!;
      if (overdue && reader.after?.block === cursor.block && reader.after.index === cursor.index && events.length === 0)
        this.#fail(`${reader.name} waits longer than it may`);
      reader.after = cursor;
      if (!at_end) continue;
      // Twice the time that the slowest clock makes of its patience.
      if (this.#waiting.size > 0) endedAt = Number.POSITIVE_INFINITY;
      else if (this.#world.now - endedAt > 10 * patienceMs) return;
      else if (endedAt === Number.POSITIVE_INFINITY) endedAt = this.#world.now;
      quietMs = events.length > 0 ? 200 : Math.min(quietMs * 3, 600_000);
      await this.#world.pause(this.#random.below(quietMs) + 1);
    }
  }

  /** Whether the place in front of a reader is taken for so long that it need not wait. */
  #overdue({ after }: Reader, now: Date): boolean {
    if (!after) return false;
    const block = this.#world.table.read(keyOf.feedBlock(feed.slug, feed.generation, after.block));
    const entry = (block?.entries as Uint8Array[] | undefined)?.[after.index];
    return entry !== undefined && now.getTime() - timeIn(entry) >= patienceMs;
  }

  #see(reader: Reader, event: { id: string }): void {
    const order = this.#orders.get(reader.receiver) ?? [];
    this.#orders.set(reader.receiver, order);
    const position = reader.ids.length;
    if (position === order.length) order.push(event.id);
    if (order[position] !== event.id) this.#fail(`${reader.name} has another order at ${position}`);
    reader.ids.push(event.id);
  }

  #fail(reason: string): void {
    this.#broken ??= new Error(reason);
  }

  /** What the readers have is what is stored and was sent, once each. */
  #compare(): void {
    const items = new Map(this.#world.table.all(partitions.payloads).map((item) => [String(item.pk), item]));
    const marks = new Map<string, FeedMark>();
    for (const { id, isErased } of this.#events) {
      const mark = markIn(items.get(keyOf.payload(feed.slug, id).pk));
      if (mark) marks.set(id, mark);
      else if (!isErased) throw new Error(`${id} is not stored`);
      const returned = this.#returned.get(id);
      if (returned && !isDeepStrictEqual(mark, returned))
        throw new Error(`${id} was sent with another mark than the stored one`);
    }
    for (const { name, receiver, ids } of this.#readers) {
      const truth = [...marks].flatMap(([id, mark]) => tellingsOf(id, mark, receiver).map((telling) => telling.id));
      if (new Set(ids).size !== ids.length) throw new Error(`${name} read something twice`);
      const missing = truth.filter((id) => !ids.includes(id));
      if (missing.length > 0) throw new Error(`${name} misses ${missing.length} of ${truth.length}`);
      if (ids.length !== truth.length) throw new Error(`${name} read ${ids.length - truth.length} that are nowhere`);
    }
  }
}
