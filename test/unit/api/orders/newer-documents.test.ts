import { expect, test } from 'vitest';
import { handler } from '#api/orders/handler.ts';
import { invoke } from '#test/kit/invoke.ts';
import { itemsOf, orderWithEvent } from '#test/kit/outbox-records.ts';
import { asOperator, operator, shopItem, tableWith } from '#test/kit/table.ts';

/** With a dictionary that this version does not have. */
const packedAnew = Buffer.from([0x78, 0xf9, 1, 2, 3, 4, 5, 6]);

const orders = ['A', 'B'].map((number) => orderWithEvent('blue', number));

test.each<[string, Record<string, string>]>([
  ['alone', { uuid: orders[1]!.order.uuid }],
  ['in a list with others', {}],
])('an order that a newer version packed is no wrong answer: it is a 5xx, %s', async (_, query) => {
  const [known, [order, ...shipments]] = orders.map(itemsOf) as [object[], object[]];
  tableWith(operator.item, shopItem('blue'), ...known, { ...order, document: packedAnew }, ...shipments);
  const call = { method: 'GET', resource: '/v1/shops/{slug}/orders', params: { slug: 'blue' }, headers: asOperator };
  const { status, body } = await invoke(handler, { ...call, query });
  expect(status, JSON.stringify(body)).toBe(500);
});
