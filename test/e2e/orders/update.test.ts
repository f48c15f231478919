import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '#schemas/shapes/order-shapes.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { accepted, type Merchant, newMerchant, newNumber, numbersOf, trackingsOf } from '#test/e2e/kit/orders.ts';
import { fullAddress, fullProduct } from '#test/e2e/kit/orders-samples.ts';

let shop: Merchant;

beforeAll(async () => {
  shop = await newMerchant();
});

describe('updating an order', () => {
  const patch = (uuid: string, body: unknown) => shop.call('PATCH', `/orders/${uuid}`, { body });

  test('replaces the address as a whole and answers the order', async () => {
    const before = await shop.order({ address: fullAddress });
    const after = accepted(await patch(before.uuid, { address: { city: 'Ulm' } }));
    expect(after).toEqual({ ...before, address: { city: 'Ulm' } });
    expect(await shop.orderWith(before.order_number)).toEqual(after);
    expect(accepted(await patch(before.uuid, { address: {} })).address).toEqual({});
  });

  test('keeps absent fields, and all fields that it cannot change', async () => {
    const before = await shop.order({ address: fullAddress });
    const body = { order_number: 'x', external_id: 'x', weight: 9, state: 'fulfilled', drafts: [], trackings: [] };
    expect(accepted(await patch(before.uuid, body))).toEqual(before);
    expect(accepted(await patch(before.uuid.toUpperCase(), {}))).toEqual(before);
  });

  test('adds and removes drafts as the expected number changes', async () => {
    const [a, b] = [newNumber('T'), newNumber('T')];
    const { uuid } = await shop.order({ expected_number_of_shipments: 2 }, trackingsOf(a));
    const expecting = async (expected_number_of_shipments: number): Promise<Order> =>
      accepted(await patch(uuid, { expected_number_of_shipments }));
    const more = await expecting(4);
    expect(more).toMatchObject({ expected_number_of_shipments: 4, state: 'partially_fulfilled' });
    expect(numbersOf(more)).toEqual([a, null, null, null]);
    const fewer = await expecting(1);
    expect(fewer.state).toBe('fulfilled');
    expect(numbersOf(fewer)).toEqual([a]);
    expect(numbersOf(await expecting(0))).toEqual([a]);
    const again = await expecting(2);
    expect(numbersOf(again)).toEqual([a, null]);
    accepted(await shop.upsert({ id: uuid, id_type: 'uuid', trackings: trackingsOf(b) }));
    const full = await expecting(100);
    expect(full.trackings).toHaveLength(100);
    expect(numbersOf(full).slice(0, 2)).toEqual([a, b]);
    expect(new Set(full.trackings.map((tracking) => tracking.uuid)).size).toBe(100);
  });

  test('refuses invalid fields', async () => {
    const before = await shop.order({ address: fullAddress });
    expectInvalid(
      await patch(before.uuid, { address: null, expected_number_of_shipments: 101 }),
      ['body.address', 'type_error'],
      ['body.expected_number_of_shipments', 'value_error'],
    );
    expectInvalid(
      await patch(before.uuid, { address: { city: 5 }, expected_number_of_shipments: null }),
      ['body.address.city', 'type_error'],
      ['body.expected_number_of_shipments', 'type_error'],
    );
    expect(await shop.orderWith(before.order_number)).toEqual(before);
  });

  test('needs the uuid of an existing order', async () => {
    const { order_number } = await shop.order();
    const other = await (await newMerchant()).order();
    expectError(await patch(randomUUID(), { address: {} }), 404, 'order_not_found');
    expectError(await patch(other.uuid, { address: {} }), 404, 'order_not_found');
    expectInvalid(await patch(order_number, {}), ['path.order_id', 'value_error']);
  });
});

describe('updating a shipment of an order', () => {
  const patch = (order: string, shipment: string, body: unknown) =>
    shop.call('PATCH', `/orders/${order}/shipments/${shipment}`, { body });

  const products = [{ title: 'A' }, { title: 'B' }];

  async function fulfilled() {
    const order = await shop.order({ products }, [{ tracking_number: newNumber('T'), carrier_reference: 'gls' }]);
    return { order, shipment: order.trackings[0]! };
  }

  test('sets the tracking page, also to null, and keeps it when it is absent', async () => {
    const { order, shipment } = await fulfilled();
    const url = 'https://tracking.example.com/?n=1';
    const set = accepted(await patch(order.uuid, shipment.uuid, { tracking_url: url }));
    expect(set).toEqual({
      ...shipment,
      carrier: { ...shipment.carrier, tracking_url: url },
      updated_at: expect.any(String),
    });
    expect(set.updated_at > shipment.updated_at).toBe(true);
    expect(accepted(await patch(order.uuid, shipment.uuid, {})).carrier.tracking_url).toBe(url);
    expect(accepted(await patch(order.uuid, shipment.uuid, { tracking_url: null })).carrier.tracking_url).toBeNull();
    expect((await shop.orderWith(order.order_number)).trackings[0]!.carrier.tracking_url).toBeNull();
  });

  test('replaces the products, removes them all with an empty list and keeps them when they are absent', async () => {
    const { order, shipment } = await fulfilled();
    const change = async (body: unknown) => accepted(await patch(order.uuid, shipment.uuid, body)).products;
    expect(await change({ products: [fullProduct] })).toEqual([fullProduct]);
    expect(await change({ tracking_url: 'https://x.org' })).toEqual([fullProduct]);
    expect(await change({ products: [] })).toEqual([]);
    expect(await change({})).toEqual([]);
    const stored = await shop.orderWith(order.order_number);
    expect(stored.trackings[0]!.products).toEqual([]);
    expect(stored.products).toEqual(products);
  });

  test('leaves the products as they are if they are null', async () => {
    const { order, shipment } = await fulfilled();
    accepted(await patch(order.uuid, shipment.uuid, { products: [fullProduct] }));
    expect(accepted(await patch(order.uuid, shipment.uuid, { products: null })).products).toEqual([fullProduct]);
  });

  test('works on a draft, which stays a draft and is the next to be fulfilled', async () => {
    const order = await shop.order({ expected_number_of_shipments: 2, products });
    const [first] = order.trackings;
    const own = [{ title: 'only this' }];
    const changed = accepted(await patch(order.uuid, first!.uuid, { products: own, tracking_url: 'https://x.org' }));
    expect(changed).toMatchObject({ uuid: first!.uuid, products: own, phase: 'order_created' });
    const number = newNumber('T');
    accepted(await shop.upsert({ id: order.order_number, trackings: trackingsOf(number) }));
    const after = await shop.orderWith(order.order_number);
    expect(numbersOf(after)).toEqual([number, null]);
    expect(after.trackings.map((tracking) => tracking.products)).toEqual([own, products]);
    expect(after.state).toBe('partially_fulfilled');
  });

  test('accepts fifty products, and no more', async () => {
    const { order, shipment } = await fulfilled();
    const many = Array.from({ length: 50 }, (_, i) => ({ title: `P ${i}` }));
    expect(accepted(await patch(order.uuid, shipment.uuid, { products: many })).products).toEqual(many);
    expectInvalid(
      await patch(order.uuid, shipment.uuid, { products: [...many, {}], tracking_url: 5 }),
      ['body.products', 'value_error'],
      ['body.tracking_url', 'type_error'],
    );
    expect((await shop.orderWith(order.order_number)).trackings[0]!.products).toEqual(many);
  });

  test('needs an existing order and an existing shipment of it', async () => {
    const { order, shipment } = await fulfilled();
    const { order: another, shipment: itsShipment } = await fulfilled();
    expectError(await patch(randomUUID(), shipment.uuid, {}), 404, 'order_not_found');
    expectError(await patch(order.uuid, randomUUID(), {}), 404, 'shipment_not_found');
    expectError(await patch(order.uuid, itsShipment.uuid, {}), 404, 'shipment_not_found');
    expectError(await patch(order.uuid, another.uuid, {}), 404, 'shipment_not_found');
    expectError(await patch(order.uuid, order.uuid, {}), 404, 'shipment_not_found');
    expectInvalid(await patch('x', 'y', {}), ['path.order_id', 'value_error'], ['path.shipment_id', 'value_error']);
  });
});
