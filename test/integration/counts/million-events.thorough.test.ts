import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { arrivalCounters } from '#domain/arrival/lane-days.ts';
import { figuresOf } from '#domain/figures/parcel-figures.ts';
import { type StoredItem, toShipment } from '#domain/orders/order-items.ts';
import { table } from '#platform/table/client.ts';
import {
  cohortCountsPrefix,
  dayCountsPrefix,
  laneOfModel,
  shipmentPrefix,
  statisticsOf,
} from '#platform/table/keys.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { Random } from '#test/fuzz/random.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { recount } from '../../../bin/operator/recount.ts';
import { MadeWorld } from './made-world.ts';
import { UnreliableStream } from './unreliable-stream.ts';

/** `COUNTED_EVENTS=1000000` takes a quarter of an hour of one core. `COUNTED_SEED` makes another world. */
const events = Number(process.env.COUNTED_EVENTS ?? 20_000);
const seed = process.env.COUNTED_SEED ?? '33';

const begin = new Date('2026-10-01T00:00:00.000Z');
const shops = ['blue', 'green', 'red'];

beforeEach(() => {
  memoryTable.renew();
  vi.useFakeTimers({ toFake: ['Date'], now: begin });
});
afterEach(() => vi.useRealTimers());

const title =
  'what comes late, twice, is deleted and gets other times, on a function that dies, counts as a recount says';

test(`${events} events: ${title}`, { timeout: 7_200_000 }, async () => {
  const world = new MadeWorld(new Random(`${seed}/world`), { shops, begin, days: 30, events });
  const stream = new UnreliableStream(new Random(`${seed}/stream`));
  while (stream.records < events) {
    const changes = world.happen();
    vi.setSystemTime(world.now);
    await stream.take(changes);
  }
  await stream.end();

  // No counter was ever taken from that was not added to before.
  const figures = shops.flatMap((slug) => memoryTable.all(statisticsOf(slug)));
  const counts = figures.flatMap(({ pk: _, sk: __, expires_at: ___, ...counters }) => Object.values(counters));
  expect(counts.filter((count) => count < 0)).toEqual([]);
  for (const prefix of [dayCountsPrefix, cohortCountsPrefix])
    expect(figures.filter(({ sk }) => sk.startsWith(prefix)).length).toBeGreaterThan(30);
  // Arrivals were counted by area and stage, predictions by their bands and windows, and lanes were learned from that.
  const names = new Set(figures.filter(({ sk }) => sk.startsWith(cohortCountsPrefix)).flatMap(Object.keys));
  const { shown, held, shownDays, carrierWindows, carrierHeld, carrierHours } = arrivalCounters;
  for (const name of [
    'z-0',
    'z22',
    'zS3',
    'o1',
    'e2',
    'q0',
    'q12',
    shown,
    held,
    shownDays,
    carrierWindows,
    carrierHeld,
    carrierHours,
  ])
    expect(names).toContain(name);
  expect(figures.filter(({ sk }) => laneOfModel(sk) !== undefined).length).toBeGreaterThan(30);

  for (const item of world.items) memoryTable.putWire(item as never);
  // Also those that were written again are in no figure.
  const older = shops
    .flatMap((slug) => memoryTable.all(`${partitions.order}${slug}#`) as unknown as StoredItem[])
    .filter(({ sk, version }) => world.older.has(sk.slice(shipmentPrefix.length)) && version > 1)
    .map((item) => toShipment(item));
  expect(older.length).toBeGreaterThan(0);
  expect(older.filter((shipment) => figuresOf(shipment) !== undefined)).toEqual([]);
  const access = { table, tableName: 'table', catchUp: async () => {} };
  let compared = 0;
  for (const slug of shops) {
    const result = await recount(access, slug, { now: world.now });
    expect(result).toMatchObject({ wrong: 0, moving: [] });
    compared += result.compared;
  }
  expect(compared).toBeGreaterThan(counts.length / 2);
  const happened = Object.fromEntries([...world.happened, ...stream.happened]);
  console.log(`seed ${seed}: ${stream.records} events, ${compared} counters compared, 0 wrong.`, happened);
});
