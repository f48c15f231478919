import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, ConnectionError, createClient, digestOf, type EventsInput } from '#schemas/client/index.ts';

/** What becomes of a request: it is answered, or the connection is lost at its beginning or in the answer, or it is refused. */
type Fate = 'answered' | 'lost' | 'cut' | 'no page' | 429 | 503 | 504;

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** Half of an answer, and then the connection is lost. */
function cut(body: unknown): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(bytes.subarray(0, bytes.length / 2)),
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
  return new Response(stream, { headers: { 'content-type': 'application/json' } });
}

interface FeedOptions {
  fates?: Fate[];
  pageSize?: number;
  /** Is called with each question. */
  onAsked?: (query: URLSearchParams) => void;
}

/** A service with a feed of events that are numbered from 1. The cursor behind event n is `c<n>`. */
function fakeFeed(count: number, { fates = [], pageSize = 3, onAsked }: FeedOptions = {}) {
  const asked: URLSearchParams[] = [];
  const feed = { count };
  const pageAfter = (after: number) => {
    const size = Math.min(pageSize, feed.count - after);
    const events = Array.from({ length: size }, (_, i) => ({ id: `e${after + i + 1}`, cursor: `c${after + i + 1}` }));
    return { events, next: `c${after + size}`, at_end: after + size === feed.count };
  };
  const send: typeof fetch = async (url) => {
    const { pathname, searchParams } = new URL(String(url));
    expect(pathname).toBe('/v1/shops/blue/events');
    asked.push(searchParams);
    onAsked?.(searchParams);
    const page = pageAfter(Number((searchParams.get('after') ?? 'c0').slice(1)));
    const fate = fates.shift() ?? 'answered';
    if (fate === 'lost') throw new TypeError('fetch failed');
    if (fate === 'cut') return cut(page);
    if (fate === 'no page') return json({ hello: 'from a proxy' });
    return fate === 'answered' ? json(page) : json({ key: 'rate_limited', message: 'Wait.' }, fate);
  };
  const client = createClient({ baseUrl: 'https://api.example.com', shop: 'blue', fetch: send });
  return { client, asked, feed };
}

const pauses = { firstMs: 0, maxMs: 0 };

async function idsOf(events: AsyncIterable<{ id: string }>, limit = Number.POSITIVE_INFINITY): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of events) {
    ids.push(id);
    if (ids.length >= limit) break;
  }
  return ids;
}

const numbered = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => `e${first + i}`);

afterEach(() => void vi.useRealTimers());

test('the loop follows the feed to its end, and asks without waiting', async () => {
  const { client, asked } = fakeFeed(7);
  const events = client.events({ endpoint: 'u', from: '2026', ref: 'claims', until: 'end' });
  expect(await idsOf(events)).toEqual(numbered(1, 7));
  expect(events.cursor).toBe('c7');
  expect(asked.map(String)).toEqual(
    ['', '&after=c3', '&after=c6'].map((after) => `endpoint=u&from=2026&ref=claims&wait=0${after}`),
  );
});

test('without an end it waits for what comes, for 20 seconds a question', async () => {
  const { client, asked, feed } = fakeFeed(2, {
    onAsked: (query) => void (query.get('after') === 'c2' && feed.count++),
  });
  expect(await idsOf(client.events({ after: 'c1', pauses }), 2)).toEqual(['e2', 'e3']);
  expect(asked.map(String)).toEqual(['wait=20&after=c1', 'wait=20&after=c2']);
});

test.each<[string, Fate[]]>([
  ['a connection that is lost at its beginning', ['lost', 'answered', 'lost']],
  ['a connection that is lost in the middle of a page', ['cut', 'cut', 'answered', 'cut']],
  ['an answer that is lost, so that the service gives it again', ['answered', 'cut', 'answered', 'cut']],
  ['errors of the service and too many requests', [503, 429, 504, 'answered', 503]],
  ['a proxy that answers in its place', ['no page', 'answered']],
])('%s loses no event and doubles none', async (_what, fates) => {
  const { client } = fakeFeed(11, { fates: [...fates] });
  expect(await idsOf(client.events({ until: 'end', pauses }))).toEqual(numbered(1, 11));
});

test('whatever happens to its requests, and wherever its caller leaves off and goes on, each event comes once', async () => {
  const fate = fc.constantFrom<Fate>('answered', 'lost', 'cut', 'no page', 429, 503);
  const fates = fc.array(fate, { maxLength: 30 });
  const rounds = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fates, rounds, fc.integer({ min: 1, max: 5 }), async (given, limits, pageSize) => {
      const { client } = fakeFeed(20, { fates: [...given], pageSize });
      const ids: string[] = [];
      let after: string | undefined;
      for (const limit of [...limits, 99]) {
        let left = limit;
        for await (const { id, cursor } of client.events({ after, until: 'end', pauses })) {
          ids.push(id);
          after = cursor;
          if (--left === 0) break;
        }
      }
      expect(ids).toEqual(numbered(1, 20));
    }),
    { numRuns: 50 },
  );
});

test('the cursor stays in front of an event until the loop is done with it, and another loop goes on there', async () => {
  const { client } = fakeFeed(4);
  const events = client.events({ until: 'end' });
  const seen: unknown[] = [];
  const left = async () => {
    for await (const { id } of events) {
      seen.push([id, events.cursor]);
      if (id === 'e2') throw new Error('out of order');
    }
  };
  await expect(left()).rejects.toThrow('out of order');
  expect(seen).toEqual([
    ['e1', undefined],
    ['e2', 'c1'],
  ]);
  expect(await idsOf(events)).toEqual(['e2', 'e3', 'e4']);
});

test('pauses grow up to their limit, begin anew after an answer, and are told', async () => {
  vi.useFakeTimers();
  const { client } = fakeFeed(4, { fates: [503, 'lost', 'cut', 503, 'answered', 504] });
  const told: unknown[] = [];
  const onRetry: EventsInput['onRetry'] = (error, waitMs) => void told.push([error.name, waitMs]);
  const read = idsOf(client.events({ until: 'end', onRetry, pauses: { firstMs: 100, maxMs: 500 } }));
  await vi.runAllTimersAsync();
  expect(await read).toEqual(numbered(1, 4));
  expect(told).toEqual([
    ['ApiError', 100],
    ['ConnectionError', 200],
    ['ConnectionError', 400],
    ['ApiError', 500],
    ['ApiError', 100],
  ]);
});

test.each([
  ['6', 6000],
  ['86400', 60_000],
])('after 429 with Retry-After %s it waits %d ms', async (seconds, waited) => {
  vi.useFakeTimers();
  const answers = [json({}, 429, { 'retry-after': seconds }), json({ events: [], next: 'c', at_end: true })];
  const client = createClient({ shop: 'blue', fetch: async () => answers.shift()! });
  const began = Date.now();
  const read = idsOf(client.events({ until: 'end' }));
  await vi.runAllTimersAsync();
  await read;
  expect(Date.now() - began).toBe(waited);
});

test('a service that does not wait is asked once a second', async () => {
  vi.useFakeTimers();
  const times: number[] = [];
  const own = new AbortController();
  const { client } = fakeFeed(0, { onAsked: () => times.push(Date.now()) > 3 && own.abort() });
  const read = idsOf(client.events({ signal: own.signal }));
  await vi.runAllTimersAsync();
  expect(await read).toEqual([]);
  expect(times.map((time) => time - times[0]!)).toEqual([0, 1000, 2000, 3000]);
});

test.each([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'webhook_not_found'],
  [409, 'feed_off'],
  [410, 'cursor_expired'],
  [422, 'invalid_payload'],
])('%d %s is thrown at once', async (status, key) => {
  let count = 0;
  const refuse: typeof fetch = async () => {
    count++;
    return json({ key, message: 'No.' }, status);
  };
  const client = createClient({ shop: 'blue', fetch: refuse });
  const failure = await idsOf(client.events({ pauses })).catch((error) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect([failure.status, failure.key, count]).toEqual([status, key, 1]);
});

test('an abort ends the loop while it waits for an answer, for a pause and between two events', async () => {
  const never: typeof fetch = (_url, init) =>
    new Promise((_resolve, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)));
  const waiting = new AbortController();
  const read = idsOf(createClient({ shop: 'blue', fetch: never }).events({ signal: waiting.signal }));
  waiting.abort();
  expect(await read).toEqual([]);

  const pausing = new AbortController();
  const { client } = fakeFeed(3, { fates: ['lost'] });
  const onRetry = () => queueMicrotask(() => pausing.abort());
  expect(await idsOf(client.events({ signal: pausing.signal, onRetry, pauses: { firstMs: 1e6, maxMs: 1e6 } }))).toEqual(
    [],
  );

  const between = new AbortController();
  const ids: string[] = [];
  for await (const { id } of client.events({ signal: between.signal })) {
    ids.push(id);
    between.abort();
  }
  expect(ids).toEqual(['e1']);
});

test('an abort before the end that was asked for is thrown, because not all was read', async () => {
  const own = new AbortController();
  const { client } = fakeFeed(9, { onAsked: (query) => query.has('after') && own.abort(new Error('enough')) });
  await expect(idsOf(client.events({ until: 'end', signal: own.signal }))).rejects.toThrow('enough');
});

test('an answer may take as long as the service waits, and the usual time more', async () => {
  const late: typeof fetch = (_url, init) =>
    new Promise((resolve, reject) => {
      init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason));
      setTimeout(() => resolve(json({ events: [{ id: 'e1', cursor: 'c1' }], next: 'c1', at_end: true })), 100);
    });
  const client = createClient({ shop: 'blue', fetch: late, timeoutMs: 10 });
  expect(await idsOf(client.events({ wait: 1 }), 1)).toEqual(['e1']);
  const failed = Promise.withResolvers<unknown>();
  const own = new AbortController();
  const read = idsOf(client.events({ wait: 0, onRetry: failed.resolve, signal: own.signal }));
  expect(await failed.promise).toMatchObject({ name: 'ConnectionError', isTimeout: true });
  own.abort();
  await read;
  expect(await failed.promise).toBeInstanceOf(ConnectionError);
});

test('a digest is the sum of the hashes of the ids, in any order, modulo 2^256', async () => {
  const hashOf = (id: string) => BigInt(`0x${createHash('sha256').update(id).digest('hex')}`);
  const ids = numbered(1, 40);
  const sum = ids.reduce((all, id) => all + hashOf(id), 0n) % 2n ** 256n;
  expect(await digestOf(ids)).toBe(sum.toString(16).padStart(64, '0'));
  expect(await digestOf(new Set(ids.toReversed()))).toBe(await digestOf(ids));
  expect(await digestOf([])).toBe('0'.repeat(64));
});
