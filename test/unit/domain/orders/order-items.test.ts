import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { newOrderId } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { fulfilled, newShipment, reported } from '#domain/orders/shipment-rules.ts';
import { itemSize } from '#lib/local/dynamodb/item-size.ts';
import { indexes } from '#schemas/catalogues/table.ts';
import { orderExamples } from '#schemas/examples/orders.ts';

const now = new Date('2026-11-14T12:00:00.000Z');
const at = now.toISOString();
const example = { ...orderExamples.upsertOrder.body.order, order_number: '12345678', expected_number_of_shipments: 1 };
const order = { ...newOrder(newOrderId(now), example, now), page_token: 't'.repeat(22) };

/** What an index holds of an item. */
function entryOf(name: 'timeline' | 'activity', item: Record<string, unknown>) {
  const { partition, sort, projection } = indexes[name];
  return Object.fromEntries(
    ['pk', 'sk', partition, sort, ...projection].map((attribute) => [attribute, item[attribute]]),
  );
}

test('an event moves its shipment in the list by update, and leaves the list by creation as it is', () => {
  const number = { tracking_number: 'T', carrier_reference: 'dhl', tracking_url: null, placed_at: at };
  const parcel = fulfilled(newShipment(order, 1, 'merchant_customer', at), number, at);
  const later = '2026-11-14T13:00:00.000Z';
  const { shipment } = reported(parcel, { event: { event_name: 'SHIPMENT_EN_ROUTE', time: later } }, later);
  const [before, after] = [shipmentItem('blue', parcel, 1), shipmentItem('blue', shipment, 2)];
  expect(entryOf('timeline', after)).toEqual(entryOf('timeline', before));
  expect(entryOf('activity', after)).not.toEqual(entryOf('activity', before));
});

test('an order of two products is stored in a kilobyte, with its drafts and the keys of its lists', () => {
  const { document, ...item } = orderItem('billed-shop', order, 1);
  const image = { ...marshall(item), document: { B: Buffer.from(document).toString('base64') } };
  expect(itemSize(image as Parameters<typeof itemSize>[0])).toBeLessThanOrEqual(1024);
});
