import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as claims } from '#api/claims/handler.ts';
import { handler as discounts } from '#api/discounts/handler.ts';
import { handler as events } from '#api/events/handler.ts';
import { handler as orders } from '#api/orders/handler.ts';
import { handler as shipments } from '#api/shipments/handler.ts';
import { handler as shops } from '#api/shops/handler.ts';
import { handler as webhooks } from '#api/webhooks/handler.ts';
import { claimItem, claimReferenceItem, type StoredClaim, toClaim } from '#domain/claims/claim-store.ts';
import {
  orderItem,
  type StoredItem,
  shipmentItem,
  toOrder,
  toShipment,
  trackingItem,
} from '#domain/orders/order-items.ts';
import { keyOf } from '#platform/table/keys.ts';
import { claimId, claimOf, parcel } from '#test/kit/claims.ts';
import { endpointUuid, storedEndpoint } from '#test/kit/endpoints.ts';
import { invoke } from '#test/kit/invoke.ts';
import { type Item, memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextOrderWrite, outgoingOf } from '#test/kit/order-writes.ts';
import { asOperator, operator, shopItem, tableWith } from '#test/kit/table.ts';

const { order, shipment } = parcel;
const discountId = '01930000-0000-7000-8000-00000000000d';
const noon = Date.parse('2026-11-16T12:00:00.000Z');

const keys = {
  order: keyOf.order('blue', order.uuid),
  shipment: keyOf.shipment('blue', order.uuid, shipment.uuid),
  claim: keyOf.claim('blue', order.uuid, claimId),
  discount: keyOf.record('discounts', 'blue', discountId),
  endpoint: keyOf.webhook('blue', endpointUuid),
  shop: keyOf.shop('blue'),
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: noon });
  const discount = { uuid: discountId, shop_slug: 'blue', type: 'order', code: 'TEN', value: null, version: 1 };
  tableWith(
    operator.item,
    shopItem('blue'),
    ...[orderItem('blue', order, 1), shipmentItem('blue', shipment, 1), trackingItem('blue', 'T-1', shipment)],
    ...[claimReferenceItem('blue', claimOf()), claimItem('blue', claimOf(), 1)],
    { ...keys.discount, ...discount, created_at: order.created_at, updated_at: order.created_at },
    storedEndpoint(),
  );
});
afterEach(() => vi.useRealTimers());

type Handler = Parameters<typeof invoke>[0];

async function send(handler: Handler, method: string, path: string, body: object): Promise<void> {
  const ids = { order_id: order.uuid, shipment_id: shipment.uuid };
  const uuid = path.startsWith('/claims') ? claimId : path.startsWith('/discounts') ? discountId : endpointUuid;
  const resource = `/v1/shops/{slug}${path}`;
  const call = {
    method,
    resource,
    params: { slug: 'blue', uuid, ...ids },
    query: { notify: 'true' },
    headers: asOperator,
    body,
  };
  const { status, body: answer } = await invoke(handler, call);
  expect(answer?.message ?? '', path).toBe('');
  expect(status).toBe(200);
}

function updatedAt(of: keyof typeof keys): string {
  const item = memoryTable.read(keys[of]) as Item & { updated_at: string };
  if (of === 'order') return toOrder(item as unknown as StoredItem).updated_at;
  if (of === 'shipment') return toShipment(item as unknown as StoredItem).updated_at;
  return of === 'claim' ? toClaim(item as unknown as StoredClaim).updated_at : item.updated_at;
}

const upsert = { id: order.uuid, id_type: 'uuid', trackings: [] };
let minutes = 0;
const event = () => ({
  event_name: 'SHIPMENT_EN_ROUTE',
  event_time: new Date(noon - ++minutes * 60_000).toISOString(),
});

describe('updated_at rises with every change, although the clock of who makes it is behind', () => {
  const cases: [string, keyof typeof keys, () => Promise<void>][] = [
    ['an event', 'shipment', () => send(events, 'POST', '/shipments/{shipment_id}/events', event())],
    ['a change of a parcel', 'shipment', () => send(orders, 'PATCH', '/orders/{order_id}/shipments/{shipment_id}', {})],
    ['a change of an order', 'order', () => send(orders, 'PATCH', '/orders/{order_id}', { order_name: 'other' })],
    ['an upsert', 'order', () => send(orders, 'PUT', '/orders', { ...upsert, order: { order_name: 'other' } })],
    ['an attribution', 'order', () => send(orders, 'PUT', '/orders/analytics', { ...upsert, source: 'mail' })],
    [
      'a new parcel',
      'order',
      () => send(shipments, 'POST', '/shipments', { order_id: order.uuid, order_id_type: 'uuid' }),
    ],
    ['a comment on a claim', 'claim', () => send(claims, 'PUT', '/claims/{uuid}', { comment: 'seen' })],
    ['a discount', 'discount', () => send(discounts, 'PATCH', '/discounts/{uuid}', { title: 'Ten' })],
    ['an endpoint', 'endpoint', () => send(webhooks, 'PATCH', '/webhooks/{uuid}', { description: 'mine' })],
    ['a shop', 'shop', () => send(shops, 'PATCH', '', { name: 'Blue' })],
  ];
  test.each(cases)('%s', async (_, of, change) => {
    await change();
    const first = updatedAt(of);
    expect(first >= new Date(noon).toISOString()).toBe(true);
    vi.setSystemTime(noon - 5000);
    await change();
    expect(updatedAt(of) > first).toBe(true);
  });
});

test('the outgoing event of a late change has the time of the change', async () => {
  await send(events, 'POST', '/shipments/{shipment_id}/events', event());
  vi.setSystemTime(noon - 5000);
  await send(events, 'POST', '/shipments/{shipment_id}/events', event());
  const [first, second] = outgoingOf('blue', order.uuid).map(({ triggered_at }) => triggered_at);
  expect(second! > first!).toBe(true);
  expect(second).toBe(updatedAt('shipment'));
});

describe('a change that somebody else was faster than', () => {
  const collide = (of: 'order' | 'shipment') =>
    beforeNextOrderWrite(() => {
      vi.setSystemTime(noon + 5000);
      const item = memoryTable.read(keys[of]) as Item & { version: number };
      memoryTable.put({ ...item, version: item.version + 1 });
    });

  test('has the time at which it was written, if it is an event', async () => {
    collide('shipment');
    await send(events, 'POST', '/shipments/{shipment_id}/events', event());
    expect(updatedAt('shipment')).toBe('2026-11-16T12:00:05.000Z');
  });

  test.each([
    ['an upsert', () => send(orders, 'PUT', '/orders', { ...upsert, order: { order_name: 'other' } })],
    ['a change of an order', () => send(orders, 'PATCH', '/orders/{order_id}', { order_name: 'other' })],
  ])('has the time at which it was written, if it is %s', async (_, change) => {
    collide('order');
    await change();
    expect(updatedAt('order')).toBe('2026-11-16T12:00:05.000Z');
  });
});
