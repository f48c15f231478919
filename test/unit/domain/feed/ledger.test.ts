import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { isSettled, ledgerCounts, readLedger } from '#domain/feed/ledger.ts';
import { type FeedMark, hourOf, tellingsOf, wholeShop } from '#domain/feed/mark.ts';
import { foldCounts } from '#domain/figures/count-rules.ts';
import { addCounts, maxChanges, maxCounters } from '#domain/figures/counter-store.ts';
import { chunks } from '#platform/batches.ts';
import { keyOf } from '#platform/table/keys.ts';
import { endpointLimits } from '#schemas/catalogues/limits.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { belowFrom } from '#test/kit/random-from.ts';
import { tableWith } from '#test/kit/table.ts';

const feed = { slug: 'blue', generation: 3 };
const at = Date.parse('2026-11-18T03:20:00Z');
const hour = '2026-11-18T03:00:00Z';
const [first, second] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

const markOf = (changes: Partial<FeedMark> = {}): FeedMark => ({
  ...{ generation: 3, block: 1, index: 0, at, occurred: at - 2000, groups: 1, endpoints: [first] },
  subjects: [{ id: 'shipment-1', version: 1, told: 1 }],
  ...changes,
});

/** What a receiver computes of the ids that it got. */
const digestOf = (ids: readonly string[]): string => {
  const hashes = ids.map((id) => BigInt(`0x${createHash('sha256').update(id).digest('hex')}`));
  return (hashes.reduce((sum, hash) => sum + hash, 0n) % 2n ** 256n).toString(16).padStart(64, '0');
};

const now = new Date('2026-11-18T03:30:00Z');
let batch = 0;
const store = (events: readonly (readonly [string, FeedMark])[]) =>
  addCounts(
    { first: `batch-${++batch}`, until: '1' },
    foldCounts(events.flatMap(([id, mark]) => ledgerCounts(feed.slug, id, mark))),
    now,
  );

const readOne = async (receiver: string) => {
  const hours = await readLedger(feed, receiver, { from: hour, to: hour });
  expect(hours).toHaveLength(1);
  return hours[0]!;
};

beforeEach(() => tableWith());

describe('the digest of an hour', () => {
  test('is the sum of the hashes of all ids modulo 2^256, whatever the order and the batches in which they were added', async () => {
    const below = belowFrom(35);
    const events = Array.from({ length: 4000 }, (_, i): [string, FeedMark] => {
      const subjects = Array.from({ length: 1 + below(3) }, (_, n) => ({
        id: `shipment-${i}-${n}`,
        told: below(3) as 0 | 1 | 2,
      }));
      const endpoints = [first, second].filter(() => below(2) === 0);
      return [`event-${i}`, markOf({ subjects, endpoints, groups: 2, at: at + below(2_000_000), occurred: at - i })];
    });
    const shuffled = events.map((event) => ({ event, place: below(1e9) })).toSorted((a, b) => a.place - b.place);
    for (const some of chunks(shuffled, 1 + below(400))) await store(some.map(({ event }) => event));
    for (const receiver of [wholeShop, first, second]) {
      const ids = events.flatMap(([id, mark]) => tellingsOf(id, mark, receiver).map((telling) => telling.id));
      expect(ids.length).toBeGreaterThan(2000);
      expect(await readOne(receiver)).toEqual({ hour, count: ids.length, digest: digestOf(ids), delivered: 0 });
    }
  });

  test('carries from every limb to the next, and drops what passes 2^256', async () => {
    const full = 2 ** 32 - 1;
    const limbs = Object.fromEntries(Array.from({ length: 8 }, (_, limb) => [`d${limb}`, full]));
    memoryTable.put({ ...keyOf.ledger('blue', 3, wholeShop, hour), count: 2, ...limbs, d7: full + 1 });
    expect(await readOne(wholeShop)).toMatchObject({ count: 2, digest: '0'.repeat(64) });
  });

  test('is exact where its counters are longer than a number of JavaScript is', async () => {
    const huge = '79228162514264337593543950335'; // 2^96 - 1
    const counter = (N: string) => ({ N }) as never;
    const { pk, sk } = keyOf.ledger('blue', 3, wholeShop, hour);
    memoryTable.putWire({ pk: { S: pk }, sk: { S: sk }, count: counter('1'), d7: counter(huge) });
    await store([['event-1', markOf()]]);
    const { id } = tellingsOf('event-1', markOf(), wholeShop)[0]!;
    const sum = BigInt(huge) + BigInt(`0x${digestOf([id])}`);
    expect((await readOne(wholeShop)).digest).toBe((sum % 2n ** 256n).toString(16).padStart(64, '0'));
  });
});

describe('an event', () => {
  test('counts for the shop and for each endpoint that is told, in the hour of its place', () => {
    const keys = new Set(ledgerCounts('blue', 'event-1', markOf({ endpoints: [first, second] })).map(({ key }) => key));
    expect([...keys].map(({ pk, sk }) => `${pk} ${sk}`)).toEqual([
      `FEED#blue LEDGER#3#shop#${hour}`,
      `FEED#blue LEDGER#3#${first}#${hour}`,
      `FEED#blue LEDGER#3#${second}#${hour}`,
    ]);
  });

  test('that no endpoint is told counts for the shop alone', () => {
    const untold = markOf({ subjects: [{ id: 'shipment-1', told: 0 }], endpoints: [] });
    const changes = foldCounts(ledgerCounts('blue', 'event-1', untold));
    expect(changes.map(({ key }) => key.sk)).toEqual([`LEDGER#3#shop#${hour}`]);
  });

  test('of a shop with all endpoints that it may have fits into one transaction, however many parcels it tells of', () => {
    const endpoints = Array.from({ length: endpointLimits.endpoints }, (_, i) => `endpoint-${i}`);
    const subjects = Array.from({ length: 200 }, (_, i) => ({ id: `shipment-${i}`, told: 2 as const }));
    const changes = foldCounts(ledgerCounts('blue', 'event-1', markOf({ endpoints, subjects, groups: 2 })));
    expect(changes.length).toBe(endpoints.length + 1);
    expect(changes.length).toBeLessThanOrEqual(maxChanges);
    for (const { steps } of changes) expect(Object.keys(steps).length).toBeLessThanOrEqual(maxCounters);
  });
});

describe('the hours of the ledger', () => {
  const cellAt = (time: string, receiver = wholeShop, generation = 3) => ({
    ...keyOf.ledger('blue', generation, receiver, time),
    count: 1,
    d7: 7,
  });
  const hoursOf = async (range: { from: string; to?: string }) =>
    (await readLedger(feed, wholeShop, range)).map((one) => one.hour.slice(11, 13));

  beforeEach(() =>
    tableWith(
      ...['01', '02', '03', '04'].map((time) => cellAt(`2026-11-18T${time}:00:00Z`)),
      cellAt(hour, first),
      cellAt(hour, wholeShop, 2),
      cellAt(hour, wholeShop, 31),
    ),
  );

  test('are those of the range, of this feed and of this receiver, oldest first', async () => {
    expect(await hoursOf({ from: '2026-11-18T02:00:00Z', to: '2026-11-18T03:00:00Z' })).toEqual(['02', '03']);
    expect(await hoursOf({ from: '2026-11-18T03:00:00Z' })).toEqual(['03', '04']);
    expect(await readLedger(feed, first, { from: '2026-11-17T00:00:00Z' })).toMatchObject([{ hour, count: 1 }]);
  });

  test('are none in a range that ends before it begins', async () => {
    expect(await hoursOf({ from: '2026-11-18T03:00:00Z', to: '2026-11-18T02:00:00Z' })).toEqual([]);
  });

  test('are not there before their events are, though a delivery was counted first', async () => {
    tableWith({ ...keyOf.ledger('blue', 3, first, hour), delivered: 1 });
    expect(await readLedger(feed, first, { from: hour })).toEqual([]);
  });
});

test.each([
  [undefined, false],
  ['2026-11-18T03:59:00.000Z', false],
  ['2026-11-18T04:04:59.000Z', false],
  ['2026-11-18T04:05:00.000Z', true],
  ['2026-11-19T00:00:00.000Z', true],
])('an hour that ends at four is settled when counts has read until %s: %s', (readUntil, expected) => {
  expect(isSettled(hourOf(Date.parse(hour)), readUntil)).toBe(expected);
});
