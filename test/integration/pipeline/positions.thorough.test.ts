import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type PositionList, positionLists } from '#domain/positions/position-lists.ts';
import { countOf } from '#domain/positions/position-node.ts';
import { rootKey, toRoot } from '#domain/positions/position-store.ts';
import { chunks } from '#platform/batches.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { type RunningService, startService } from '#test/kit/service.ts';

const slug = 'positions';
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

async function countedIn(list: PositionList): Promise<number> {
  const { Item } = await service.table.send(new GetCommand({ TableName: service.tableName, Key: rootKey(list) }));
  return Item ? countOf(toRoot(list, Item).node).all : 0;
}

const within = { timeout: 40_000, interval: 250 };

test('the stream counts orders and their drafts, and a far page of both begins where it says', async () => {
  await call('POST', '/v1/shops', { name: 'Positions', slug });
  const orders = Array.from({ length: count }, (_, n) => ({
    id: String(n),
    order: { order_placed_at: placedAt(n) },
    trackings: [],
  }));
  for (const part of chunks(orders, 85)) {
    expect((await call('PUT', `/v1/shops/${slug}/orders/bulk`, part)).status).toBe(200);
  }
  const all = [positionLists.orders(slug), positionLists.shipmentsByUpdate(slug)];
  await vi.waitFor(async () => expect(await Promise.all(all.map(countedIn))).toEqual([count, count]), within);
  const page = await call('GET', `/v1/shops/${slug}/orders?page=11`);
  const numbers = (page.body as { order_number: string }[]).map(({ order_number }) => Number(order_number));
  expect(numbers).toEqual(Array.from({ length: 30 }, (_, i) => count - 301 - i));
  const { body } = await call('GET', `/v1/shops/${slug}/shipments?page=11`);
  expect(body).toMatchObject({ pagination: { total: count, total_pages: 12 } });
  expect(body.shipments).toHaveLength(30);
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
    expect(await countedIn(positionLists.records(shop, 'announcements'))).toBe(texts.length - 1);
    expect(await countedIn(positionLists.shops())).toBeGreaterThanOrEqual(2);
  }, within);
  const { body } = await call('GET', `${path}?per_page=10&page=7`);
  expect(body).toEqual(listed.toSpliced(5, 1).slice(60, 70));
});
