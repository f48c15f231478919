import { beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '#schemas/shapes/order-shapes.ts';
import { expectNoFailure, inParts, type Merchant, newMerchant, trackingsOf } from '#test/e2e/kit/orders.ts';
import { oddBodies } from '#test/e2e/kit/orders-odd-bodies.ts';
import { fullOrder, fullProduct } from '#test/e2e/kit/orders-samples.ts';

let shop: Merchant;
let order: Order;

beforeAll(async () => {
  shop = await newMerchant();
  order = await shop.order({ ...fullOrder, order_number: 'known', external_id: 'known-e' }, trackingsOf('T-1'));
});

const json = { 'content-type': 'application/json' };
const text = (body: unknown) => JSON.stringify(body);

/** A good request of each operation that takes a body. */
const requests: Record<string, () => [method: string, path: string, body: unknown]> = {
  upsertOrder: () => [
    'PUT',
    '/orders',
    { id: 'known', id_type: 'order_number', order: fullOrder, trackings: [tracking] },
  ],
  placeOrder: () => ['POST', '/orders', { ...fullOrder, order_number: 'placed', external_id: 'placed-e' }],
  fulfilOrders: () => ['PUT', '/orders/bulk', [{ id: 'known', order: fullOrder, trackings: [tracking] }]],
  upsertAttribution: () => [
    'PUT',
    '/orders/analytics',
    { id: 'known', id_type: 'order_number', ...fullOrder.order_analytics },
  ],
  updateOrder: () => [
    'PATCH',
    `/orders/${order.uuid}`,
    { address: fullOrder.address, expected_number_of_shipments: 3 },
  ],
  updateOrderShipment: () => [
    'PATCH',
    `/orders/${order.uuid}/shipments/${order.trackings[0]!.uuid}`,
    { tracking_url: 'https://x.org', products: [fullProduct] },
  ],
  createShipment: () => [
    'POST',
    '/shipments',
    {
      order_id: 'known',
      order_id_type: 'order_number',
      tracking_number: 'T-9',
      carrier_reference: 'gls',
      direction: 'customer_merchant',
      external_shipment_id: 's',
      products: [{ product_id: 'p', variant_id: 'v', quantity: 1 }],
    },
  ],
  createShipmentEvent: () => ['POST', '/shipment-events', { id: 'T-1', id_type: 'tracking_number', ...event }],
  createEventOfShipment: () => ['POST', `/shipments/${order.trackings[0]!.uuid}/events`, event],
};

const tracking = {
  tracking_number: 'T-1',
  tracking_placed_at: '2026-01-01T00:00:00Z',
  tracking_company: 'DHL',
  carrier_reference: 'dhl',
  products: [fullProduct],
};
const event = { event_name: 'IN_DELIVERY', event_time: '2030-01-01T00:00:00Z', external_id: 'x' };

const everything = async () => [await shop.orders({ per_page: 100 }), await shop.shipments({ per_page: 100 })];

describe.each(Object.keys(requests))('odd bodies of %s', (name) => {
  test('are accepted or refused in the form of the contract, and refused ones change nothing', async () => {
    const [method, path, good] = requests[name]!();
    const send = (body: string) => shop.call(method, path, { body, headers: json });
    const bodies = oddBodies(good, 40).map(text);
    const answers = await inParts(bodies, 4, send);
    for (const [i, answer] of answers.entries()) expectNoFailure(answer, bodies[i]!.slice(0, 300));
    const refused = bodies.filter((_, i) => answers[i]!.status >= 400);
    expect(refused.length).toBeGreaterThan(10);
    // Accepted bodies have changed something, so the refused ones are sent again between two reads.
    const before = await everything();
    await inParts(refused, 4, send);
    expect(await everything()).toEqual(before);
  });
});
