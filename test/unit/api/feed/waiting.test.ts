import * as contract from 'contract:feed';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getEventLedger } from '#api/feed/ledger.ts';
import { listEventsWith } from '#api/feed/list-events.ts';
import { getEventSettings, updateEventSettings } from '#api/feed/settings.ts';
import type { Feed } from '#domain/feed/blocks.ts';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import { keyOf } from '#platform/table/keys.ts';
import { feedLimits } from '#schemas/catalogues/limits.ts';
import type { feed as family } from '#schemas/families/feed.ts';
import { consumedBy } from '#test/kit/consumed.ts';
import { endpointUuid, storedEndpoint } from '#test/kit/endpoints.ts';
import { addToFeed, feedOn } from '#test/kit/feed-events.ts';
import { basic, eventOf } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeRequest, dynamo, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const feed: Feed = { slug: 'blue', generation: 3 };
const admin = keyFor('blue', 'admin');
const start = Date.parse('2026-11-18T03:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['Date'] });
  tableWith(admin.item, shopItem('blue'), feedOn(feed), storedEndpoint());
});
afterEach(() => void vi.useRealTimers());

/** What happens in the pauses of a request, the first action in the first. */
type Happening = (() => unknown)[];

interface Call {
  query?: Record<string, string>;
  happening?: Happening;
  remainingMs?: number;
}

/** A request whose pauses take no time. */
async function list({ query = {}, happening = [], remainingMs = 28_000 }: Call = {}) {
  const startedAt = Date.now();
  const pauses: number[] = [];
  const clock = {
    now: () => Date.now(),
    pause: async (ms: number) => {
      pauses.push(ms);
      vi.setSystemTime(Date.now() + ms);
      await happening[pauses.length - 1]?.();
    },
  };
  const listEvents = listEventsWith(clock);
  const handler = serve<typeof family>(
    contract,
    { getEventSettings, updateEventSettings, getEventLedger, listEvents },
    authentication,
  );
  const call = { method: 'GET', resource: '/v1/shops/{slug}/events', params: { slug: 'blue' } };
  const context = { getRemainingTimeInMillis: () => remainingMs - (Date.now() - startedAt) };
  const event = eventOf({ ...call, headers: basic('blue', admin.secret), query: { wait: '20', ...query } });
  const { statusCode, body } = await handler(event, context);
  return { status: statusCode, body: JSON.parse(body), pauses, ms: Date.now() - startedAt };
}

const never = Promise.withResolvers<void>().promise;
const places = () => memoryTable.all('FEED#').filter(({ sk }) => sk.startsWith('WAITING#'));
const waitingWrites = () =>
  [...dynamo.commandCalls(PutCommand), ...dynamo.commandCalls(DeleteCommand)].filter(({ args: [{ input }] }) =>
    JSON.stringify(input).includes('WAITING#'),
  ).length;

describe('a request that waits', () => {
  test('answers as soon as an event comes, and leaves its place', async () => {
    const { body, pauses } = await list({ happening: [() => {}, () => addToFeed(feed)] });
    expect(body.events).toHaveLength(1);
    expect(pauses).toEqual([1000, 1000]);
    expect([waitingWrites(), places()]).toEqual([2, []]);
  });

  test('answers when its time is up, with a cursor behind which nothing is missed', async () => {
    const { status, body, ms } = await list();
    expect([status, body.events, body.at_end, ms]).toEqual([200, [], true, 20_000]);
    await addToFeed(feed);
    expect((await list({ query: { after: body.next } })).body.events).toHaveLength(1);
  });

  test('does not wait if there is something, or if more may follow', async () => {
    await addToFeed(feed);
    expect((await list()).pauses).toEqual([]);
    expect(waitingWrites()).toBe(0);
  });

  test('that shall not wait writes nothing', async () => {
    const { pauses } = await list({ query: { wait: '0' } });
    expect([pauses, waitingWrites()]).toEqual([[], 0]);
  });

  test('waits on for what its filter lets through', async () => {
    const other = () => addToFeed(feed, { ref: 'shipments/in_transit/IN_TRANSIT' });
    const wanted = () => addToFeed(feed, { ref: 'claims/created' });
    const { body, pauses } = await list({ query: { ref: 'claims' }, happening: [other, other, wanted] });
    expect(body.events).toMatchObject([{ ref: 'claims/created' }]);
    expect(pauses).toHaveLength(3);
  });

  test('pays one read unit for each look at a feed where nothing comes', async () => {
    await addToFeed(feed);
    const { next } = (await list({ query: { wait: '0' } })).body;
    const unitsOf = (wait: string) => consumedBy(() => list({ query: { wait, after: next } }));
    const [ten, twenty] = [await unitsOf('10'), await unitsOf('20')];
    expect([twenty.requests - ten.requests, twenty.units - ten.units]).toEqual([10, 10]);
  });

  test.each([
    ['has little time left', 9_000, 5_000],
    ['has none', 3_000, 0],
  ])('ends early if its function %s', async (_what, remainingMs, ms) => {
    const { status, ms: taken } = await list({ remainingMs });
    expect([status, taken]).toEqual([200, ms]);
  });
});

test('a clock that is set back does not make a request wait longer', async () => {
  const { pauses } = await list({ happening: Array.from({ length: 99 }, () => () => vi.setSystemTime(start)) });
  expect(pauses).toHaveLength(20);
});

const settings = (events: object, version = 9) => memoryTable.put({ ...keyOf.settings('blue'), version, events });

describe('while it waits', () => {
  test('the feed is switched off: 409', async () => {
    const off = () => settings({ feed_enabled: false, generation: 3 });
    const { status, body } = await list({ happening: [off] });
    expect([status, body.key, places()]).toEqual([409, 'feed_off', []]);
  });

  test('it is switched off and on: its cursors are expired', async () => {
    const again = () => settings({ feed_enabled: true, generation: 5 });
    const { status, body } = await list({ happening: [again] });
    expect([status, body.key]).toEqual([410, 'cursor_expired']);
  });

  test('the endpoint is removed: 404', async () => {
    const removed = () => memoryTable.remove(keyOf.webhook('blue', endpointUuid));
    const { status, body } = await list({ query: { endpoint: endpointUuid }, happening: [removed] });
    expect([status, body.key]).toEqual([404, 'webhook_not_found']);
  });
});

describe('of one shop', () => {
  /** Requests that wait until the test ends. */
  async function waiting(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const waits = Promise.withResolvers<void>();
      const stay = () => {
        waits.resolve();
        return never;
      };
      void list({ happening: [stay] });
      await waits.promise;
    }
  }

  test(`${feedLimits.waiting} wait, and the next is answered at once, without a write`, async () => {
    await waiting(feedLimits.waiting);
    expect(places()).toHaveLength(feedLimits.waiting);
    const before = waitingWrites();
    const { status, pauses } = await list();
    expect([status, pauses, waitingWrites()]).toEqual([200, [], before]);
  });

  test('a place whose function died is free again after its time', async () => {
    await waiting(feedLimits.waiting);
    vi.setSystemTime(Date.now() + 26_000);
    expect((await list()).pauses).toEqual([]);
    vi.setSystemTime(Date.now() + 5_000);
    expect((await list()).pauses).toHaveLength(20);
  });

  test('two that see the same free place take two', async () => {
    await waiting(feedLimits.waiting - 2);
    const other = { ...keyOf.feedWaiting('blue', 1), waiter: 'another', free_at: Date.now() + 30_000 };
    let isSeen = false;
    beforeRequest(PutCommand, ({ Item }) => {
      if (Item?.sk === other.sk && !isSeen) memoryTable.put(other);
      isSeen ||= Item?.sk === other.sk;
    });
    expect((await list()).pauses).toHaveLength(20);
    expect(places()).toContainEqual(other);
  });

  test('nobody leaves the place of another', async () => {
    const other = { ...keyOf.feedWaiting('blue', 0), waiter: 'another', free_at: start + 60_000 };
    await list({ happening: [() => memoryTable.put(other)] });
    expect(places()).toEqual([other]);
  });

  test('a place that cannot be left does not spoil the answer', async () => {
    beforeRequest(DeleteCommand, () => {
      throw Object.assign(new Error(), { name: 'InternalServerError' });
    });
    expect((await list({ happening: [() => addToFeed(feed)] })).body.events).toHaveLength(1);
    expect(places()).toHaveLength(1);
  });
});
