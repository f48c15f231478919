import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chunks } from '#platform/batches.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { keyOf, listCountersOf } from '#platform/table/keys.ts';
import { countersAt } from '#platform/table/list-counters.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { countedIn, itemsOf } from '#test/kit/counted-in.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { recount } from '../../../bin/operator/recount.ts';

const slug = 'counters';
const count = 340;
const placedAt = (n: number) => new Date(Date.parse('2026-11-01T00:00:00Z') + n * 1000).toISOString();

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

const call = (method: string, path: string, body?: unknown) => {
  const { username, secret } = service.operator;
  return clientOf(service.stack.url)(method, path, {
    key: `${username}:${secret}`,
    ...(body !== undefined && { body }),
  });
};

const within = { timeout: 40_000, interval: 250 };

async function expectFarPage(): Promise<void> {
  const page = await call('GET', `/v1/shops/${slug}/orders?page=11`);
  const numbers = (page.body as { order_number: string }[]).map(({ order_number }) => Number(order_number));
  expect(numbers).toEqual(Array.from({ length: 30 }, (_, i) => count - 301 - i));
}

test('the stream counts orders and their drafts, and a far page of both begins where it says', async () => {
  await call('POST', '/v1/shops', { name: 'Counters', slug });
  const orders = Array.from({ length: count }, (_, n) => ({
    id: String(n),
    order: { order_placed_at: placedAt(n) },
    trackings: [],
  }));
  for (const part of chunks(orders, 85)) {
    expect((await call('PUT', `/v1/shops/${slug}/orders/bulk`, part)).status).toBe(200);
  }
  const all = [countedLists.orders(slug), countedLists.drafts(slug)];
  await vi.waitFor(
    async () => expect(await Promise.all(all.map((list) => countedIn(service, list)))).toEqual([count, count]),
    within,
  );
  await expectFarPage();
  const { body } = await call('GET', `/v1/shops/${slug}/shipments?page=11`);
  expect(body).toMatchObject({ pagination: { total: count, total_pages: 12 } });
  expect(body.shipments).toHaveLength(30);
});

test('counters that are lost or wrong are counted anew, and nothing that the stream adds meanwhile is lost', async () => {
  const orders = countedLists.orders(slug);
  const [lost, complete] = [listCountersOf(slug), keyOf.countedLists(slug)];
  const before = await itemsOf(service, lost);
  const formerNode = {
    ...keyOf.listCounters(listCountersOf(slug, 'orders'), 'day', ''),
    sk: 'root',
    version: 3,
    level: 0,
  };
  await service.table.send(new PutCommand({ TableName: service.tableName, Item: formerNode }));
  for (const Key of before) {
    await service.table.send(new DeleteCommand({ TableName: service.tableName, Key: { pk: Key.pk, sk: Key.sk } }));
  }
  const late = '2026-11-01T00:00:30.000Z';
  const [{ key: item, name }] = countersAt(orders, late) as [ReturnType<typeof countersAt>[number]];
  const catchUp = async () => {
    const order = { id: 'late', order: { order_placed_at: late }, trackings: [] };
    expect((await call('PUT', `/v1/shops/${slug}/orders/bulk`, [order])).status).toBe(200);
    await vi.waitFor(async () => expect(await countedIn(service, orders)).toBe(1), within);
  };
  const access = { table: service.table, tableName: service.tableName };
  const first = await recount({ ...access, catchUp }, slug, { now: new Date() });
  // The half-hour that the order came to is left for the next time.
  expect(first).toMatchObject({ moving: expect.arrayContaining([`${item.pk} ${item.sk} ${name}`]), removed: 1 });
  const read = (Key: object) => service.table.send(new GetCommand({ TableName: service.tableName, Key: Key as never }));
  expect((await read(complete)).Item).toBeUndefined();
  const second = await recount({ ...access, catchUp: async () => {} }, slug, { now: new Date() });
  expect(second).toMatchObject({ moving: [], removed: 0 });
  expect(await countedIn(service, orders)).toBe(count + 1);
  expect((await read(complete)).Item).toBeDefined();
  expect(await recount({ ...access, catchUp: async () => {} }, slug, { now: new Date() })).toMatchObject({
    wrong: 0,
    corrected: 0,
    moving: [],
    removed: 0,
  });
});

test('the stream counts the records of a shop and the shops, and forgets what is deleted', async () => {
  const shop = 'records';
  await call('POST', '/v1/shops', { name: 'Records', slug: shop });
  const path = `/v1/shops/${shop}/announcements`;
  const texts = Array.from({ length: 80 }, (_, n) => `announcement ${n}`);
  for (const text of texts) expect((await call('POST', path, { text, language: 'en' })).status).toBe(200);
  const { body: newest } = await call('GET', `${path}?per_page=100`);
  const listed = newest as { uuid: string; text: string }[];
  expect((await call('DELETE', `${path}/${listed[5]!.uuid}`)).status).toBe(200);
  await vi.waitFor(async () => {
    expect(await countedIn(service, countedLists.records(shop, 'announcements'))).toBe(texts.length - 1);
    expect(await countedIn(service, countedLists.shops())).toBeGreaterThanOrEqual(2);
  }, within);
  const { body } = await call('GET', `${path}?per_page=10&page=7`);
  expect(body).toEqual(listed.toSpliced(5, 1).slice(60, 70));
});
