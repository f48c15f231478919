import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { positionLists } from '#domain/positions/position-lists.ts';
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

async function countedIn(list: (typeof positionLists)['orders' | 'shipmentsByUpdate']): Promise<number> {
  const key = { TableName: service.tableName, Key: rootKey(list(slug)) };
  const { Item } = await service.table.send(new GetCommand(key));
  return Item ? countOf(toRoot(list(slug), Item).node).all : 0;
}

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
  const all = [positionLists.orders, positionLists.shipmentsByUpdate];
  await vi.waitFor(async () => expect(await Promise.all(all.map(countedIn))).toEqual([count, count]), {
    timeout: 40_000,
    interval: 250,
  });
  const page = await call('GET', `/v1/shops/${slug}/orders?page=11`);
  const numbers = (page.body as { order_number: string }[]).map(({ order_number }) => Number(order_number));
  expect(numbers).toEqual(Array.from({ length: 30 }, (_, i) => count - 301 - i));
  const { body } = await call('GET', `/v1/shops/${slug}/shipments?page=11`);
  expect(body).toMatchObject({ pagination: { total: count, total_pages: 12 } });
  expect(body.shipments).toHaveLength(30);
});
