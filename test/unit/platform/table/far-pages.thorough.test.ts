import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { handler as claims } from '#api/claims/handler.ts';
import { handler as orders } from '#api/orders/handler.ts';
import { handler as shipments } from '#api/shipments/handler.ts';
import { handler as webhooks } from '#api/webhooks/handler.ts';
import { keyOf } from '#platform/table/keys.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import { consumedBy } from '#test/kit/consumed.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { usualEntryMs as entryMs, longLists } from '#test/kit/long-lists.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { listener } from '#test/kit/outbox-records.ts';
import { type Spread, writtenAs } from '#test/kit/spread-shipments.ts';
import { asOperator, keyFor, operator, shopItem, tableWith } from '#test/kit/table.ts';

const slug = 'blue';
const target = '01930000-0000-7000-8000-0000000000aa';
/** Half an hour ends just before the last page that is asked for, so that the longest way leads to it. */
const now = new Date('2026-11-16T21:49:25.000Z');
const newest = new Date(now.getTime() - 60_000);
const count = 30_100;
const perPage = 30;
const reader = keyFor(slug, 'admin');
const lists = longLists({ slug, target, newest });
/** Stored is what is recent, and what is in the same half-hour as the pages that are asked for. */
const stored = [range(0, 950), range(2250, 3040), range(29_200, count)].flat();

/** More shipments are taken from the counters. */
const limits: { countedShipments: number } = searchLimits;
const { countedShipments } = limits;

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  tableWith(operator.item, reader.item, shopItem(slug), listener(slug, target));
  memoryTable.put(...lists.counterItems(count));
  memoryTable.put(...stored.flatMap((n) => [...lists.orderItems(n), ...lists.deliveryItems(n)]));
  limits.countedShipments = 400;
}, 60_000);
afterAll(() => {
  limits.countedShipments = countedShipments;
  vi.useRealTimers();
});

interface Named {
  order_number?: string;
  order_id?: string;
  event_id?: string;
}

const families = {
  orders: { handler: orders, path: '/orders', found: (body: never) => body as Named[] },
  shipments: { handler: shipments, path: '/shipments', found: (body: { shipments: Named[] }) => body.shipments },
  claims: { handler: claims, path: '/claims', found: (body: { claims: Named[] }) => body.claims },
  deliveries: { handler: webhooks, path: '/webhooks/{uuid}/deliveries', found: (body: never) => body as Named[] },
};
type Family = keyof typeof families;
const names = Object.keys(families) as Family[];

async function read(name: Family, page: number, { headers = asOperator, query = {} } = {}) {
  const { handler, path, found } = families[name];
  const { status, body } = await invoke(handler, {
    method: 'GET',
    resource: `/v1/shops/{slug}${path}`,
    params: { slug, ...(name === 'deliveries' && { uuid: target }) },
    query: { page: String(page), per_page: String(perPage), ...query },
    headers,
  });
  expect(status).toBe(200);
  return { body, numbers: found(body as never).map(numberOf) };
}

/** Which entry of the list it is, from the newest. */
function numberOf({ order_number, order_id, event_id }: Named): number {
  if (order_id !== undefined) return Number.parseInt(order_id.slice(-12, -3), 16);
  if (order_number !== undefined) return Number(order_number.slice('long-'.length));
  return (newest.getTime() - Date.parse(event_id!)) / entryMs;
}

const pageOf = (page: number) => range((page - 1) * perPage, page * perPage);

describe.each(names)('a list of 30,100 %s', (name) => {
  test.each([1, 2, 4, 10, 30, 100, 1000])(
    'has the right entries on page %d, also for a reader that begins there',
    async (page) => {
      expect((await read(name, page)).numbers).toEqual(pageOf(page));
    },
  );

  test('costs at most three times as much on page 1,000 as on page 1, in requests and in units', async () => {
    const first = await consumedBy(() => read(name, 1));
    for (const page of [2, 4, 10, 11, 30, 100, 1000]) {
      // A key that has read no page before.
      const far = await consumedBy(() => read(name, page, { headers: basic(slug, reader.secret) }));
      expect(far.requests, `requests of page ${page}`).toBeLessThanOrEqual(3 * first.requests);
      expect(far.units, `units of page ${page}`).toBeLessThanOrEqual(3 * first.units);
    }
  });
});

describe.each(['in shards', 'half of them in shards'] as const)('a list of shipments that are %s', (spread) => {
  const putAll = (as: Spread) => {
    for (const n of stored) memoryTable.put(...writtenAs(as, n, () => lists.orderItems(n)));
  };
  beforeAll(() => putAll(spread));
  afterAll(() => putAll('in one list'));

  test('has the same pages, and a far one costs at most three times as much as the first', async () => {
    const first = await consumedBy(() => read('shipments', 1, { headers: freshReader() }));
    for (const page of [1, 4, 30, 1000]) {
      const far = await consumedBy(async () => {
        expect((await read('shipments', page, { headers: freshReader() })).numbers).toEqual(pageOf(page));
      });
      expect(far.requests, `requests of page ${page}`).toBeLessThanOrEqual(3 * first.requests);
      expect(far.units, `units of page ${page}`).toBeLessThanOrEqual(3 * first.units);
    }
  });
});

const timeOf = (n: number) => new Date(newest.getTime() - n * entryMs).toISOString();
const asReader = basic(slug, reader.secret);

let readers = 0;
/** One that has read no page before. */
const freshReader = () => ({ ...asReader, 'Reader-Id': `reader ${++readers}` });

const mark = keyOf.countedLists(slug);
/** As in a shop whose lists were there before they were counted. */
async function withoutMark(act: () => Promise<void>): Promise<void> {
  memoryTable.remove(mark);
  await act();
  memoryTable.put({ ...mark, shop: 1 });
}

describe('a far page', () => {
  test.each([
    ['orders', { order_placed_to: timeOf(29) }],
    ['shipments', { updated_to: timeOf(29) }],
    ['claims', { created_to: timeOf(29) }],
    ['deliveries', { until: timeOf(29) }],
  ] as const)('of %s in a time range is counted from the end of the range', async (name, query) => {
    expect((await read(name, 1000, { query })).numbers).toEqual(range(29_970 + 29, 30_000 + 29));
  });

  test('of claims is counted from the oldest, if they come first', async () => {
    const { numbers } = await read('claims', 9, { query: { sort: 'created_at' } });
    expect(numbers).toEqual(range(count - 270, count - 240).toReversed());
    const created_from = timeOf(count - 31);
    const query = { sort: 'created_at', created_from };
    const later = await consumedBy(async () => {
      expect((await read('claims', 5, { query, headers: asReader })).numbers).toEqual(
        range(count - 180, count - 150).toReversed(),
      );
    });
    expect(later.requests).toBeLessThan(10);
  });

  test('of claims with the oldest first is counted in the list itself, if the list is older than its counters', async () => {
    await withoutMark(async () => {
      const { numbers } = await read('claims', 11, { query: { sort: 'created_at' } });
      expect(numbers).toEqual(stored.toReversed().slice(300, 330));
    });
  });

  test('of shipments is counted from the oldest, if they come first, and the newest come last', async () => {
    const ascending = { sort: 'updated_at' };
    expect((await read('shipments', 1, { query: ascending })).numbers).toEqual(range(count - 30, count).toReversed());
    const { body, numbers } = await read('shipments', 1004, { query: ascending });
    expect(numbers).toEqual(range(0, 10).toReversed());
    expect(body.pagination).toMatchObject({ total: count, total_pages: 1004, has_next: false });
  });

  test('after the end of a list is empty', async () => {
    for (const name of names) expect((await read(name, 1010)).numbers).toEqual([]);
  });

  test('is the same for two readers with one key, of whom one came page by page', async () => {
    const [, second] = [await read('orders', 1), await read('orders', 2)];
    expect(second.numbers).toEqual(pageOf(2));
    const [one, other] = await Promise.all([read('orders', 1000), read('orders', 1000)]);
    expect(one.numbers).toEqual(pageOf(1000));
    expect(other.numbers).toEqual(pageOf(1000));
  });
});

describe('entries that are not counted yet', () => {
  test('are counted in the list itself, because they are newer than all others', async () => {
    const later = longLists({ slug, target, newest: new Date(newest.getTime() + 45 * entryMs) });
    const added = range(0, 45).flatMap((n) => later.deliveryItems(n)) as { pk: string; sk: string }[];
    memoryTable.put(...added);
    const { numbers } = await read('deliveries', 1000, { headers: asReader, query: { since: timeOf(count) } });
    expect(numbers).toEqual(range(29_970 - 45, 30_000 - 45));
    for (const key of added) memoryTable.remove(key);
  });

  test.each([
    ['orders', 16],
    ['orders', 1000],
    ['claims', 16],
    ['claims', 1000],
  ] as const)('are also counted in a list of %s if newer ones are counted, for page %d', async (name, page) => {
    // Other orders, each half a second before one of the newest.
    const others = longLists({ slug, target, newest: new Date(newest.getTime() + 40_000 * entryMs - 500) });
    const added = range(0, 45).flatMap((n) => others.orderItems(40_000 + n)) as { pk: string; sk: string }[];
    memoryTable.put(...added);
    const headers = { ...asReader, 'Reader-Id': `${name} ${page}` };
    const { numbers } = await read(name, page, { headers });
    expect(numbers).toEqual(pageOf(page).map((n) => n - 45));
    for (const key of added) memoryTable.remove(key);
  });
});

describe('the total of a search of more shipments than are counted in the index', () => {
  test('is that of the counters for the others', async () => {
    const { body } = await read('shipments', 1);
    expect(body.pagination).toMatchObject({ total: count, has_next: true });
  });

  test('counts the range that is asked for', async () => {
    const { body } = await read('shipments', 1, { query: { updated_from: timeOf(29_999), updated_to: timeOf(0) } });
    expect(body.pagination.total).toBe(30_000);
  });

  test('is counted in the list itself, if the list is older than its counters', async () => {
    await withoutMark(async () => expect((await read('shipments', 1)).body.pagination.total).toBe(stored.length));
  });

  test('is counted in the list itself, if a counter is wrong', async () => {
    const wrong = memoryTable.all(`POSITIONS#${slug}`).find(({ pk, sk }) => pk === mark.pk && sk.startsWith('day#'))!;
    memoryTable.put({ ...wrong, uA: -1 });
    expect((await read('shipments', 1)).body.pagination.total).toBe(stored.length);
    memoryTable.put(wrong);
  });

  test('has what is not counted yet, and so have the pages', async () => {
    const later = longLists({ slug, target, newest: new Date(newest.getTime() + 45 * entryMs) });
    const added = range(0, 45).map((n) => later.indexedParcel(n)) as { pk: string; sk: string }[];
    memoryTable.put(...added);
    const { body, numbers } = await read('shipments', 3, { headers: freshReader() });
    expect(numbers).toEqual(range(15, 45));
    expect(body.pagination.total).toBe(count + 45);
    const far = await read('shipments', 1000, { headers: freshReader() });
    expect(far.numbers).toEqual(range(29_970 - 45, 30_000 - 45));
    for (const key of added) memoryTable.remove(key);
  });
});
