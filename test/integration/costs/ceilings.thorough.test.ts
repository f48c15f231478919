import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Usage } from '#lib/local/aws/usage.ts';
import { loadStage } from '#lib/stage.ts';
import { stackNameOf } from '#lib/synthesize.ts';
import { type KeyRate, RateMemory, unitsOf as rateUnitsOf } from '#platform/access/key-rate.ts';
import { synthesize } from '#test/infra/synthesis.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { type Capacity, capacityOf, type Load, type Units } from './ceilings.ts';
import {
  ingested,
  measureLargeShop,
  measureLists,
  measureMail,
  measureOrders,
  measurePages,
  measurePaths,
  measureSearches,
} from './ceilings-scenarios.ts';
import { type Loads, renderCeilings, rowsOf } from './ceilings-table.ts';
import { ceilingOf, hotKeysOf, readOnceOf, together } from './hot-keys.ts';
import { functionIds, usagesOf } from './played-orders.ts';
import { expectTable } from './tables.ts';

type Operations = Usage[][];

const start = async (environment: Record<string, string>): Promise<RunningService> => {
  const service = await startService({
    isSequential: true,
    // The test hands over batches as large as those of a busy service.
    withoutStream: functionIds.counts,
    environment: { ALLOW_LOCAL_TARGETS: 'true', ...environment },
  });
  service.stack.usage.start({ heat: true });
  return service;
};

describe('the ceilings of prod', () => {
  let capacity: Capacity;
  let ofProd: RunningService;
  let inOneList: RunningService;
  beforeAll(async () => {
    const stage = await loadStage('prod');
    capacity = capacityOf(stage, synthesize(stage, stackNameOf('prod')));
    ofProd = await start(stage.spreadsShipments ? { SPREAD_SHIPMENTS: 'true' } : {});
    inOneList = await start({});
  }, 240_000);
  afterAll(() => Promise.all([ofProd?.stop(), inOneList?.stop()]));

  /** Delivery gets whole batches when there is much to do. */
  const loadOf = (operations: Operations, slug: string): Load => {
    const isDelivery = (usage: Usage) => usagesOf('delivery', [usage]).length > 0;
    const others = operations.map((usages) => usages.filter((usage) => !isDelivery(usage)));
    const deliveries = operations.map((usages) => usages.filter(isDelivery));
    const hot = together(hotKeysOf(others, slug), readOnceOf(hotKeysOf(deliveries, slug), capacity.delivery.batchSize));
    return { hot, units: unitsOf(operations) };
  };

  /** Ingest, too: it is measured with a batch of its own. */
  const updateOf = (operations: Operations, slug: string, ingest: Operations, listed: string): Load => {
    const behind = operations.map((usages) => usages.filter((usage) => usagesOf('ingest', [usage]).length === 0));
    const load = loadOf(behind, slug);
    const units = new Map(load.units);
    for (const [place, { writes, reads }] of unitsOf(ingest, ingested)) {
      const others = units.get(place) ?? { writes: 0, reads: 0 };
      units.set(place, { writes: others.writes + writes, reads: others.reads + reads });
    }
    return { hot: together(load.hot, hotKeysOf(ingest, listed, ingested)), units };
  };

  test('are those of the table, and what is asked of one shop is reached', async () => {
    const { slug, paths } = await measurePaths(ofProd, 'hot-shop');
    const lists = await measureLists(ofProd, 'listed-shop');
    const searches = await measureSearches(ofProd, 'searched-shop');
    const large = await measureLargeShop(ofProd, 'large-shop');
    const pages = await measurePages(ofProd, 'promoting-shop');
    const mails = await measureMail(ofProd, 'mailed-shop');
    const ordersInOneList = await measureOrders(inOneList, 'one-list-shop');
    const { slug: listedInOne, paths: pathsInOne } = await measureLists(inOneList, 'listed-one-shop');
    const loads: Loads = {
      place: loadOf(paths.place, slug),
      fulfil: loadOf(paths.fulfil, slug),
      update: updateOf(paths.update, slug, lists.paths.ingest, lists.slug),
      updateInOneList: updateOf(ordersInOneList.paths.update, ordersInOneList.slug, pathsInOne.ingest, listedInOne),
      webhook: loadOf(paths.webhook, slug),
      delivery: loadOf(paths.delivery, slug),
      view: loadOf(paths.view, slug),
      largeView: loadOf(paths.largeView, slug),
      firstView: loadOf(pages.paths.firstView, pages.slug),
      rating: loadOf(pages.paths.rating, pages.slug),
      list: loadOf(lists.paths.list, lists.slug),
      search: loadOf(searches.paths.search, searches.slug),
      largeSearch: loadOf(large.paths.search, large.slug),
      claim: loadOf(paths.claim, slug),
      counts: loadOf(paths.counts, slug),
      feed: loadOf(paths.feed, slug),
      run: loadOf(paths.run, slug),
      mail: loadOf(mails.paths.mail, mails.slug),
    };
    const rows = rowsOf(loads, capacity);
    expectTable('ceilings', 'What a shop and a deployment take in a second', renderCeilings(rows, loads));
    const ofShop = (name: keyof Loads) => rows.find((row) => row.name === name)!.shop.perSecond;
    expect(ofShop('place')).toBeGreaterThanOrEqual(1000);
    expect(ofShop('update')).toBeGreaterThanOrEqual(2000);
    expect([ofShop('view'), ofShop('largeView')]).toEqual([3000, 3000]);
  }, 400_000);

  test('leave executions to the API while everything else runs at its most', () => {
    expect(capacity.apiExecutions * 25).toBeGreaterThanOrEqual(capacity.throttle);
  });

  test('count the rate of a busy shop in one item, which many environments share', () => {
    const environments = 100;
    const asked = asksOf(capacity.keyRate, environments, 20);
    // Each is a write unit, and a request that is refused as well.
    expect(asked).toBeGreaterThan(environments / 2);
    expect(asked).toBeLessThan(500);
  });
});

/** The mean of the operations, by table and index. */
function unitsOf(operations: Operations, size = 1): Map<string, Units> {
  const heats = operations.flat().flatMap(({ heat = [] }) => heat);
  const sumOf = (some: typeof heats, units: 'writeUnits' | 'readUnits') =>
    some.reduce((sum, heat) => sum + heat[units], 0) / operations.length / size;
  return new Map(
    [...Map.groupBy(heats, ({ place }) => place)].map(([place, some]) => [
      place,
      { writes: sumOf(some, 'writeUnits'), reads: sumOf(some, 'readUnits') },
    ]),
  );
}

/** How often environments that work all the time ask for units of one shop, in a second. @param perSecond requests of each */
function asksOf(rate: KeyRate, environments: number, perSecond: number): number {
  const memories = Array.from({ length: environments }, () => new RateMemory(rate));
  const ms = 1000 / perSecond;
  const seconds = 20;
  let asks = 0;
  for (let now = 0; now < seconds * 1000; now += ms) {
    for (const memory of memories) {
      const admission = memory.admit('shop', now);
      if (admission.kind === 'ask') {
        asks += 1;
        memory.granted('shop', admission.units, now);
      }
      memory.spend('shop', rateUnitsOf(ms), now);
    }
  }
  return asks / seconds;
}

describe('a hot key', () => {
  const usage = (...heat: [place: string, key: string, writeUnits: number, readUnits: number][]): Usage => ({
    functionId: 'OrdersApi',
    service: 'dynamodb',
    action: 'PutItem',
    readUnits: 0,
    writeUnits: 0,
    heat: heat.map(([place, key, writeUnits, readUnits]) => ({ place, key, writeUnits, readUnits })),
  });

  test('is one that operations of different orders have in common', () => {
    const operations = ['a', 'b'].map((id) => [
      usage(['table', `ORDER#blue#${id}`, 2, 0], ['timeline', 'ORDERS#blue', 1, 0]),
    ]);
    const [hot, ...others] = hotKeysOf(operations, 'blue');
    expect(hot).toEqual({ place: 'timeline', name: 'ORDERS#slug', shards: 1, writeUnits: 1, readUnits: 0 });
    expect(others).toEqual([]);
    expect(ceilingOf(hot!)).toBe(1000);
  });

  test('is spread over its shards, of which an operation takes one', () => {
    const operations = [1, 3].map((shard) => [usage(['table', `DELIVERIES#blue#target#${shard}`, 2, 0])]);
    expect(hotKeysOf(operations, 'blue').map((key) => [key.name, ceilingOf(key)])).toEqual([
      ['DELIVERIES#slug#target#shard', 2000],
    ]);
  });

  test('is one key, however many shards its sort keys have', () => {
    const operations = [1, 2].map(() => [usage(['table', 'COUNTS#blue#campaign', 2, 0])]);
    expect(hotKeysOf(operations, 'blue').map((key) => [key.name, ceilingOf(key)])).toEqual([
      ['COUNTS#slug#campaign', 500],
    ]);
  });

  test('takes three times as many reads as writes, and the sum of what functions take', () => {
    const read = hotKeysOf([[usage(['table', 'SHOP#blue', 0, 2])], [usage(['table', 'SHOP#blue', 0, 2])]], 'blue');
    expect(ceilingOf(read[0]!)).toBe(1500);
    expect(ceilingOf(together(read, readOnceOf(read, 10))[0]!)).toBe(Math.floor(3000 / 2.2));
  });
});
