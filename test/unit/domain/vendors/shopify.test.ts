import { beforeEach, describe, expect, test } from 'vitest';
import { fulfillmentStatusOf } from '#domain/vendors/shopify/fulfillment-status.ts';
import { refOf, shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';
import { sampleDelivery } from '#test/kit/vendors/sample-events.ts';
import { FakeShopify, shopifyThrottled, shopifyToken } from '#test/kit/vendors/shopify.ts';
import { talkTo, usualAnswers } from './talk.ts';

let vendor: FakeShopify;
beforeEach(() => {
  vendor = new FakeShopify();
  vendor.orders.set('gid://shopify/Order/4711', [
    { id: 'gid://shopify/Fulfillment/1', numbers: ['OTHER'], events: [] },
    { id: 'gid://shopify/Fulfillment/2', numbers: ['TEST0000000001'], events: [] },
  ]);
});

const talk = () => talkTo({ vendor, name: 'shopify', credential: { api_key: shopifyToken } });
const events = () => vendor.orders.get('gid://shopify/Order/4711')!.map((one) => one.events);

test('an event is added to the fulfilment that has the tracking number', async () => {
  const { send } = await talk();
  const [result] = await send(sampleDelivery('d'));
  expect(result).toMatchObject({ status: 200 });
  expect(result).not.toHaveProperty('error');
  expect(events()).toEqual([[], [{ status: 'IN_TRANSIT', happenedAt: '2026-11-14T12:00:00Z' }]]);
});

test('an event whose answer was lost is not added a second time', async () => {
  const { send } = await talk();
  await send(sampleDelivery('d'));
  expect(await send(sampleDelivery('d'))).toMatchObject([{ status: 200 }]);
  expect(events().flat()).toHaveLength(1);
  expect(vendor.requests).toHaveLength(3);
});

test('an order id in the form of GraphQL is taken as it is', async () => {
  const { send } = await talk();
  await send(sampleDelivery('d', { event: { external_order_id: 'gid://shopify/Order/4711' } }));
  expect(events().flat()).toHaveLength(1);
});

test('an order that the shop does not have is final; a fulfilment may still come', async () => {
  const { send } = await talk();
  expect(await send(sampleDelivery('d', { event: { external_order_id: '1' } }))).toMatchObject([
    { error: 'order_not_found', isFinal: true },
  ]);
  expect(await send(sampleDelivery('d', { event: { tracking_number: 'LATER' } }))).toMatchObject([
    { error: 'fulfillment_not_found', isTargetUp: true },
  ]);
});

test.each([
  ['of a claim', { source: 'claims', ref: 'claims/created' }, 'no_fulfilment_status'],
  ['before the parcel exists', { ref: 'shipments/order_created/ORDER_CREATED' }, 'no_fulfilment_status'],
  ['of a return', { is_return: true }, 'return_shipment'],
  ['of an order of another system', { event: { external_order_id: 'A-1' } }, 'no_order_of_the_shop_system'],
  ['of an order without an id', { event: { external_order_id: undefined } }, 'no_order_of_the_shop_system'],
  ['of a parcel without a number', { event: { tracking_number: null } }, 'no_tracking_number'],
])('an event %s is not for the shop system', async (_, sample, reason) => {
  expect((await talk()).skipReason(sampleDelivery('d', sample))).toBe(reason);
});

describe('an answer of GraphQL', () => {
  const lookup = { status: 200, body: { data: { order: { fulfillments: [fulfillment()] } } } };

  function fulfillment() {
    return { id: 'gid://shopify/Fulfillment/2', trackingInfo: [{ number: 'TEST0000000001' }], events: { nodes: [] } };
  }

  test.each([
    [
      'errors of the user are final',
      { data: { fulfillmentEventCreate: { userErrors: [{ message: 'no' }] } } },
      { error: 'user_errors', isFinal: true },
    ],
    ['a wrong query is final', { errors: [{ message: 'parse error' }] }, { error: 'graphql_error', isFinal: true }],
    [
      'missing rights may be given',
      { errors: [{ message: 'x', extensions: { code: 'ACCESS_DENIED' } }] },
      { error: 'access_denied', isTargetUp: false },
    ],
    [
      'trouble passes',
      { errors: [{ message: 'x', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
      { error: 'internal_server_error', isTargetUp: false },
    ],
    ['something else is worth another attempt', '<html>', { error: 'malformed_answer', isTargetUp: false }],
  ])('reads right: %s', async (_, body, result) => {
    const { send } = await talk();
    vendor.meet(lookup, { status: 200, body });
    expect(await send(sampleDelivery('d'))).toMatchObject([{ status: 200, ...result }]);
  });

  test('an empty bucket is waited for until it has the points that the query costs', async () => {
    const { send } = await talk();
    vendor.meet(shopifyThrottled);
    expect(await send(sampleDelivery('d'))).toMatchObject([{ status: 200, isThrottled: true, retryAfter: '3' }]);
  });
});

describe('an answer', () => {
  test.each(usualAnswers.filter(([, trouble]) => trouble === 'hangs' || trouble.status !== 409))(
    'reads right: %s',
    async (_, trouble, result) => {
      const { send } = await talk();
      vendor.meet(trouble);
      expect(await send(sampleDelivery('d'))).toEqual([result]);
    },
  );
});

test('every event has the status that a customer would read, or none', () => {
  const counts: Record<string, number> = {};
  for (const name of shipmentEventNames) {
    const status = fulfillmentStatusOf(name, refOf(name, 'merchant_customer')) ?? 'none';
    counts[status] = (counts[status] ?? 0) + 1;
  }
  expect(counts).toMatchInlineSnapshot(`
    {
      "ATTEMPTED_DELIVERY": 9,
      "CARRIER_PICKED_UP": 2,
      "CONFIRMED": 8,
      "DELAYED": 17,
      "DELIVERED": 12,
      "FAILURE": 38,
      "IN_TRANSIT": 53,
      "OUT_FOR_DELIVERY": 3,
      "READY_FOR_PICKUP": 6,
      "none": 11,
    }
  `);
  const status = (name: (typeof shipmentEventNames)[number]) =>
    fulfillmentStatusOf(name, refOf(name, 'merchant_customer'));
  expect(status('PICKUP_SUCCESSFUL')).toBe('CARRIER_PICKED_UP');
  expect(status('HELD_AT_CUSTOMS')).toBe('DELAYED');
  expect(status('DELIVERY_ATTEMPTED')).toBe('ATTEMPTED_DELIVERY');
  expect(status('SHIPMENT_LOST')).toBe('FAILURE');
  expect(status('ARRIVED_AT_PARCEL_LOCKER')).toBe('READY_FOR_PICKUP');
  expect(status('ORDER_CANCELLED')).toBeUndefined();
});
