import { beforeEach, expect, test, vi } from 'vitest';
import { table } from '#platform/table/client.ts';
import { statisticsOf } from '#platform/table/keys.ts';
import { Random } from '#test/fuzz/random.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { recount } from '../../../bin/operator/recount.ts';
import { MadeWorld } from './made-world.ts';
import { UnreliableStream } from './unreliable-stream.ts';

/** COUNTED_EVENTS=1000000 takes some minutes. COUNTED_SEED makes another world. */
const events = Number(process.env.COUNTED_EVENTS ?? 30_000);
const seed = process.env.COUNTED_SEED ?? '33';

const begin = new Date('2026-09-01T00:00:00.000Z');
const shops = ['blue', 'green', 'red', 'white'];

beforeEach(() => {
  memoryTable.renew();
  vi.useFakeTimers({ toFake: ['Date'], now: begin });
});

test(`after ${events} events, late, repeated, deleted and re-dated, on a function that dies, each counter is what a recount says`, {
  timeout: 3_600_000,
}, async () => {
  const world = new MadeWorld(new Random(`${seed}/world`), { shops, begin, days: 60, events });
  const stream = new UnreliableStream(new Random(`${seed}/stream`));
  for (let n = 0; n < events; n++) {
    const changes = world.happen();
    vi.setSystemTime(world.now);
    await stream.take(changes);
  }
  await stream.end();
  for (const item of world.items) memoryTable.putWire(item as never);

  const access = { table, tableName: 'table', catchUp: async () => {} };
  let compared = 0;
  for (const slug of shops) {
    const result = await recount(access, slug, { now: world.now });
    expect(result).toMatchObject({ wrong: 0, moving: [] });
    compared += result.compared;
  }
  const figures = shops.flatMap((slug) => memoryTable.all(statisticsOf(slug)));
  const cells = figures.flatMap(({ pk: _, sk: __, expires_at: ___, ...counters }) => Object.values(counters));
  expect(cells.filter((count) => count < 0)).toEqual([]);
  console.log(
    `${events} events, ${stream.records} records, ${compared} counters compared.`,
    Object.fromEntries([...world.happened, ...stream.happened]),
  );
});
