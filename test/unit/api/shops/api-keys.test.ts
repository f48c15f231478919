import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler as claims } from '#api/claims/handler.ts';
import { handler } from '#api/shops/handler.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { orderItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, dynamo, operator, shopItem, tableWith } from '#test/kit/table.ts';

const call = (method: string, path: string, { params = {}, headers = asOperator, body = undefined as unknown } = {}) =>
  invoke(handler, {
    method,
    resource: `/v1/shops/{slug}${path}`,
    params: { slug: 'blue', ...params },
    headers,
    ...(body !== undefined && { body }),
  });

const make = async (body: object) => (await call('POST', '/api-keys', { body })).body;
const list = async () => (await call('GET', '/api-keys')).body.tokens;
const uses = () => memoryTable.all('KEYUSES#');
const today = () => new Date().toISOString().slice(0, 10);

beforeEach(() => tableWith(operator.item, shopItem('blue')));
afterEach(() => vi.useRealTimers());

test('a key has the name that it was made with, or none', async () => {
  expect(await make({ name: 'Mara in support', role: 'viewer' })).toMatchObject({ name: 'Mara in support' });
  await make({ name: null });
  await make({});
  expect((await list()).map(({ name }: { name: string | null }) => name)).toEqual(['Mara in support', null, null]);
  for (const name of ['', 'x'.repeat(101), 5]) {
    expect((await call('POST', '/api-keys', { body: { name } })).status).toBe(422);
  }
});

test('the list says on which day a key was last used, and the day is written once', async () => {
  const { secret } = await make({ role: 'admin' });
  expect(await list()).toMatchObject([{ last_used_at: null, created_at: expect.any(String) }]);
  dynamo.resetHistory();
  for (let i = 0; i < 3; i++) await call('GET', '', { headers: basic('blue', secret) });
  await vi.waitFor(async () => expect(await list()).toMatchObject([{ last_used_at: today() }]));
  expect(dynamo.commandCalls(PutCommand)).toHaveLength(1);
});

test('a request works although its day could not be written', async () => {
  const { secret } = await make({ role: 'admin' });
  dynamo.on(PutCommand).rejects(new Error('throttled'));
  expect((await call('GET', '', { headers: basic('blue', secret) })).status).toBe(200);
});

test('a deleted key leaves nothing behind', async () => {
  const { id, secret } = await make({ role: 'admin' });
  await call('GET', '', { headers: basic('blue', secret) });
  await vi.waitFor(() => expect(uses()).toHaveLength(1));
  await call('DELETE', '/api-keys/{token_id}', { params: { token_id: id } });
  expect([...uses(), ...(await list())]).toEqual([]);
});

test('the history of a claim names the key of a change, and an entry of before has no name', async () => {
  const now = new Date();
  const order = newOrder(newOrderId(now), { order_number: '1', expected_number_of_shipments: 1 }, now);
  memoryTable.put(orderItem('blue', order, 1));
  const { secret } = await make({ name: 'Mara in support', role: 'editor' });
  const claimsCall = (method: string, path: string, more: object, headers = basic('blue', secret)) =>
    invoke(claims, { method, resource: `/v1/shops/{slug}/claims${path}`, headers, ...more } as never);
  const { body: claim } = await claimsCall('POST', '', {
    params: { slug: 'blue' },
    body: { shipment_id: order.uuid.replace(/000$/, '001'), reason: 'damage' },
  });
  const params = { slug: 'blue', uuid: claim.uuid };
  await claimsCall('PUT', '/{uuid}', { params, body: { status: 'accepted' } }, asOperator);
  const names = async () =>
    (await claimsCall('GET', '/{uuid}/history', { params })).body.map((entry: { by_name: string }) => entry.by_name);
  expect(await names()).toEqual(['operator', 'Mara in support']);
  const [first] = memoryTable.all('CLAIMS#').filter(({ sk }) => sk.startsWith('HISTORY#'));
  const { by_name: _, ...old } = first!;
  memoryTable.put(old);
  expect(await names()).toEqual(['operator', null]);
});
