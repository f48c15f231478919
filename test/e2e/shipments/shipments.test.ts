import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ShipmentRecord } from '#schemas/shapes/order-shapes.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import {
  accepted,
  expectDone,
  type Fields,
  type Merchant,
  newMerchant,
  newNumber,
  numbersOf,
  trackingsOf,
} from '#test/e2e/kit/orders.ts';

let shop: Merchant;

beforeAll(async () => {
  shop = await newMerchant();
});

const post = (body: Fields) => shop.call('POST', '/shipments', { body });
const create = async (order_id: string, body: Fields = {}): Promise<ShipmentRecord> =>
  accepted(await post({ order_id, order_id_type: 'order_number', ...body }));
const remove = (order: string, number: string) =>
  shop.call('DELETE', `/orders/${encodeURIComponent(order)}/shipments/${encodeURIComponent(number)}`);

describe('creating a shipment', () => {
  test('without a tracking number makes a draft', async () => {
    const order = await shop.order({ email_id: 'a@example.com', address: { zip_code: '1010' } });
    const draft = await create(order.order_number);
    expect(draft).toEqual({
      uuid: expect.any(String),
      order_id: order.uuid,
      external_shipment_id: null,
      tracking_number: null,
      carrier_reference: null,
      tracking_url: null,
      tracking_submission: null,
      simulation_id: null,
      phase: 'return_created',
      flag: 'normal',
      current_event_key: 'ORDER_CREATED',
      zip_code: '1010',
      email_id: 'a@example.com',
      created_at: expect.any(String),
      updated_at: draft.created_at,
      events: [expect.objectContaining({ event_key: 'ORDER_CREATED', time: draft.created_at })],
    });
    const also = await create(order.order_number, { tracking_number: null, carrier_reference: null, products: null });
    expect(also.current_event_key).toBe('ORDER_CREATED');
  });

  test('with a tracking number makes a fulfilled one, whose carrier is detected', async () => {
    const order = await shop.order();
    const number = '1Z5R89390357567127';
    const shipment = await create(order.order_number, { tracking_number: number, external_shipment_id: 'x-1' });
    expect(shipment).toMatchObject({
      tracking_number: number,
      carrier_reference: 'ups',
      tracking_url: expect.stringContaining(number),
      external_shipment_id: 'x-1',
      phase: 'return_created',
      current_event_key: 'ORDER_PROCESSED',
    });
    expect(shipment.events.map(({ event_key }) => event_key)).toEqual(['ORDER_PROCESSED']);
    const { shipments } = await shop.shipments({ tracking_number: number });
    expect(shipments).toEqual([shipment]);
  });

  test('is directed to the merchant by default, and then does not change the state of the order', async () => {
    const order = await shop.order({ expected_number_of_shipments: 2 }, trackingsOf(newNumber('T')));
    const back = await create(order.order_number, { tracking_number: newNumber('R') });
    const partner = await create(order.order_number, { direction: 'customer_partner' });
    const after = await shop.orderWith(order.order_number);
    expect(after.state).toBe('partially_fulfilled');
    const directions = new Map(after.trackings.map(({ uuid, direction, is_return }) => [uuid, [direction, is_return]]));
    expect(directions.get(back.uuid)).toEqual(['customer_merchant', true]);
    expect(directions.get(partner.uuid)).toEqual(['customer_partner', true]);
    const placed = await shop.order();
    await create(placed.order_number, { tracking_number: newNumber('R') });
    expect((await shop.orderWith(placed.order_number)).state).toBe('placed');
    const done = await shop.order({}, trackingsOf(newNumber('T')));
    await create(done.order_number);
    expect((await shop.orderWith(done.order_number)).state).toBe('fulfilled');
  });

  test('for a return leaves no draft that a tracking of the order could use', async () => {
    const order = await shop.order();
    const draft = await create(order.order_number);
    const [a, b] = [newNumber('T'), newNumber('T')];
    expectDone(await shop.upsert({ id: order.order_number, trackings: trackingsOf(a, b) }));
    const after = await shop.orderWith(order.order_number);
    const back = after.trackings.find(({ uuid }) => uuid === draft.uuid);
    expect(back!.carrier.tracking_number).toBeNull();
    expect(numbersOf(after).toSorted()).toEqual([a, b, null].toSorted());
  });

  test('to the customer leaves a draft that the next tracking uses', async () => {
    const order = await shop.order({}, trackingsOf(newNumber('T')));
    const draft = await create(order.order_number, { direction: 'merchant_customer', external_shipment_id: 'mine' });
    const number = newNumber('T');
    expectDone(await shop.upsert({ id: order.order_number, trackings: trackingsOf(number) }));
    const { trackings } = await shop.orderWith(order.order_number);
    expect(trackings.find(({ uuid }) => uuid === draft.uuid)!.carrier.tracking_number).toBe(number);
    expect(trackings).toHaveLength(2);
  });

  test('as a draft does not make an order partially fulfilled that expects one shipment', async () => {
    const order = await shop.order({}, trackingsOf(newNumber('T')));
    await create(order.order_number, { direction: 'merchant_customer' });
    expect((await shop.orderWith(order.order_number)).state).not.toBe('partially_fulfilled');
  });

  test('finds its order by each kind of id', async () => {
    const order = await shop.order({ order_name: newNumber('name'), external_id: newNumber('E') });
    for (const order_id_type of ['uuid', 'external_id', 'order_number', 'order_name'] as const) {
      const created = accepted(await post({ order_id: order[order_id_type], order_id_type }));
      expect(created.order_id).toBe(order.uuid);
    }
    expect((await shop.orderWith(order.order_number)).trackings).toHaveLength(5);
  });

  test('accepts its own products', async () => {
    const order = await shop.order({ products: [{ title: 'A' }] });
    const products = [{ product_id: 'p', variant_id: 'v', quantity: 2 }, { product_id: 'q' }];
    const own = await create(order.order_number, { products });
    const none = await create(order.order_number, { products: [] });
    const all = await create(order.order_number);
    const { trackings } = await shop.orderWith(order.order_number);
    const productsOf = (uuid: string) => trackings.find((tracking) => tracking.uuid === uuid)!.products;
    expect([own, none, all].map(({ uuid }) => productsOf(uuid))).toEqual([products, [], [{ title: 'A' }]]);
  });

  test('keeps a given carrier, also for a draft', async () => {
    const { order_number } = await shop.order();
    expect(await create(order_number, { carrier_reference: 'gls' })).toMatchObject({ carrier_reference: 'gls' });
    const number = newNumber('T');
    const given = await create(order_number, { tracking_number: number, carrier_reference: 'dpd' });
    expect(given).toMatchObject({ carrier_reference: 'dpd', tracking_url: expect.stringContaining(number) });
  });

  test('refuses a tracking number that the order already has, from whatever source, and no other', async () => {
    const [a, b] = [newNumber('T'), newNumber('T')];
    const order = await shop.order({}, trackingsOf(a));
    await create(order.order_number, { tracking_number: b });
    const another = await shop.order();
    for (const tracking_number of [a, b]) {
      const to = (order_id: string) => post({ order_id, order_id_type: 'uuid', tracking_number });
      accepted(await to(another.uuid));
      for (const order_id of [order.uuid, another.uuid]) expectError(await to(order_id), 409, 'shipment_exists');
    }
    expect(numbersOf(await shop.orderWith(another.order_number)).toSorted()).toEqual([a, b, null].toSorted());
    expect((await shop.orderWith(order.order_number)).trackings).toHaveLength(2);
  });

  test('refuses an unknown carrier, and creates nothing', async () => {
    const order = await shop.order();
    const answer = await post({ order_id: order.uuid, order_id_type: 'uuid', carrier_reference: 'pigeon' });
    expectError(answer, 422, 'carrier_reference_invalid', [
      { loc: ['body', 'carrier_reference'], msg: expect.any(String), type: 'value_error' },
    ]);
    expect((await shop.orderWith(order.order_number)).trackings).toHaveLength(1);
  });

  test('needs an existing order', async () => {
    const other = await (await newMerchant()).order();
    for (const [order_id, order_id_type] of [
      [newNumber(), 'order_number'],
      [newNumber(), 'external_id'],
      [newNumber(), 'order_name'],
      [randomUUID(), 'uuid'],
      ['no uuid', 'uuid'],
      [other.uuid, 'uuid'],
      [other.order_number, 'order_number'],
    ]) {
      expectError(await post({ order_id, order_id_type, tracking_number: newNumber('T') }), 404, 'order_not_found');
    }
  });

  test('is refused with all its faults', async () => {
    expectInvalid(await post({}), ['body.order_id', 'missing'], ['body.order_id_type', 'missing']);
    expectInvalid(
      await post({
        order_id: '',
        order_id_type: 'tracking_number',
        tracking_number: '',
        direction: 'up',
        external_shipment_id: 5,
        products: [{ quantity: '1' }, 7],
      }),
      ['body.order_id', 'value_error'],
      ['body.order_id_type', 'value_error'],
      ['body.tracking_number', 'value_error'],
      ['body.direction', 'value_error'],
      ['body.external_shipment_id', 'type_error'],
      ['body.products.0.quantity', 'type_error'],
      ['body.products.1', 'type_error'],
    );
  });
});

describe('deleting a shipment', () => {
  test('finds the order by uuid, number and external id', async () => {
    const numbers = [newNumber('T'), newNumber('T'), newNumber('T')] as const;
    const order = await shop.order({ external_id: newNumber('E') }, trackingsOf(...numbers));
    expectDone(await remove(order.uuid, numbers[0]));
    expectDone(await remove(order.order_number, numbers[1]));
    expect(numbersOf(await shop.orderWith(order.order_number))).toEqual([numbers[2]]);
    expectDone(await remove(order.external_id, numbers[2]));
    expect(await shop.orderWith(order.order_number)).toMatchObject({
      state: 'placed',
      trackings: [{ carrier: { tracking_number: null } }],
    });
    for (const tracking_number of numbers) {
      expect((await shop.shipments({ tracking_number })).pagination.total).toBe(0);
    }
  });

  test('finds an order whose number looks like a uuid, and ids and numbers with odd characters', async () => {
    for (const id of [randomUUID(), `${newNumber()}/ö?#%2F&+ `]) {
      const order = await shop.order({ order_number: id }, trackingsOf(`T ${id}/x`));
      expectDone(await remove(order.order_number, `T ${id}/x`));
      expect(numbersOf(await shop.orderWith(id))).toEqual([null]);
    }
  });

  test('takes a uuid, also of a draft', async () => {
    const order = await shop.order({ expected_number_of_shipments: 3 }, trackingsOf(newNumber('T')));
    const [parcel, draft, last] = order.trackings;
    expectDone(await remove(order.uuid, parcel!.uuid));
    expectDone(await remove(order.external_id, draft!.uuid));
    const after = await shop.orderWith(order.order_number);
    expect(after).toMatchObject({
      state: 'placed',
      expected_number_of_shipments: 1,
      trackings: [{ uuid: last!.uuid }],
    });
    expect((await shop.shipments()).shipments.map(({ uuid }) => uuid)).not.toContain(draft!.uuid);
  });

  test('a second time finds nothing', async () => {
    const number = newNumber('T');
    const { uuid } = await shop.order({}, trackingsOf(number));
    expectDone(await remove(uuid, number));
    expectError(await remove(uuid, number), 404, 'shipment_not_found');
  });

  test('frees the tracking number', async () => {
    const number = newNumber('T');
    const { uuid, order_number } = await shop.order({}, trackingsOf(number));
    expectDone(await remove(uuid, number));
    const again = await create(order_number, { tracking_number: number, direction: 'merchant_customer' });
    expect(again.tracking_number).toBe(number);
    expectDone(await remove(uuid, number));
    const other = await shop.order({}, trackingsOf(number));
    expect(numbersOf(other)).toEqual([number]);
    const { shipments } = await shop.shipments({ tracking_number: number });
    expect(shipments.map(({ order_id }) => order_id)).toEqual([other.uuid]);
  });

  test('does not change the other shipments', async () => {
    const [a, b] = [newNumber('T'), newNumber('T')] as const;
    const before = await shop.order({ expected_number_of_shipments: 3 }, trackingsOf(a, b));
    expectDone(await remove(before.uuid, a));
    const after = await shop.orderWith(before.order_number);
    expect(after.trackings).toEqual(before.trackings.slice(1));
    const next = newNumber('T');
    expectDone(await shop.upsert({ id: before.order_number, trackings: trackingsOf(next) }));
    expect(numbersOf(await shop.orderWith(before.order_number))).toEqual([b, next]);
  });

  test('needs an existing order and an existing shipment of it', async () => {
    const [a, b] = [newNumber('T'), newNumber('T')] as const;
    const order = await shop.order({}, trackingsOf(a));
    await shop.order({}, trackingsOf(b));
    expectError(await remove(randomUUID(), a), 404, 'order_not_found');
    expectError(await remove(newNumber(), a), 404, 'order_not_found');
    expectError(await remove(order.uuid, b), 404, 'shipment_not_found');
    expectError(await remove(order.uuid, newNumber('T')), 404, 'shipment_not_found');
    expectError(
      await (await newMerchant()).call('DELETE', `/orders/${order.uuid}/shipments/${a}`),
      404,
      'order_not_found',
    );
    expectInvalid(await remove(order.uuid, 'x'.repeat(256)), ['path.shipment_id', 'value_error']);
    expect(await shop.orderWith(order.order_number)).toEqual(order);
  });
});
