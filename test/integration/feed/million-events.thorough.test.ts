import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTakingPlaces } from '#domain/feed/blocks.ts';
import { readCursor } from '#domain/feed/cursor.ts';
import { readLedger } from '#domain/feed/ledger.ts';
import { type FeedMark, hourOf, tellingsOf, wholeShop } from '#domain/feed/mark.ts';
import { readFeed } from '#domain/feed/reading.ts';
import { storeInFeed } from '#domain/feed/store-event.ts';
import { table } from '#platform/table/client.ts';
import { Random } from '#test/fuzz/random.ts';
import type { Change } from '../counts/made-world.ts';
import { UnreliableStream } from '../counts/unreliable-stream.ts';
import { startFastTable, toWire } from './fast-table.ts';
import { MadeTime } from './made-time.ts';

/** `FEED_EVENTS=1000000` takes about twenty minutes of one core. `FEED_SEED` makes another world. */
const events = Number(process.env.FEED_EVENTS ?? 12_000);
const seed = process.env.FEED_SEED ?? '35';
const writers = 200;

const feed = { slug: 'shop', generation: 3 };
const careful = 'endpoint-careful';
const careless = 'endpoint-careless';
const begin = Date.parse('2026-11-18T00:30:00.000Z');
/** As long as the events take. */
const lastsMs = 5 * 3_600_000;
/** Of a writer between two batches. */
const betweenMs = lastsMs / (events / 20 / writers);

const random = new Random(seed);
const started: { stop(): Promise<void> }[] = [];

/** A run of a function. */
interface Run {
  /** By how much its clock is wrong. */
  offMs: number;
  /** The request at which it dies, and whether that is done. */
  dies?: { at: number; isDone: boolean };
  requests: number;
  /** Its payload is stored only a minute after its place was taken. */
  stalls?: boolean;
}

const runs = new AsyncLocalStorage<Run>();

const time = new MadeTime(begin);
vi.mock('node:timers/promises', async (importActual) => {
  const actual = await importActual<typeof import('node:timers/promises')>();
  return { ...actual, setTimeout: (ms: number) => (runs.getStore() ? time.wait(ms) : actual.setTimeout(ms)) };
});

/** What happened. */
const world = { killed: 0, outrun: 0, stalled: [] as string[], repeated: 0, refused: 0, blockWrites: 0 };
let stream: UnreliableStream;

beforeAll(async () => {
  const fast = await startFastTable(() => time.now);
  started.push(fast);
  stream = new UnreliableStream(new Random(`${seed}/stream`));
  // What the stream's functions send also goes through this, and their transactions through theirs.
  const transactions = table.send.bind(table) as (command: object) => Promise<object>;
  table.send = (async (command: object) => {
    const run = runs.getStore();
    if (!run) return command.constructor.name === 'TransactWriteCommand' ? transactions(command) : fast.answer(command);
    await time.wait(random.between(1, 12));
    run.requests += 1;
    const isLast = run.dies?.at === run.requests;
    if (run.dies && (run.requests > run.dies.at || (isLast && !run.dies.isDone))) throw new Error('killed');
    if (run.stalls && isPayload(command)) await stalled(run, command);
    const answer = await answered(command, fast);
    if (isLast) throw new Error('killed');
    return answer;
  }) as never;
});

afterAll(async () => {
  for (const { stop } of started) await stop();
});

async function stalled(run: Run, command: PutCommand): Promise<void> {
  delete run.stalls;
  world.stalled.push(String(command.input.Item!.pk));
  await time.wait(60_000);
}

const isPayload = (command: object): command is PutCommand =>
  command instanceof PutCommand && command.input.Item!.sk === 'PAYLOAD';

/** Whether it writes to a block. */
function isForBlock(command: object): boolean {
  const { Item, Key } = (command as { input: { Item?: { sk: string }; Key?: { sk: string } } }).input;
  return (Item ?? Key)?.sk.startsWith('BLOCK#') ?? false;
}

/** Some writes come twice: the SDK repeats them if an answer is lost. */
async function answered(command: object, fast: Awaited<ReturnType<typeof startFastTable>>): Promise<object> {
  const store = () => fast.answer(command);
  if (isForBlock(command)) world.blockWrites += 1;
  try {
    if (!fast.isWrite(command) || !random.chance(0.01)) return record(command, await store());
    world.repeated += 1;
    record(command, await store());
    return await store();
  } catch (error) {
    if ((error as Error).name === 'ConditionalCheckFailedException') world.refused += 1;
    throw error;
  }
}

/** The stream has a record of each payload. */
const records: Change[] = [];

function record(command: object, answer: object): object {
  if (!isPayload(command)) return answer;
  const { pk, sk } = command.input.Item as { pk: string; sk: string };
  records.push({ pk, sk, before: undefined, after: toWire(command.input.Item!) as never, at: new Date(time.now) });
  return answer;
}

/** Hands the records to the function that counts, many at a time. */
async function count(): Promise<void> {
  if (records.length < 500) return;
  await stream.take(records.splice(0));
}

/** What a receiver has, by the hour that came with it. A receiver knows an id that comes twice. */
class Receiver {
  readonly hours = new Map<string, Map<string, bigint>>();
  readonly dropped = new Set<string>();
  readonly #loss: number;

  constructor(loss: number) {
    this.#loss = loss;
  }

  take(id: string, hour: string): void {
    // What it loses, it loses whenever it comes.
    const isLost = createHash('sha256').update(`${seed}${id}`).digest().readUInt32BE() < this.#loss * 2 ** 32;
    if (isLost) this.dropped.add(id);
    else this.#ofHour(hour).set(id, hashOf(id));
  }

  #ofHour(hour: string) {
    const found = this.hours.get(hour) ?? new Map<string, bigint>();
    this.hours.set(hour, found);
    return found;
  }

  /** The hours whose sums are not those of the ledger. */
  async wrongHours(endpoint: string): Promise<string[]> {
    const ledger = await readLedger(feed, endpoint, { from: '' });
    const hours = new Set([...ledger.map(({ hour }) => hour), ...this.hours.keys()]);
    return [...hours].filter((hour) => {
      const { count = 0, digest = '' } = ledger.find((one) => one.hour === hour) ?? {};
      const own = this.hours.get(hour) ?? new Map<string, bigint>();
      return own.size !== count || digestOf(own.values()) !== digest;
    });
  }
}

const hashOf = (id: string) => BigInt(`0x${createHash('sha256').update(id).digest('hex')}`);

function digestOf(hashes: Iterable<bigint>): string {
  let sum = 0n;
  for (const one of hashes) sum += one;
  return BigInt.asUintN(256, sum).toString(16).padStart(64, '0');
}

const receivers = { [careful]: new Receiver(0), [careless]: new Receiver(0.05) };
const marks = new Map<string, FeedMark>();
let left = events;

/** Takes batches of the stream, and each again until it is done. */
async function write(): Promise<void> {
  while (left > 0) {
    // Sometimes all begin at once.
    const isTogether = random.chance(0.3);
    await time.wait(isTogether ? betweenMs - (time.now % betweenMs) : random.below(2 * betweenMs));
    const size = Math.min(left, random.between(1, 40));
    left -= size;
    const ids = Array.from({ length: size }, () => random.uuid());
    const isSlow = !isStalling && left < events * 0.7;
    if (isSlow) isStalling = true;
    for (let isDone = false, tried = 0; !isDone; tried++) {
      const run: Run = {
        offMs: random.pick([-1000, 1000, random.between(-1000, 1000)]),
        requests: 0,
        ...(isSlow && world.stalled.length === 0 && { stalls: true }),
        ...(tried < 3 && !isSlow && random.chance(0.03) && diesSoon()),
      };
      isDone = await runs.run(run, () => handled(ids, run));
      // Some records come again though they were done.
      if (isDone && tried === 0 && random.chance(0.01)) isDone = false;
    }
  }
}

let isStalling = false;
const diesSoon = () => ({ dies: { at: random.between(1, 6), isDone: random.chance(0.5) } });

async function handled(ids: readonly string[], run: Run): Promise<boolean> {
  const takePlace = startTakingPlaces(feed, () => time.now + run.offMs);
  const results = await Promise.allSettled(ids.map((id) => store(id, takePlace)));
  const faults = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
  const unknown = faults.find(({ name, message }) => message !== 'killed' && name !== 'WriteConflict');
  if (unknown) throw unknown;
  if (run.dies && run.requests >= run.dies.at) world.killed += 1;
  else if (faults.length > 0) world.outrun += 1;
  return faults.length === 0;
}

async function store(id: string, takePlace: ReturnType<typeof startTakingPlaces>): Promise<void> {
  const told = ((Number.parseInt(id.slice(0, 2), 16) % 3) as 0 | 1 | 2) || 1;
  const content = {
    ...{ occurred: begin, groups: 2, subjects: [{ id: `parcel of ${id}`, version: 1, told: told as 1 | 2 }] },
    endpoints: [careful, careless],
  };
  const parts = ['own', 'all'].map((event_group) => ({ ref: 'shipments/delivered', event_group }));
  const owner = { shop_slug: feed.slug, payload_id: id, expires_at: begin / 1000 + 31 * 24 * 3600 };
  const mark = await storeInFeed(owner, { context: {}, parts }, content, takePlace);
  if (!mark || mark === 'erased') throw new Error('not stored');
  const before = marks.get(id) ?? mark;
  if (before.block !== mark.block || before.index !== mark.index || before.at !== mark.at) throw new Error('two marks');
  marks.set(id, before);
  // From here on it is sent.
  for (const endpoint of [careful, careless] as const) {
    for (const telling of tellingsOf(id, mark, endpoint)) receivers[endpoint].take(telling.id, hourOf(mark.at));
  }
}

let isWriting = true;

/** Follows the feed to its end. */
async function follow(offMs: number, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let after: ReturnType<typeof readCursor>, isEnd = false; !isEnd; ) {
    const wasWriting = isWriting;
    const page = await readFeed(feed, { after, limit, receiver: wholeShop }, new Date(time.now + offMs));
    for (const { id } of page.events) ids.push(id);
    after = readCursor(feed.slug, page.next);
    isEnd = page.at_end && !wasWriting;
    if (page.at_end) await time.wait(random.below(20_000));
  }
  return ids;
}

async function readOf(endpoint: string, hours: readonly string[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let after: ReturnType<typeof readCursor>, isEnd = false; !isEnd; ) {
    const page = await readFeed(feed, { after, limit: 500, receiver: endpoint }, new Date(time.now));
    for (const { id, at } of page.events) if (hours.includes(hourOf(Date.parse(at)))) ids.add(id);
    after = readCursor(feed.slug, page.next);
    isEnd = page.at_end;
  }
  return ids;
}

const title = 'two readers have all in one order, the ledger too, and who loses some finds exactly these';

test(`${events} events of ${writers} writers that die, stall and come again: ${title}`, {
  timeout: 7_200_000,
}, async () => {
  const began = performance.now();
  const cpu = process.cpuUsage();
  let isOver = false;
  const reader: Run = { offMs: 0, requests: 0 };
  const readers = [-1000, 1000].map((offMs, i) => runs.run(reader, () => follow(offMs, [500, 100][i]!)));
  const writing = runs.run(reader, async () => {
    await Promise.all(Array.from({ length: writers }, write));
    // Who waits for a place of a function that died closes it then.
    await time.wait(60_000);
    isWriting = false;
  });
  const all = Promise.all([...readers, writing]).finally(() => {
    isOver = true;
  });
  await time.run(() => isOver, count);
  const [one, two] = (await all) as [string[], string[], undefined];
  await stream.take(records.splice(0));
  await stream.end();
  const seconds = Math.round((performance.now() - began) / 1000);
  const cpuSeconds = Math.round(process.cpuUsage(cpu).user / 1e6);

  expect(marks.size).toBe(events);
  const truth = [...marks].flatMap(([id, mark]) => tellingsOf(id, mark, wholeShop).map((telling) => telling.id));
  expect(one.length).toBe(truth.length);
  expect(new Set(one).size).toBe(truth.length);
  const seen = new Set(one);
  expect(truth.filter((id) => !seen.has(id))).toEqual([]);
  expect(one.findIndex((id, i) => id !== two[i])).toBe(-1);
  expect(two.length).toBe(one.length);

  for (const receiver of [wholeShop, careful, careless]) {
    const hours = Map.groupBy(marks, ([, mark]) => hourOf(mark.at));
    const told = [...hours].map(([hour, all]) => {
      const ids = all.flatMap(([id, mark]) => tellingsOf(id, mark, receiver).map((telling) => telling.id));
      return { hour, count: ids.length, digest: digestOf(ids.map(hashOf)), delivered: 0 };
    });
    const sorted = told.toSorted((a, b) => (a.hour < b.hour ? -1 : 1));
    expect(await readLedger(feed, receiver, { from: '' })).toEqual(sorted);
    expect(sorted.length).toBeGreaterThan(1);
  }

  expect(await receivers[careful].wrongHours(careful)).toEqual([]);
  const wrong = await receivers[careless].wrongHours(careless);
  expect(wrong.length).toBeGreaterThan(0);
  const missing = [...(await readOf(careless, wrong))].filter(
    (id) => ![...receivers[careless].hours.values()].some((own) => own.has(id)),
  );
  expect(missing.toSorted()).toEqual([...receivers[careless].dropped].toSorted());

  expect(world.stalled).toHaveLength(1);
  const stalledId = world.stalled[0]!.split('#').at(-1)!;
  expect(one).toContain(tellingsOf(stalledId, marks.get(stalledId)!, wholeShop)[0]!.id);
  const { stalled: _, ...happened } = world;
  const memory = Math.round(process.memoryUsage().rss / 2 ** 20);
  console.log(
    `seed ${seed}: ${events} events in ${seconds} s (${cpuSeconds} s of a core), ${memory} MB. ${missing.length} lost and found.`,
    happened,
    Object.fromEntries(stream.happened),
  );
});
