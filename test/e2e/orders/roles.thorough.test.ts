import { beforeAll, describe, expect, test } from 'vitest';
import { shopRoles } from '#schemas/catalogues/enumerations.ts';
import { events } from '#schemas/families/events.ts';
import { orders } from '#schemas/families/orders.ts';
import { shipments } from '#schemas/families/shipments.ts';
import { expectError } from '#test/e2e/kit/errors.ts';
import { type Merchant, newMerchant, newNumber, trackingsOf } from '#test/e2e/kit/orders.ts';
import { api, keyFor } from '#test/e2e/kit/shared-stack.ts';

const declared = { ...orders, ...shipments, ...events };
type Id = keyof typeof declared;
type Role = (typeof shopRoles)[number];

/** The rights of each role, written by hand from the contract. */
const readers: readonly Role[] = ['viewer', 'editor', 'admin'];
const writers: readonly Role[] = ['editor', 'admin'];
const rights: Record<Id, readonly Role[]> = {
  upsertOrder: writers,
  placeOrder: writers,
  searchOrders: readers,
  fulfilOrders: writers,
  upsertAttribution: writers,
  updateOrder: writers,
  getOrderTimeline: readers,
  search: readers,
  updateOrderShipment: writers,
  searchShipments: readers,
  createShipment: writers,
  deleteShipment: writers,
  detectCarrier: readers,
  createShipmentEvent: writers,
  createEventOfShipment: writers,
};

let shop: Merchant;
let stranger: string;
const keys = {} as Record<Role, string>;

beforeAll(async () => {
  shop = await newMerchant();
  for (const role of shopRoles) keys[role] = await keyFor(shop.slug, role);
  stranger = await keyFor((await newMerchant()).slug);
});

/** A request on an order of its own that succeeds with sufficient rights. */
async function requestOf(id: Id) {
  const number = newNumber('T');
  const order = await shop.order({}, trackingsOf(number));
  const shipment = order.trackings[0]!.uuid;
  const fresh = newNumber();
  const requests: Record<Id, { path: string; body?: unknown; query?: Record<string, string> }> = {
    upsertOrder: { path: '/orders', body: { id: fresh, order: {}, trackings: [] } },
    placeOrder: { path: '/orders', body: { order_number: fresh, external_id: fresh, address: {} } },
    searchOrders: { path: '/orders' },
    fulfilOrders: { path: '/orders/bulk', body: [{ id: fresh, order: {}, trackings: [] }] },
    upsertAttribution: { path: '/orders/analytics', body: { id: order.order_number } },
    updateOrder: { path: `/orders/${order.uuid}`, body: { address: {} } },
    getOrderTimeline: { path: `/orders/${order.uuid}/timeline` },
    search: { path: '/search', query: { q: number } },
    updateOrderShipment: { path: `/orders/${order.uuid}/shipments/${shipment}`, body: { products: [] } },
    searchShipments: { path: '/shipments' },
    createShipment: { path: '/shipments', body: { order_id: order.uuid, order_id_type: 'uuid' } },
    deleteShipment: { path: `/orders/${order.uuid}/shipments/${number}` },
    detectCarrier: { path: '/carrier-detection', query: { tracking_number: 'x' } },
    createShipmentEvent: { path: '/shipment-events', body: { id: number, event_name: 'IN_DELIVERY' } },
    createEventOfShipment: { path: `/shipments/${shipment}/events`, body: { event_name: 'IN_DELIVERY' } },
  };
  return { order, method: declared[id].method, ...requests[id] };
}

describe.each(Object.keys(rights) as Id[])('the operation %s', (id) => {
  test(`is allowed only to ${rights[id].join(', ')} of the shop`, async () => {
    const first = await requestOf(id);
    const { order, method, path, ...call } = first;
    const refused = shopRoles.filter((role) => !rights[id].includes(role)).map((role) => keys[role]);
    for (const key of [...refused, stranger]) {
      expectError(await shop.call(method, path, { key, ...call }), 403, 'insufficient_rights');
    }
    expectError(await api(method, `/v1/shops/${shop.slug}${path}`, call), 400, 'invalid_merchant_or_key');
    expect(await shop.orderWith(order.order_number)).toEqual(order);
    for (const role of rights[id]) {
      const fresh = method === 'GET' ? first : await requestOf(id);
      const { status, text } = await shop.call(method, fresh.path, { key: keys[role], ...fresh });
      expect(status, text).toBe(200);
    }
  });
});
