import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { storeEventPayloads } from '#domain/deliveries/delivery-messages.ts';
import { erasedPayload } from '#domain/deliveries/erased-payload.ts';
import { lastBlock, startTakingPlaces } from '#domain/feed/blocks.ts';
import { markIn } from '#domain/feed/mark.ts';
import { closePlace, isDecided, storeInFeed } from '#domain/feed/store-event.ts';
import { keyOf } from '#platform/table/keys.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, beforeRequest, tableWith } from '#test/kit/table.ts';

const feed = { slug: 'blue', generation: 3 };
const now = new Date('2026-11-18T03:00:00.000Z');
const payloads = { context: { a: 1 }, parts: [{ ref: 'x', event_group: 'g' }] };
const content = {
  occurred: now.getTime(),
  groups: 1,
  subjects: [{ id: 's', version: 1, told: 1 as const }],
  endpoints: ['e1'],
};

let id: string;
beforeEach(() => {
  tableWith();
  id = randomUUID();
});

const key = () => keyOf.payload(feed.slug, id);
const owner = () => ({ shop_slug: feed.slug, payload_id: id, expires_at: 1_800_000_000 });
const placeAt = (index: number) => ({ generation: 3, block: 1, index, event_id: id, at: now.getTime() });
const clock = () => now.getTime();
const store = (more: object = {}) =>
  storeInFeed(owner(), payloads, { ...content, ...more }, startTakingPlaces(feed, clock));

test('An event is stored with its payloads and its place', async () => {
  const mark = await store();
  expect(mark).toEqual({ ...content, generation: 3, block: 1, index: 0, at: now.getTime() });
  const item = memoryTable.read(key());
  expect(markIn(item)).toEqual(mark);
  expect(item).toMatchObject({ expires_at: 1_800_000_000, body: expect.any(Uint8Array) });
});

test('A replay changes nothing, whatever the shop has changed since', async () => {
  const mark = await store();
  const item = memoryTable.read(key());
  expect(await store({ endpoints: ['e1', 'e2'], occurred: 1 })).toEqual(mark);
  expect(memoryTable.read(key())).toEqual(item);
});

test('Of two writers at once one wins, and both know who', async () => {
  const marks = await Promise.all([store({ endpoints: ['e1'] }), store({ endpoints: ['e2'] })]);
  expect(marks[0]).toEqual(marks[1]);
  expect(markIn(memoryTable.read(key()))).toEqual(marks[0]);
});

test('A write that comes twice finds its own mark', async () => {
  beforeNextRequest(PutCommand, () => {});
  let writes = 0;
  beforeRequest(PutCommand, ({ Item }) => {
    if (Item!.sk === 'PAYLOAD' && writes++ === 0) memoryTable.put(Item!);
  });
  const mark = await store();
  expect(writes).toBe(1);
  expect(mark).toMatchObject({ block: 1, index: 0 });
  expect(markIn(memoryTable.read(key()))).toEqual(mark);
});

test('A writer whose place was closed takes another one', async () => {
  const closed: number[] = [];
  beforeRequest(PutCommand, ({ Item }) => {
    if (Item!.sk !== 'PAYLOAD' || closed.length === 2) return;
    const before = memoryTable.read(key());
    const index = closed.push(closed.length) - 1;
    memoryTable.put({ ...key(), feed_closed: [...(before?.feed_closed ?? []), `3.1.${index}`], expires_at: 9 });
  });
  const mark = await store();
  expect(mark).toMatchObject({ block: 1, index: 2 });
  const item = memoryTable.read(key());
  expect(item).not.toHaveProperty('feed_closed');
  expect(markIn(item)).toEqual(mark);
  for (const index of [0, 1, 2]) expect(isDecided(item, placeAt(index))).toBe(true);
});

test('A writer gives up if readers close every place, and can try again', async () => {
  let index = 0;
  beforeRequest(PutCommand, ({ Item }) => {
    if (Item!.sk !== 'PAYLOAD') return;
    const closed = Array.from({ length: ++index }, (_, i) => `3.1.${i}`);
    memoryTable.put({ ...key(), feed_closed: closed, expires_at: 9 });
  });
  await expect(store()).rejects.toMatchObject({ name: 'PlacesClosed' });
  expect((await lastBlock(feed))?.entries).toHaveLength(5);
  beforeRequest(PutCommand, () => {});
  expect(await store()).toMatchObject({ index: 5 });
});

test('Nothing is stored of an order that was erased, also if that happens at the same time', async () => {
  const tombstone = erasedPayload(feed.slug, id, now.toISOString(), 1_800_000_000);
  beforeRequest(PutCommand, ({ Item }) => {
    if (Item!.sk === 'PAYLOAD') memoryTable.put(tombstone);
  });
  expect(await store()).toBe('erased');
  expect(await store()).toBe('erased');
  const item = memoryTable.read(key());
  expect(markIn(item)).toBeUndefined();
  expect(isDecided(item, placeAt(0))).toBe(true);
});

test('An event that was stored before there was a feed is in none', async () => {
  await storeEventPayloads(owner(), payloads);
  const item = memoryTable.read(key());
  expect(await store()).toBeUndefined();
  expect(memoryTable.read(key())).toEqual(item);
  expect(isDecided(item, placeAt(0))).toBe(true);
});

test('An event whose place was closed is stored when the feed is off', async () => {
  await closePlace(feed, placeAt(0), now);
  await storeEventPayloads(owner(), payloads);
  const item = memoryTable.read(key());
  expect(item).toHaveProperty('body');
  expect(item).not.toHaveProperty('feed_closed');
});

test('A place is closed only while there is no payload', async () => {
  await closePlace(feed, placeAt(0), now);
  const item = memoryTable.read(key());
  expect(item).toEqual({ ...key(), feed_closed: ['3.1.0'], expires_at: now.getTime() / 1000 + 31 * 24 * 3600 });
  expect(isDecided(undefined, placeAt(0))).toBe(false);
  expect(isDecided(item, placeAt(0))).toBe(true);
  expect(isDecided(item, placeAt(1))).toBe(false);
  expect(isDecided(item, { ...placeAt(0), generation: 4 })).toBe(false);
  await closePlace(feed, placeAt(1), now);
  expect(isDecided(memoryTable.read(key()), placeAt(1))).toBe(true);
  const mark = await store();
  await closePlace(feed, placeAt(9), now);
  expect(markIn(memoryTable.read(key()))).toEqual(mark);
  expect(memoryTable.read(key())).not.toHaveProperty('feed_closed');
});

test('An event of a simulation that was removed takes a place for nothing', async () => {
  const simulated = { ...owner(), simulation_id: randomUUID() };
  const place = startTakingPlaces(feed, clock);
  expect(await storeInFeed(simulated, payloads, content, place)).toBeUndefined();
  expect(memoryTable.read(key())).toBeUndefined();
  await closePlace(feed, placeAt(0), now);
  expect(await storeInFeed(simulated, payloads, content, place)).toBeUndefined();
  expect(isDecided(memoryTable.read(key()), placeAt(0))).toBe(true);
});
