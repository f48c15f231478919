import { createHash } from 'node:crypto';
import { BatchGetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#api/orders/handler.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { fulfil, newOrder } from '#domain/orders/order-rules.ts';
import { keyOf } from '#platform/table/keys.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, beforeRequest, dynamo, operator, shopItem, tableWith } from '#test/kit/table.ts';

const now = new Date('2026-11-14T12:00:00Z');
const placed = newOrder(newOrderId(now), { order_number: '1', order_name: 'N' }, now);
const reference = (number: string, orderId: string) => ({ ...keyOf.orderNumber('blue', number), order_id: orderId });
const put = (path: string, body: unknown) =>
  invoke(handler, {
    method: 'PUT',
    resource: `/v1/shops/{slug}${path}`,
    params: { slug: 'blue' },
    headers: asOperator,
    body,
  });
const written = () => dynamo.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.TransactItems!);

beforeEach(() => {
  tableWith(operator.item, shopItem('blue'), reference('1', placed.uuid));
});

afterEach(() => {
  vi.useRealTimers();
});

test('an order seen in the middle of a transaction is read again', async () => {
  const tracking = { tracking_number: 'a', carrier_reference: null, tracking_url: null, placed_at: now.toISOString() };
  const { order, shipments } = fulfil(
    { order: placed, shipments: [] },
    placed,
    [{ ...tracking, products: null }],
    now.toISOString(),
  );
  const head = orderItem('blue', order, 2);
  memoryTable.put(head);
  const queries = () => dynamo.commandCalls(QueryCommand).length;
  beforeRequest(QueryCommand, () => {
    if (queries() === 2) memoryTable.put(shipmentItem('blue', shipments[0]!, 1));
  });
  const body = { id: '1', order: { expected_number_of_shipments: 2 }, trackings: [] };
  expect((await put('/orders', body)).status).toBe(200);
  expect(dynamo.commandCalls(QueryCommand)).toHaveLength(2);
});

test('an order is found by the next read when the first read sees its external id but not yet its number', async () => {
  const external = { ...keyOf.externalOrderId('blue', placed.external_id), order_id: placed.uuid };
  tableWith(operator.item, shopItem('blue'), external, orderItem('blue', placed, 1));
  let reads = 0;
  beforeRequest(BatchGetCommand, ({ RequestItems }) => {
    const isOfOrder = RequestItems!.table!.Keys!.some(({ pk }) => pk === external.pk);
    if (isOfOrder && ++reads === 2) memoryTable.put(reference('1', placed.uuid));
  });
  expect((await put('/orders', { id: '1', order: { email_id: 'a@example.com' }, trackings: [] })).status).toBe(200);
  expect(reads).toBe(2);
});

test('a second order with the same name is a new order with its own number', async () => {
  const body = { id: 'N', id_type: 'order_name', order: { order_number: '2' }, trackings: [] };
  expect((await put('/orders', body)).status).toBe(200);
  expect(dynamo.commandCalls(QueryCommand)).toHaveLength(0);
  expect(JSON.stringify(written())).toContain('NUMBER#2');
});

test('a tracking that is too large to store fails the whole request, also beyond the first transaction', async () => {
  const noise = (i: number) => createHash('sha256').update(String(i)).digest('base64');
  const large = Array.from({ length: 900 }, (_, i) => ({
    title: Array.from({ length: 20 }, (_, j) => noise(i * 20 + j))
      .join('')
      .slice(0, 800),
  }));
  const trackings = Array.from({ length: 47 }, (_, i) => ({
    tracking_number: `t${i}`,
    ...(i === 46 && { products: large }),
  }));
  const { status, body } = await put('/orders', { id: '9', order: {}, trackings });
  expect([status, body.key]).toEqual([413, 'payload_too_large']);
  expect(written()).toEqual([]);
});

test('a bulk call answers with an internal error only after every other item is done', async () => {
  beforeRequest(TransactWriteCommand, ({ TransactItems }) => {
    if (JSON.stringify(TransactItems).includes('NUMBER#b3')) throw new Error('the table is on fire');
  });
  const items = Array.from({ length: 30 }, (_, i) => ({ id: `b${i}`, order: {}, trackings: [] }));
  expect((await put('/orders/bulk', items)).status).toBe(500);
  expect(written()).toHaveLength(30);
});

test('the items of a bulk call that takes long have the times at which they are written', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  const times: { written: number; told: number }[] = [];
  beforeRequest(TransactWriteCommand, ({ TransactItems }) => {
    const [, told] = /"activity_sk":"([^#"]+)/.exec(JSON.stringify(TransactItems)) ?? [];
    times.push({ written: Date.now(), told: Date.parse(told ?? '') });
    vi.setSystemTime(Date.now() + 300);
  });
  const items = Array.from({ length: 30 }, (_, i) => ({
    id: `b${i}`,
    order: {},
    trackings: [{ tracking_number: `T${i}` }],
  }));
  expect((await put('/orders/bulk', items)).status).toBe(200);
  expect(times).toHaveLength(30);
  // Who follows the list by `updated_at` looks two seconds back. Eight orders are written at a time.
  expect(Math.max(...times.map(({ written, told }) => written - told))).toBeLessThan(8 * 300 + 1000);
});
