import { beforeEach, expect, test } from 'vitest';
import { table } from '#platform/table/client.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { keyOf, listCountersOf } from '#platform/table/keys.ts';
import { countersAt } from '#platform/table/list-counters.ts';
import { longLists } from '#test/kit/long-lists.ts';
import { type Item, memoryTable } from '#test/kit/memory-table.ts';
import { writtenAs } from '#test/kit/spread-shipments.ts';
import { shopItem, tableWith } from '#test/kit/table.ts';
import { recount } from '../../../bin/operator/recount.ts';

const slug = 'blue';
const target = '01930000-0000-7000-8000-0000000000aa';
const newest = new Date('2026-11-14T12:00:00.000Z');
const lists = longLists({ slug, target, newest });
const count = 60;
const now = new Date('2026-11-17T12:00:00.000Z');
const endpoint = { ...keyOf.webhook(slug, target), uuid: target };

beforeEach(() => {
  tableWith(shopItem(slug), endpoint);
  for (let n = 0; n < count; n++) memoryTable.put(...lists.orderItems(n), ...lists.deliveryItems(n));
});

const run = (catchUp = async () => {}, countedSince?: Date) =>
  recount({ table, tableName: 'table', catchUp }, slug, { now, countedSince });
const byKey = (items: readonly object[]) =>
  (items as Item[])
    .map(({ expires_at: _, ...item }) => item)
    .filter(({ sk }) => sk !== 'COMPLETE')
    .sort((a, b) => (`${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1));
const stored = () => byKey(memoryTable.all('POSITIONS#'));
/** Those of claims by their last change, which the kit does not count. */
const withClaims = (items: object[]) =>
  items.map((item) => {
    const claims = Object.entries(item).filter(([name]) => name.length === 2 && name.startsWith('k'));
    return { ...item, ...Object.fromEntries(claims.map(([name, value]) => [name.replace('k', 'K'), value])) };
  });

test('a shop without counters gets those that the stream would have made, and is complete', async () => {
  expect(await run()).toMatchObject({ moving: [], removed: 0 });
  expect(stored()).toEqual(byKey(withClaims(lists.counterItems(count))));
  expect(memoryTable.read(keyOf.countedLists(slug))).toBeDefined();
  expect(await run()).toMatchObject({ corrected: 0, moving: [], removed: 0 });
});

test.each(['in shards', 'half of them in shards'] as const)('so does one whose shipments are %s', async (spread) => {
  for (let n = 0; n < count; n++) memoryTable.put(...writtenAs(spread, n, () => lists.orderItems(n)));
  expect(await run()).toMatchObject({ moving: [], removed: 0 });
  expect(stored()).toEqual(byKey(withClaims(lists.counterItems(count))));
});

test('the ledger of the feed stays as it was counted', async () => {
  const cell = { ...keyOf.ledger(slug, 3, target, '2026-11-14T12:00:00Z'), count: 2, d7: 5, delivered: 1 };
  memoryTable.put(cell, { ...keyOf.payload(slug, 'event'), feed: Uint8Array.of(3, 1, 0, 0, 0, 1, 0, 0) });
  await run();
  expect(memoryTable.all('FEED#')).toEqual([cell]);
});

const [counter] = countersAt(countedLists.orders(slug), newest.toISOString()) as [
  ReturnType<typeof countersAt>[number],
];

test('a counter that changes meanwhile is named and left for the next time', async () => {
  const { moving } = await run(async () => memoryTable.put({ ...counter.key, [counter.name]: 7 }));
  expect(moving).toEqual([`${counter.key.pk} ${counter.key.sk} ${counter.name}`]);
  expect(memoryTable.read(counter.key)).toMatchObject({ [counter.name]: 7 });
  expect(memoryTable.read(keyOf.countedLists(slug))).toBeUndefined();
  expect(await run()).toMatchObject({ corrected: 1, moving: [] });
});

test('a shop that never rests is complete: what began after the stream counted, or was right once, is not waited for', async () => {
  const change = async () => memoryTable.put({ ...counter.key, [counter.name]: 7 });
  const began = new Date(Math.floor(newest.getTime() / minutes30) * minutes30);
  expect((await run(change, new Date(began.getTime() + 1))).moving).toHaveLength(1);
  memoryTable.put({ ...counter.key, [counter.name]: 5 });
  expect((await run(change, began)).moving).toEqual([]);
  expect(memoryTable.read(keyOf.countedLists(slug))).toBeDefined();
  expect(memoryTable.read(counter.key)).toMatchObject({ [counter.name]: 7 });
  await run();
  expect(await run(change)).toMatchObject({ corrected: 0, moving: [], removed: 0 });
});
const minutes30 = 30 * 60_000;

test('a counter of entries that are no longer there goes to nothing, in an item that the lists still have and in another', async () => {
  await run();
  const early = countersAt(countedLists.orders(slug), '2026-10-01T00:00:00.000Z')[0]!;
  const late = { ...counter, name: counter.name.replace(/.$/, '0') };
  for (const { key, name } of [early, late]) memoryTable.put({ ...key, ...memoryTable.read(key), [name]: 3 });
  expect(await run()).toMatchObject({ corrected: 2, wrong: 2, moving: [], removed: 0 });
  for (const { key, name } of [early, late]) expect(memoryTable.read(key)).toMatchObject({ [name]: 0 });
});

test('nodes of the former tree go, and nothing else', async () => {
  const node = { pk: listCountersOf(slug, `deliveries#${target}`), sk: 'root', version: 2, level: 0 };
  memoryTable.put(node);
  expect(await run()).toMatchObject({ removed: 1 });
  expect(memoryTable.read(node)).toBeUndefined();
  expect(stored()).toEqual(byKey(withClaims(lists.counterItems(count))));
});
