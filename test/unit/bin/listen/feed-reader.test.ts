import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createClient, type ToldEvent, verifySignature } from '#schemas/client/index.ts';
import { secret, uuid } from '#test/kit/fake-delivery-log.ts';
import { type FakeFeed, hourOf, newEvent, startFakeFeed } from '#test/kit/fake-feed.ts';
import { Bookmark, bookmarkFile } from '../../../../bin/listen/bookmark.ts';
import { FeedReader, type FeedReading, requestOf } from '../../../../bin/listen/feed-reader.ts';
import type { Outcome, Outgoing } from '../../../../bin/listen/post.ts';
import { Report } from '../../../../bin/listen/report.ts';

const patience = { timeout: 20_000, interval: 5 };
const folder = () => mkdtemp(join(tmpdir(), 'listen-'));

const stops: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));

async function newFeed(...behaviour: Parameters<typeof startFakeFeed>): Promise<FakeFeed> {
  const feed = await startFakeFeed(...behaviour);
  onTestFinished(() => feed[Symbol.asyncDispose]());
  return feed;
}

async function newBookmark(): Promise<Bookmark> {
  const own = await folder();
  onTestFinished(() => rm(own, { recursive: true }));
  return new Bookmark(join(own, 'state', 'cursor.json'));
}

interface Run extends Partial<Pick<FeedReading, 'bookmark' | 'from'>> {
  /** What the receiver answers, one after the other, and then 200. */
  outcomes?: Outcome[];
}

/** One run of `listen`, from its start to its end. */
async function reading(feed: FakeFeed, { outcomes = [], bookmark, from }: Run = {}) {
  const posted: Outgoing[] = [];
  const lines: string[] = [];
  const ending = new AbortController();
  const reader = new FeedReader({
    client: createClient({ baseUrl: feed.url, shop: 'blue', retries: 0 }),
    uuid,
    report: new Report((line) => lines.push(line)),
    signal: ending.signal,
    bookmark: bookmark ?? (await newBookmark()),
    from,
    backOff: { firstMs: 1, maxMs: 2 },
    post: async (outgoing) => {
      posted.push(outgoing);
      return outcomes.shift() ?? { ms: 1, status: 200, text: '' };
    },
  });
  await reader.start();
  const running = reader.run().catch((error) => {
    if (!ending.signal.aborted) throw error;
  });
  const end = async () => {
    ending.abort();
    await running;
  };
  stops.push(() => end().catch(() => {}));
  const ids = () => posted.map(({ headers }) => headers['webhook-id']);
  const has = (...events: { id: string }[]) =>
    vi.waitFor(() => expect(ids()).toEqual(events.map(({ id }) => id)), patience);
  return { posted, lines, running, end, has };
}

test('what is in the feed at the first start is not posted, and what follows is, once and in order', async () => {
  const feed = await newFeed();
  feed.add(...Array.from({ length: 1000 }, () => newEvent()));
  const { has, lines } = await reading(feed);
  expect(feed.requests()).toBeLessThan(4);
  const [first, second] = [newEvent(), newEvent()];
  feed.add(first, second);
  await has(first, second);
  const before = feed.requests();
  await vi.waitFor(() => expect(feed.requests()).toBeGreaterThan(before + 20), patience);
  await has(first, second);
  expect(lines).toHaveLength(2);
});

test('the next run goes on where the last one ended, also with what came in between', async () => {
  const feed = await newFeed();
  const bookmark = await newBookmark();
  const [first, second, third] = [newEvent(), newEvent(), newEvent()];
  const before = await reading(feed, { bookmark });
  feed.add(first);
  await before.has(first);
  await before.end();
  feed.add(second);
  const after = await reading(feed, { bookmark: new Bookmark(bookmark.file) });
  feed.add(third);
  await after.has(second, third);
});

test('a run that saw no event is gone on with, too: what comes behind its start is posted', async () => {
  const feed = await newFeed();
  const bookmark = await newBookmark();
  feed.add(newEvent());
  // As if it were killed as soon as it has begun: it saves nothing more.
  let isAlive = true;
  const killed = { read: () => bookmark.read(), save: async (cursor: string) => isAlive && bookmark.save(cursor) };
  await reading(feed, { bookmark: killed as Bookmark });
  isAlive = false;
  expect(await new Bookmark(bookmark.file).read()).toBe('1');
  const missed = newEvent();
  feed.add(missed);
  const { has } = await reading(feed, { bookmark: new Bookmark(bookmark.file) });
  await has(missed);
});

test('it can begin with all that is kept, or with the next event, whatever an earlier run has read', async () => {
  const feed = await newFeed();
  const bookmark = await newBookmark();
  const [first, second, third] = [newEvent(), newEvent(), newEvent()];
  feed.add(first, second);
  await bookmark.save('1');
  const all = await reading(feed, { bookmark, from: 'start' });
  await all.has(first, second);
  await all.end();
  await bookmark.save('0');
  const next = await reading(feed, { bookmark, from: 'now' });
  feed.add(third);
  await next.has(third);
});

test.each<[string, Outcome]>([
  ['does not run', { ms: 1, failure: 'unreachable' }],
  ['has a fault', { ms: 1, status: 500, text: 'no' }],
  ['takes no more for now', { ms: 1, status: 429, text: 'later' }],
])('a receiver that %s gets the event when it takes it, and what follows waits', async (_what, outcome) => {
  const feed = await newFeed();
  const { has, lines } = await reading(feed, { outcomes: [outcome, outcome] });
  const [first, second] = [newEvent(), newEvent()];
  feed.add(first, second);
  await has(first, first, first, second);
  expect(lines).toEqual([
    expect.stringMatching(/^The receiver (does not answer|answers \d+)\. Trying again/),
    expect.stringContaining(' 200 '),
    expect.stringContaining(' 200 '),
  ]);
});

test.each<[string, Outcome]>([
  ['refused', { ms: 1, status: 400, text: 'no' }],
  ['held in a debugger', { ms: 1, failure: 'timeout' }],
])('an event that is %s is not posted again', async (_what, outcome) => {
  const feed = await newFeed();
  const { has } = await reading(feed, { outcomes: [outcome] });
  const [first, second] = [newEvent(), newEvent()];
  feed.add(first, second);
  await has(first, second);
});

test('a run that ends while the receiver is away leaves the event to the next one', async () => {
  const feed = await newFeed();
  const bookmark = await newBookmark();
  const outcomes: Outcome[] = Array.from({ length: 10_000 }, () => ({ ms: 1, failure: 'unreachable' }));
  const before = await reading(feed, { bookmark, outcomes });
  const [taken, waiting] = [newEvent(), newEvent()];
  feed.add(waiting, taken);
  await vi.waitFor(() => expect(before.posted.length).toBeGreaterThan(2), patience);
  await before.end();
  const after = await reading(feed, { bookmark: new Bookmark(bookmark.file) });
  await after.has(waiting, taken);
});

test('an event of an erased order, and one that is too large, are passed over', async () => {
  const feed = await newFeed();
  const { has, lines } = await reading(feed);
  const at = new Date().toISOString();
  const last = newEvent();
  feed.add({ id: 'e1', at, erased: true }, newEvent(new Date(), { id: 'e2', payload: null }), last);
  await has(last);
  expect(lines.slice(0, 2)).toEqual(['e1 is erased.', 'e2 is too large to be read.']);
});

test.each(['feed_off', 'cursor_expired'] as const)('%s ends it', async (key) => {
  const feed = await newFeed();
  const { running } = await reading(feed);
  feed.refuse(key);
  await expect(running).rejects.toMatchObject({ key });
});

test('an endpoint that does not exist is an error at the start', async () => {
  const feed = await newFeed();
  const reader = new FeedReader({
    client: createClient({ baseUrl: feed.url, shop: 'blue' }),
    uuid: 'other',
    post: async () => expect.unreachable(),
    report: new Report(() => {}),
    signal: AbortSignal.timeout(9999),
    bookmark: await newBookmark(),
  });
  await expect(reader.start()).rejects.toThrow('There is no endpoint other');
});

const at = new Date('2026-11-18T03:59:59.999Z');

test('a request is that of the service: its headers, the hour of the ledger, and a signature of now', async () => {
  const event = { ...newEvent(at), cursor: 'c', simulation_id: 'sim-1' } as unknown as ToldEvent;
  const now = new Date('2026-11-19T08:00:00.400Z');
  const { headers, body } = await requestOf(event, secret, now);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'post-purchase-service',
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-subject-version': '7',
    'webhook-simulation': 'sim-1',
    'webhook-hour': '2026-11-18T03:00:00Z',
  });
  expect(headers['webhook-hour']).toBe(hourOf(event));
  expect(JSON.parse(body.toString())).toEqual(event.payload);
  await expect(verifySignature(body, headers, secret, { now })).resolves.toBe(true);
  const real = await requestOf({ ...event, simulation_id: null, subject_version: null }, secret, now);
  expect(Object.keys(real.headers)).not.toContain('webhook-simulation');
  expect(Object.keys(real.headers)).not.toContain('webhook-subject-version');
});

test('a cursor is replaced as a whole, and nothing else stays in its folder', async () => {
  const bookmark = await newBookmark();
  expect(await bookmark.read()).toBeUndefined();
  for (const cursor of ['a', 'b', 'b']) await bookmark.save(cursor);
  expect(await new Bookmark(bookmark.file).read()).toBe('b');
  expect(await readdir(dirname(bookmark.file))).toEqual(['cursor.json']);
  await writeFile(bookmark.file, '{"cursor":');
  await expect(bookmark.read()).rejects.toThrow('is damaged');
});

test('each service, shop and endpoint has a cursor of its own', () => {
  const source = { api: 'https://a.example.com', shop: 'blue', endpoint: 'u' };
  const others = [{ api: 'https://b.example.com' }, { shop: 'red' }, { endpoint: 'v' }];
  const files = [source, ...others.map((other) => ({ ...source, ...other }))].map(bookmarkFile);
  expect(new Set(files).size).toBe(4);
  expect(bookmarkFile({ ...source, api: 'https://a.example.com/' })).toBe(files[0]);
});
