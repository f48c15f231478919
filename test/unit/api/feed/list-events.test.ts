import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#api/feed/handler.ts';
import { deliveryId } from '#domain/deliveries/delivery-items.ts';
import { erasedPayload } from '#domain/deliveries/erased-payload.ts';
import type { Feed } from '#domain/feed/blocks.ts';
import { readCursor, writeCursor } from '#domain/feed/cursor.ts';
import { keyOf } from '#platform/table/keys.ts';
import { feedLimits } from '#schemas/catalogues/limits.ts';
import { endpointUuid, storedEndpoint } from '#test/kit/endpoints.ts';
import { addToFeed, feedOn } from '#test/kit/feed-events.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const feed: Feed = { slug: 'blue', generation: 3 };
const admin = keyFor('blue', 'admin');
const dayMs = 24 * 3600 * 1000;

beforeEach(() => tableWith(admin.item, shopItem('blue'), feedOn(feed), storedEndpoint()));

const list = (query: Record<string, string | number> = {}) =>
  invoke(handler, {
    method: 'GET',
    resource: '/v1/shops/{slug}/events',
    params: { slug: 'blue' },
    headers: basic('blue', admin.secret),
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
  });

type Page = { events: { id: string; cursor: string; payload: { subject: string } }[]; next: string; at_end: boolean };

async function pages(query: Record<string, string | number>): Promise<Page[]> {
  const all: Page[] = [];
  for (let after: string | undefined; ; after = all.at(-1)!.next) {
    const { status, body } = await list({ ...query, ...(after && { after }) });
    expect(status).toBe(200);
    all.push(body);
    if (body.at_end) return all;
  }
}

async function addMany(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await addToFeed(feed));
  return ids;
}

const subject = (id: string) => ({ id, told: 1 as const });
const cursorWith = (numbers: object) =>
  writeCursor('blue', { generation: 3, block: 0, index: 0, told: 0, at: Date.now(), ...numbers });

describe('the feed', () => {
  test.each([2, 7, 36, 37, 500])('is read in the same order in pages of %i', async (limit) => {
    const subjects = Array.from({ length: 40 }, (_, i) => `s${i}`);
    for (const id of subjects) await addToFeed(feed, { subjects: [subject(id)] });
    const read = await pages({ limit });
    expect(read.flatMap(({ events }) => events.map(({ payload }) => payload.subject))).toEqual(subjects);
    expect(read.every(({ events }) => events.length <= limit)).toBe(true);
    expect(new Set(read.flatMap(({ events }) => events.map(({ id }) => id))).size).toBe(40);
  });

  test('goes on behind any of its events', async () => {
    await addMany(5);
    const { events } = (await list()).body;
    for (const [i, { cursor }] of events.entries()) {
      const { body } = await list({ after: cursor });
      expect(body.events).toEqual(events.slice(i + 1));
    }
  });

  test('that is empty answers a cursor, behind which the first event is found', async () => {
    const { body } = await list();
    expect(body).toEqual({ events: [], next: expect.any(String), at_end: true });
    await addMany(1);
    expect((await list({ after: body.next })).body.events).toHaveLength(1);
  });

  test('has all that webhooks are told', async () => {
    await addToFeed(feed, { subjects: [{ id: 's', version: 4, told: 1 }] });
    const [event] = (await list()).body.events;
    expect(event).toMatchObject({
      ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED',
      event_group: 'shipment_delivered',
      subject_version: 4,
      simulation_id: null,
      payload: { ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED', subject: 's', context: {} },
    });
  });

  test('says which simulation made an event', async () => {
    const simulation_id = '01930000-0000-7000-8000-0000000000aa';
    memoryTable.put(keyOf.simulation('blue', simulation_id));
    await addToFeed(feed, { simulation_id });
    expect((await list()).body.events).toMatchObject([{ simulation_id }]);
  });

  test('leaves the id and the time of an event whose order was erased', async () => {
    const [first] = await addMany(2);
    const [before] = (await list()).body.events;
    const stored = memoryTable.read(keyOf.payload('blue', first!))!;
    memoryTable.put({ ...erasedPayload('blue', first!, new Date().toISOString(), 9e9), feed: stored.feed });
    const { events } = (await list()).body;
    expect(events[0]).toEqual({ id: before.id, at: before.at, cursor: before.cursor, erased: true });
    expect(events[1].payload).toBeDefined();
  });
});

describe('without a cursor', () => {
  const at = (minutesAgo: number) => () => Date.now() - minutesAgo * 60_000;

  test('a reader begins at the time that it names', async () => {
    for (const minutes of [50, 40, 30]) {
      await addToFeed(feed, { subjects: [subject(`before ${minutes}`)], clock: at(minutes) });
    }
    const from = new Date(Date.now() - 45 * 60_000).toISOString();
    const { body } = await list({ from });
    const subjects = body.events.map((event: { payload: { subject: string } }) => event.payload.subject);
    expect(subjects).toEqual(['before 40', 'before 30']);
    expect((await list({ from, after: cursorWith({}) })).body.events).toHaveLength(3);
  });

  test('of a time in the future it begins with what comes', async () => {
    await addMany(3);
    const { body } = await list({ from: '2999-01-01' });
    expect(body).toMatchObject({ events: [], at_end: true });
    await addMany(1);
    expect((await list({ after: body.next })).body.events).toHaveLength(1);
  });
});

describe('an answer stays below what Lambda can send', () => {
  const megabyte = 1024 * 1024;

  test('with payloads of megabytes, and no event is left out', async () => {
    const subjects = Array.from({ length: 8 }, (_, i) => `large ${i}`);
    // Each quotation mark is escaped in the payload, and twice more in the answer.
    for (const id of subjects)
      await addToFeed(feed, { subjects: [subject(id)], more: { text: '"'.repeat(megabyte / 2) } });
    const read = await pages({ limit: 500 });
    expect(read.length).toBeGreaterThan(1);
    expect(read.flatMap(({ events }) => events.map(({ payload }) => payload.subject))).toEqual(subjects);
  });

  test('a payload that is too large for any answer is null, and the reader goes on', async () => {
    await addToFeed(feed, { more: { text: '"'.repeat(2 * megabyte) } });
    await addMany(1);
    const read = (await pages({})).flatMap(({ events }) => events);
    expect(read.map(({ payload }) => payload === null)).toEqual([true, false]);
  });
});

describe('a filter', () => {
  test('of an endpoint shows what it is sent, with the ids of its deliveries', async () => {
    await addToFeed(feed);
    const occurred = Date.now();
    const event_id = await addToFeed(feed, { occurred, subjects: [subject('s')], endpoints: [endpointUuid] });
    const { events } = (await list({ endpoint: endpointUuid })).body;
    const origin = { event_id, triggered_at: new Date(occurred).toISOString(), subject_id: 's' };
    expect(events.map(({ id }: { id: string }) => id)).toEqual([deliveryId({ ...origin, target: endpointUuid })]);
  });

  test('of events is as that of an endpoint', async () => {
    const refs = ['claims/created', 'shipments/delivered/SUCCESSFULLY_DELIVERED', 'shipments/in_transit/IN_TRANSIT'];
    for (const ref of refs) await addToFeed(feed, { ref });
    const found = async (ref: string) => (await list({ ref })).body.events.map((event: { ref: string }) => event.ref);
    expect(await found('claims')).toEqual([refs[0]]);
    expect(await found('shipments/delivered')).toEqual([refs[1]]);
    expect(await found('shipments')).toEqual(refs.slice(1));
    expect(await found('*')).toEqual(refs);
  });

  test('that lets nothing through moves the cursor on', async () => {
    await addMany(20);
    const { body } = await list({ ref: 'claims' });
    expect(body).toMatchObject({ events: [], at_end: true });
    expect(readCursor('blue', body.next)!.block).toBeGreaterThan(0);
    expect((await list({ after: body.next })).body.events).toEqual([]);
  });
});

describe('refused is', () => {
  test('everything while the feed is off', async () => {
    tableWith(admin.item, shopItem('blue'));
    const { status, body } = await list({ endpoint: endpointUuid, wait: 20 });
    expect([status, body.key]).toEqual([409, 'feed_off']);
  });

  test('an endpoint that the shop does not have', async () => {
    const { status, body } = await list({ endpoint: '01930000-0000-7000-8000-00000000000b' });
    expect([status, body.key]).toEqual([404, 'webhook_not_found']);
  });

  const packed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const numbers = [3, 1, 0, 0, 1_763_430_000_000];

  test.each([
    ['a word', 'next'],
    ['an empty text', ''],
    ['no JSON', Buffer.from('[3,1').toString('base64url')],
    ['another JSON', packed({ generation: 3 })],
    ['null', packed(null)],
    ['numbers without a checksum', packed(numbers)],
    ['a wrong checksum', packed([...numbers, '00000000'])],
    ['a negative number', packed([3, -1, 0, 0, 0, '00000000'])],
    ['a number with a fraction', packed([3, 1.5, 0, 0, 0, '00000000'])],
    ['a huge number', packed([3, 1e300, 0, 0, 0, '00000000'])],
    ['a text for a number', packed(['3', '1', '0', '0', '0', '00000000'])],
    ['signs of another alphabet', 'ééé🦔'],
  ])('as a cursor: %s', async (_what, after) => {
    const { status, body } = await list({ after });
    expect([status, body.key]).toEqual([422, 'invalid_payload']);
    expect(body.errors).toMatchObject([{ loc: ['query', 'after'] }]);
  });

  test('a cursor of another shop, which would skip what this shop has', async () => {
    await addMany(1);
    const after = writeCursor('red', { generation: 3, block: 9e12, index: 0, told: 0, at: Date.now() });
    expect((await list({ after })).status).toBe(422);
  });

  test('a cursor of the feed before it was switched off and on', async () => {
    const { status, body } = await list({ after: cursorWith({ generation: 2 }) });
    expect([status, body.key]).toEqual([410, 'cursor_expired']);
  });

  test('a cursor behind which something may be gone', async () => {
    const ago = (days: number) => list({ after: cursorWith({ at: Date.now() - days * dayMs }) });
    expect((await ago(feedLimits.days + 1)).body.key).toBe('cursor_expired');
    expect((await ago(feedLimits.days - 1)).status).toBe(200);
  });

  test.each([
    { limit: 0 },
    { limit: feedLimits.page + 1 },
    { limit: 'all' },
    { from: 'yesterday' },
    { wait: -1 },
    { wait: feedLimits.waitSeconds + 1 },
    { wait: '1.5' },
    { endpoint: 'mine' },
    { ref: 'shipments/lost-forever' },
    { after: 'x'.repeat(201) },
  ])('%j', async (query) => {
    const { status, body } = await list(query as Record<string, string>);
    expect([status, body.key]).toEqual([422, 'invalid_payload']);
  });

  test('nothing with numbers as large as they can be', async () => {
    await addMany(1);
    const most = Number.MAX_SAFE_INTEGER;
    const { status, body } = await list({ after: cursorWith({ block: most, index: most, told: most, at: most }) });
    expect([status, body.events, body.at_end]).toEqual([200, [], true]);
  });
});
