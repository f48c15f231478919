import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AbTestRecord } from '#domain/promotions/ab-test.ts';
import { table } from '#platform/table/client.ts';
import { keyOf, statisticsOf } from '#platform/table/keys.ts';
import { everybody } from '#schemas/catalogues/enumerations.ts';
import { Random } from '#test/fuzz/random.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { recount } from '../../../bin/operator/recount.ts';
import { type Happening, MadeWorld } from './made-world.ts';
import { UnreliableStream } from './unreliable-stream.ts';

const events = Number(process.env.COUNTED_EVENTS ?? 1000);
const seed = process.env.COUNTED_SEED ?? '33';

const begin = new Date('2026-10-01T00:00:00.000Z');
const shops = ['blue', 'green'];
const daysLater = (days: number) => new Date(begin.getTime() + days * 24 * 3600 * 1000).toISOString();

const testOf = (n: number, slug: string, fields: Partial<AbTestRecord>) => {
  const uuid = `01930000-0000-7000-8000-00000000000${n}`;
  return {
    ...keyOf.record('abTests', slug, uuid),
    uuid,
    shop_slug: slug,
    created_at: daysLater(1),
    updated_at: daysLater(1),
    name: `Test ${n}`,
    segment: everybody,
    campaign_type: 'product',
    campaigns: ['a', 'b'].map((campaign_id) => ({ campaign_id, allocation: 40 })),
    has_holdout: true,
    holdout_percentage: 20,
    start_date: daysLater(2),
    end_date: daysLater(20),
    ended_at: null,
    counted: true,
    ...fields,
  };
};

const access = { table, tableName: 'table', catchUp: async () => {} };

beforeEach(async () => {
  memoryTable.renew();
  vi.useFakeTimers({ toFake: ['Date'], now: begin });
  for (const slug of shops) {
    memoryTable.put(testOf(1, slug, {}), testOf(2, slug, { segment: 'vip', start_date: daysLater(5), end_date: null }));
    // The stream has not seen that they were made.
    await recount(access, slug, { now: begin });
  }
});
afterEach(() => vi.useRealTimers());

/** No test asks for them. */
const ofParcels: readonly Happening[] = ['parcel', 'report', 'claim'];

/** The table has each change before the stream does. */
async function playWorld(without: readonly Happening[]): Promise<MadeWorld> {
  const options = { shops, begin, days: 30, events, without: [...ofParcels, ...without] };
  const world = new MadeWorld(new Random(`${seed}/world`), options);
  const stream = new UnreliableStream(new Random(`${seed}/stream`));
  while (stream.records < events) {
    const changes = world.happen();
    // A batch waits for more records, and the function for orders that are younger than some seconds.
    vi.setSystemTime(world.now.getTime() + 60_000);
    for (const { pk, sk, after } of changes) {
      if (after) memoryTable.putWire(after as never);
      else memoryTable.remove({ pk, sk });
    }
    await stream.take(changes);
    await stream.catchUp();
  }
  await stream.end();
  return world;
}

const cellsOfTests = (slug: string) =>
  memoryTable
    .all(statisticsOf(slug))
    .filter(({ sk }) => sk.startsWith('TEST#'))
    .flatMap(({ pk: _, sk: __, expires_at: ___, ...counters }) => Object.entries(counters));

test('customers of A/B tests whose orders come, go, move and change hands count as a recount says', async () => {
  const world = await playWorld(['erasedOrder']);
  for (const slug of shops) {
    const cells = cellsOfTests(slug);
    expect(cells.filter(([, count]) => count < 0)).toEqual([]);
    for (const name of ['o#0', 'o#1', 'o#c', 'r#0', 'r#1', 'r#c'])
      expect(cells.filter((cell) => cell[0] === name && cell[1] > 0).length).toBeGreaterThan(1);
    expect(await recount(access, slug, { now: world.now })).toMatchObject({ wrong: 0, moving: [], leftAlone: [] });
  }
}, 600_000);

test('a test whose customers were erased in part is left alone and named, and the others are mended', async () => {
  const [slug] = shops;
  const world = await playWorld(['deletedOrder']);
  const [, later] = [1, 2].map((n) => testOf(n, slug!, {}).uuid);
  const long = testOf(3, slug!, { segment: 'new', created_at: daysLater(40), start_date: daysLater(40) });
  memoryTable.put(long);
  await recount(access, slug, { now: world.now });
  const wrong = [later!, long.uuid].map((uuid) => ({ ...keyOf.testCounts(slug!, uuid, '2026-11-12'), 'o#c': 3 }));
  memoryTable.put(...wrong);
  const names = [1, 2].map((n) => `A/B test ${testOf(n, slug!, {}).uuid}`);
  const result = await recount(access, slug, { now: world.now });
  expect({ ...result, leftAlone: result.leftAlone.toSorted() }).toMatchObject({
    wrong: 1,
    corrected: 1,
    leftAlone: names,
  });
  expect(wrong.map((item) => memoryTable.read(item)!['o#c'])).toEqual([3, 0]);
}, 600_000);
