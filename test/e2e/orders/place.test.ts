import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { expectDone, type Merchant, newMerchant, newNumber, trackingsOf } from '#test/e2e/kit/orders.ts';
import { fullAddress, fullOrder } from '#test/e2e/kit/orders-samples.ts';

let shop: Merchant;

beforeAll(async () => {
  shop = await newMerchant();
});

const place = (body: object) => shop.call('POST', '/orders', { body });

describe('placing an order', () => {
  test('keeps every field and makes a draft for each expected shipment', async () => {
    const order = { ...fullOrder, order_number: newNumber(), external_id: newNumber('E') };
    expectDone(await place(order));
    const stored = await shop.orderWith(order.order_number);
    expect(stored).toMatchObject({ ...order, state: 'placed' });
    expect(stored.trackings).toHaveLength(2);
  });

  test('needs number, external id and address', async () => {
    expectInvalid(
      await place({}),
      ['body.order_number', 'missing'],
      ['body.external_id', 'missing'],
      ['body.address', 'missing'],
    );
    expectInvalid(
      await place({ order_number: '', external_id: null, address: 'Ulm' }),
      ['body.order_number', 'value_error'],
      ['body.external_id', 'missing'],
      ['body.address', 'type_error'],
    );
  });

  test('again is answered like the first time and changes nothing', async () => {
    const body = { order_number: newNumber(), external_id: newNumber('E'), address: fullAddress };
    expectDone(await place(body));
    expectDone(await shop.upsert({ id: body.order_number, trackings: trackingsOf(newNumber('T')) }));
    const before = await shop.orderWith(body.order_number);
    expectDone(await place(body));
    expectDone(await place({ ...body, external_id: newNumber('E'), address: {}, expected_number_of_shipments: 5 }));
    expect(await shop.orderWith(body.order_number)).toEqual(before);
  });

  test('refuses the external id of another order', async () => {
    const taken = { order_number: newNumber(), external_id: newNumber('E'), address: {} };
    expectDone(await place(taken));
    const order_number = newNumber();
    expectError(await place({ ...taken, order_number }), 409, 'order_exists');
    expect(await shop.orders({ order_number })).toEqual([]);
  });

  test('refuses 101 expected shipments', async () => {
    const body = { order_number: newNumber(), external_id: newNumber('E'), address: {} };
    expectInvalid(await place({ ...body, expected_number_of_shipments: 101 }), [
      'body.expected_number_of_shipments',
      'value_error',
    ]);
  });
});
