import { beforeAll, describe, expect, test } from 'vitest';
import { expectDone, type Merchant, newMerchant, newNumber } from '#test/e2e/kit/orders.ts';
import { fullAddress, fullOrder, fullProduct } from '#test/e2e/kit/orders-samples.ts';

/** Plugins of shop systems write every field that they know, with null where the shop has nothing. */

let shop: Merchant;

beforeAll(async () => {
  shop = await newMerchant();
});

const nothingIn = (fields: object) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]));

/** The order of a guest, with a product that the shop has deleted since, and a promotion without a code. */
const guestOrder = (order_number: string) => ({
  ...nothingIn(fullOrder),
  order_number,
  external_id: null,
  order_placed_at: '2026-11-14T09:30:00+01:00',
  email_id: 'zoe@example.com',
  currency: 'EUR',
  address: { ...nothingIn(fullAddress), name: 'Zoë Müller', city: 'Schöppingen', zip_code: '48624' },
  products: [
    { ...nothingIn(fullProduct), title: 'Tee', quantity: 1, price: 49.93, images: [{ src: null, alt: null }] },
  ],
  discounts: [{ code: null, amount: -4.993, type: null }],
  segments: [],
});

const shown = {
  order_placed_at: '2026-11-14T08:30:00.000Z',
  email_id: 'zoe@example.com',
  currency: 'EUR',
  address: { name: 'Zoë Müller', city: 'Schöppingen', zip_code: '48624' },
  products: [{ title: 'Tee', quantity: 1, price: 49.93, images: [{ alt: null }] }],
  discounts: [{ amount: '-4.993' }],
  segments: [],
  order_analytics: {},
  expected_number_of_shipments: 1,
};

const fieldsOf = (order: object) => Object.fromEntries(Object.entries(order).filter(([name]) => name in fullOrder));

describe('an order as a plugin sends it', () => {
  test('is taken, and what is null is not there', async () => {
    const id = newNumber();
    expectDone(await shop.upsert({ id, id_type: 'order_number', order: guestOrder(id), trackings: [] }));
    const order = await shop.orderWith(id);
    expect(fieldsOf(order)).toEqual({ ...shown, discount_price: 0 });
    expect(order.external_id).toBe(id);
  });

  test('erases nothing of an order that the shop knew better before', async () => {
    const { order_number } = await shop.order(fullOrder);
    const order = { ...nothingIn(fullOrder), order_number, email_id: 'zoe@example.com' };
    expectDone(await shop.upsert({ id: order_number, order, trackings: [] }));
    expect(fieldsOf(await shop.orderWith(order_number))).toEqual({ ...fullOrder, email_id: 'zoe@example.com' });
  });

  test('is taken with its parcels, in bulk too', async () => {
    const [one, other] = [newNumber(), newNumber()];
    const tracking = { tracking_placed_at: null, tracking_company: null, carrier_reference: null };
    const item = (id: string) => ({
      id,
      id_type: null,
      order: guestOrder(id),
      trackings: [{ ...tracking, tracking_number: `T-${id}`, products: [{ title: 'Tee', sku: null }] }],
    });
    expectDone(await shop.upsert(item(one)));
    expectDone(
      await shop.call('PUT', '/orders/bulk', { body: [item(other), { id: one, order: null, trackings: [] }] }),
    );
    for (const id of [one, other]) {
      const { trackings, state } = await shop.orderWith(id);
      expect(state).toBe('fulfilled');
      expect(trackings).toMatchObject([{ carrier: { tracking_number: `T-${id}` }, products: [{ title: 'Tee' }] }]);
    }
  });
});
