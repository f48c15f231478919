import { BatchGetCommand, type BatchGetCommandInput, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { handler } from '#api/shipments/handler.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { draftsItem, orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { fulfil, newOrder } from '#domain/orders/order-rules.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, beforeRequest, dynamo, operator, shopItem, tableWith } from '#test/kit/table.ts';

const now = new Date();

const search = (query: Record<string, string>) =>
  invoke(handler, {
    method: 'GET',
    resource: '/v1/shops/{slug}/shipments',
    params: { slug: 'blue' },
    headers: asOperator,
    query,
  });

function orderWithParcels(count: number) {
  const order = newOrder(newOrderId(now), { order_number: '1', expected_number_of_shipments: count }, now);
  const trackings = Array.from({ length: count }, (_, i) => ({
    tracking_number: `T-${i}`,
    carrier_reference: null,
    tracking_url: null,
    placed_at: now.toISOString(),
    products: null,
  }));
  return fulfil({ order, shipments: [] }, order, trackings, now.toISOString());
}

test('a page reads its own shipments and not the others of their orders', async () => {
  const { order, shipments } = orderWithParcels(60);
  const items = [orderItem('blue', order, 1), ...shipments.map((shipment) => shipmentItem('blue', shipment, 1))];
  tableWith(operator.item, shopItem('blue'), ...items);
  const { body } = await search({ per_page: '2' });
  expect(body).toMatchObject({ shipments: [{}, {}], pagination: { total: 60 } });
  const read = dynamo.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems!.table!.Keys!.length);
  expect(read).toEqual([2, 3]);
});

test.each<[string, Record<string, string>]>([
  ['updated_from', { sort: '-created_at' }],
  ['created_from', { created_from: new Date(now.getTime() - 1000).toISOString() }],
])('a range with more shipments than a request can count is refused with a %s that it can', async (field, query) => {
  tableWith(operator.item, shopItem('blue'));
  let reads = 0;
  const time = (read: number) => new Date(now.getTime() - read).toISOString();
  dynamo.on(QueryCommand).callsFake(() => {
    const shipment = orderWithParcels(1).shipments[0]!;
    const at = time(++reads);
    const { document: _document, ...entry } = shipmentItem('blue', { ...shipment, created_at: at, updated_at: at }, 1);
    return { Items: [entry], LastEvaluatedKey: entry };
  });
  const { status, body } = await search(query);
  expect(status).toBe(422);
  expect(body.errors).toMatchObject([{ loc: ['query', field], type: 'value_error' }]);
  expect(body.errors[0].msg).toContain(`${time(searchLimits.reads - 1)} or later`);
  expect(reads).toBe(searchLimits.reads + 1);
});

test('a draft that became a shipment after the index was read is shown as the shipment', async () => {
  const placed = newOrder(newOrderId(now), { order_number: '1' }, now);
  tableWith(operator.item, shopItem('blue'), orderItem('blue', placed, 1), draftsItem('blue', placed)!);
  const tracking = { tracking_number: 'T', carrier_reference: null, tracking_url: null, placed_at: now.toISOString() };
  const trackings = [{ ...tracking, products: null }];
  const { order, shipments } = fulfil({ order: placed, shipments: [] }, placed, trackings, now.toISOString());
  const isPage = ({ RequestItems }: BatchGetCommandInput) =>
    RequestItems!.table!.Keys!.some(({ pk }) => String(pk).startsWith('ORDER#'));
  beforeRequest(BatchGetCommand, (input) => {
    if (isPage(input)) memoryTable.put(orderItem('blue', order, 2), shipmentItem('blue', shipments[0]!, 1));
  });
  expect((await search({})).body.shipments).toMatchObject([{ tracking_number: 'T' }]);
});
