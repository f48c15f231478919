import { randomUUID } from 'node:crypto';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { type Block, blockOfTime, blocksFrom, lastBlock, startTakingPlaces, takePlaces } from '#domain/feed/blocks.ts';
import { keyOf } from '#platform/table/keys.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, dynamo, tableWith } from '#test/kit/table.ts';

const feed = { slug: 'blue', generation: 3 };
const full = 36;
const begin = Date.parse('2026-11-18T03:00:00.000Z');

beforeEach(() => tableWith());

const ids = (count: number) => Array.from({ length: count }, () => randomUUID());
const take = (count: number, at = begin) => takePlaces(feed, ids(count), () => at);
const keyAt = (block: number) => keyOf.feedBlock(feed.slug, feed.generation, block);
const places = (taken: readonly { block: number; index: number }[]) => taken.map(({ block, index }) => [block, index]);

/** What a query has read before others wrote. */
function nextQueryFinds(...Items: Record<string, unknown>[]): void {
  dynamo.resetHistory();
  dynamo.on(QueryCommand).resolvesOnce({ Items });
}

async function read(from: number): Promise<Block[]> {
  const found: Block[] = [];
  for await (const block of blocksFrom(feed, from)) found.push(block);
  return found;
}

test('Places are taken one behind the other, and read with their events and times', async () => {
  const events = ids(3);
  expect(await lastBlock(feed)).toBeUndefined();
  expect(await takePlaces(feed, events.slice(0, 2), () => begin)).toEqual([
    { generation: 3, block: 1, index: 0, at: begin },
    { generation: 3, block: 1, index: 1, at: begin },
  ]);
  expect(places(await takePlaces(feed, events.slice(2), () => begin - 999))).toEqual([[1, 2]]);
  const entries = events.map((event_id, i) => ({ event_id, at: i < 2 ? begin : begin - 999 }));
  expect(await read(0)).toEqual([{ number: 1, since: begin, entries }]);
});

test('Only behind a full block the next begins, and what comes together stays together', async () => {
  await take(full - 1);
  expect(places(await take(3))).toEqual([
    [1, full - 1],
    [1, full],
    [1, full + 1],
  ]);
  expect(places(await take(1))).toEqual([[2, 0]]);
  expect((await read(0)).map(({ number, entries }) => [number, entries.length])).toEqual([
    [1, full + 2],
    [2, 1],
  ]);
});

test('The newest block never expires, so that no number comes twice', async () => {
  await take(full);
  expect(memoryTable.read(keyAt(1))).not.toHaveProperty('expires_at');
  await take(1, begin + 5000);
  expect(memoryTable.read(keyAt(1))).toMatchObject({ expires_at: begin / 1000 + 5 + 31 * 24 * 3600 });
  expect(memoryTable.read(keyAt(2))).not.toHaveProperty('expires_at');
});

test('Who finds the feed empty when another begins it comes behind that', async () => {
  let first: unknown;
  dynamo.on(QueryCommand).callsFakeOnce(async () => {
    first = await take(2);
    return { Items: [] };
  });
  expect(places(await take(1))).toEqual([[1, 2]]);
  expect(first).toHaveLength(2);
});

test('Who sees room in a block that others fill in the meantime comes into the next', async () => {
  await take(full - 1);
  const seen = memoryTable.read(keyAt(1))!;
  await take(1);
  nextQueryFinds(seen);
  expect(places(await take(1))).toEqual([[2, 0]]);
  expect(dynamo.commandCalls(QueryCommand)).toHaveLength(2);
  expect((memoryTable.read(keyAt(1))!.entries as unknown[]).length).toBe(full);
});

test('Who sees a full block when others begin the next comes into that one', async () => {
  await take(full);
  const seen = memoryTable.read(keyAt(1))!;
  await take(1);
  nextQueryFinds(seen);
  expect(places(await take(1))).toEqual([[2, 1]]);
  expect(dynamo.commandCalls(QueryCommand)).toHaveLength(2);
});

test('A request that comes twice takes two places, and the writer has the second', async () => {
  await take(1);
  beforeNextRequest(UpdateCommand, ({ Key, ExpressionAttributeValues }) => {
    const before = memoryTable.read(Key as never)!;
    memoryTable.put({ ...before, entries: [...before.entries, ...(ExpressionAttributeValues![':more'] as never[])] });
  });
  expect(places(await take(1))).toEqual([[1, 2]]);
  expect((await lastBlock(feed))?.entries).toHaveLength(3);
});

test('Generations are apart', async () => {
  await take(2);
  const other = { ...feed, generation: 31 };
  expect(places(await takePlaces(other, ids(1), () => begin))).toEqual([[1, 0]]);
  expect((await lastBlock(feed))?.entries).toHaveLength(2);
  expect(await read(0)).toHaveLength(1);
});

test('A reader goes on behind blocks that have expired', async () => {
  for (let block = 1; block <= 9; block++) await take(full);
  for (const gone of [1, 2, 4, 5, 6]) memoryTable.remove(keyAt(gone));
  expect((await read(1)).map(({ number }) => number)).toEqual([3, 7, 8, 9]);
});

test('A reader does not pass a block that began while it read', async () => {
  await take(full);
  await take(full);
  await take(full);
  await take(1);
  const all = [1, 2, 3, 4].map((block) => memoryTable.read(keyAt(block))!);
  // It looked for the second block before that began, and found what began later.
  nextQueryFinds(all[0]!, all[2]!, all[3]!);
  expect((await read(1)).map(({ number }) => number)).toEqual([1]);
  // It read the first block before that was full.
  const earlier = { ...all[0]!, entries: (all[0]!.entries as unknown[]).slice(1) };
  nextQueryFinds(earlier, all[1]!);
  expect((await read(1)).map(({ number }) => number)).toEqual([1]);
});

test('The block of a time is found, also where blocks have expired', async () => {
  expect(await blockOfTime(feed, begin)).toBe(0);
  const hour = 3_600_000;
  for (let block = 1; block <= 20; block++) await take(full, begin + block * hour);
  const found = (hours: number) => blockOfTime(feed, begin + hours * hour);
  expect(await Promise.all([0, 1, 1.5, 2, 10.5, 19.9, 20, 20.1, 99].map(found))).toEqual([
    1, 1, 1, 1, 10, 19, 19, 20, 20,
  ]);
  for (const gone of [1, 2, 3, 5, 6, 8]) memoryTable.remove(keyAt(gone));
  expect(await Promise.all([10.5, 12, 99].map(found))).toEqual([10, 11, 20]);
  expect(await found(0)).toBeLessThanOrEqual(8);
});

test('What asks at the same time shares a write, and what asks meanwhile the next one', async () => {
  const takePlace = startTakingPlaces(feed, () => begin);
  const [a, b, ...rest] = ids(6);
  let late: Promise<unknown>[] = [];
  beforeNextRequest(QueryCommand, () => {
    late = rest.map(takePlace);
  });
  const taken = await Promise.all([takePlace(a!), takePlace(b!)]);
  expect(places(taken)).toEqual([
    [1, 0],
    [1, 1],
  ]);
  expect(places((await Promise.all(late)) as never)).toEqual([2, 3, 4, 5].map((index) => [1, index]));
  expect(dynamo.commandCalls(UpdateCommand)).toHaveLength(1);
});

test('A write that fails fails for all who share it, and for nobody else', async () => {
  await take(1);
  const takePlace = startTakingPlaces(feed, () => begin);
  const [a, b, c] = ids(3);
  let late: Promise<unknown> | undefined;
  beforeNextRequest(UpdateCommand, () => {
    late = takePlace(c!);
    throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
  });
  const results = await Promise.allSettled([takePlace(a!), takePlace(b!)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await late).toMatchObject({ block: 1, index: 1 });
  expect(await takePlace(a!)).toMatchObject({ block: 1, index: 2 });
});
