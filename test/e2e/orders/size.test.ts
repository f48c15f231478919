import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Order } from '#schemas/shapes/order-shapes.ts';
import { expectError } from '#test/e2e/kit/errors.ts';
import { accepted, expectDone, newMerchant, trackingsOf } from '#test/e2e/kit/orders.ts';

/** A text that does not compress. */
const noise = (length: number) =>
  randomBytes(Math.ceil(length * 0.75))
    .toString('base64')
    .slice(0, length);

const products = (count: number, bytes: number) =>
  Array.from({ length: count }, () => ({ title: noise(bytes - 100), quantity: 1, price: 9.99, sku: noise(40) }));

describe('the largest order', () => {
  test('of fifty trackings with fifty products of usual size is accepted and read back in full', async () => {
    const shop = await newMerchant();
    const trackings = Array.from({ length: 50 }, (_, i) => ({
      tracking_number: `T-${i}`,
      products: products(50, 350),
    }));
    expectDone(await shop.upsert({ id: 'large', order: {}, trackings }));
    const order = await shop.orderWith('large');
    expect(order.state).toBe('fulfilled');
    const shown = order.trackings.map(({ carrier, products: own }) => ({
      tracking_number: carrier.tracking_number,
      products: own,
    }));
    expect(shown).toEqual(trackings);
    const { uuid } = order.trackings[0]!;
    accepted(await shop.call('POST', `/shipments/${uuid}/events`, { body: { event_name: 'IN_DELIVERY' } }));
    expect((await shop.orders())[0]!.trackings[0]!.phase).toBe('in_delivery');
  });

  test('with a body of almost 5 MB is accepted or refused as too large, never stored in part', async () => {
    const shop = await newMerchant();
    const trackings = Array.from({ length: 50 }, (_, i) => ({
      tracking_number: `T-${i}`,
      products: products(85, 1090),
    }));
    const answer = await shop.upsert({ id: 'large', order: {}, trackings });
    if (answer.status !== 200) {
      expectError(answer, 413, 'payload_too_large');
      return expect(await shop.orders()).toEqual([]);
    }
    expect((await shop.shipments({ include_drafts: 'false' })).pagination.total).toBe(50);
  });

  test('is smaller than a body of 5 MB', async () => {
    const shop = await newMerchant();
    const title = noise(1000);
    const many = Array.from({ length: 110 }, () => ({ title }));
    const trackings = Array.from({ length: 50 }, (_, i) => ({ tracking_number: `T-${i}`, products: many }));
    expectError(await shop.upsert({ id: 'large', order: {}, trackings }), 413, 'payload_too_large');
    expect(await shop.orders()).toEqual([]);
  });

  test('with more products than it can hold is refused, and nothing is stored', async () => {
    const shop = await newMerchant();
    const order = { products: products(900, 1000) };
    expectError(await shop.upsert({ id: 'large', order, trackings: trackingsOf('T') }), 413, 'payload_too_large');
    expect(await shop.orders()).toEqual([]);
    expect((await shop.shipments()).pagination.total).toBe(0);
  });
});

describe('an order whose events would be too large', () => {
  const hundredDrafts = { expected_number_of_shipments: 100, products: products(30, 900) };

  test('is refused when it is placed, with the limit, and nothing is stored', async () => {
    const shop = await newMerchant();
    const answer = await shop.upsert({ id: 'large', order: hundredDrafts });
    expectError(answer, 413, 'payload_too_large');
    expect(answer.body.message).toMatch(/100 shipments .* up to 2 MB .* 30 products/);
    expect(await shop.orders()).toEqual([]);
  });

  test('is refused when it is changed, and stays as it was', async () => {
    const shop = await newMerchant();
    expectDone(await shop.upsert({ id: 'grows', order: { expected_number_of_shipments: 100 } }));
    const before = await shop.orderWith('grows');
    expectError(await shop.upsert({ id: 'grows', order: hundredDrafts }), 413, 'payload_too_large');
    expect(await shop.orderWith('grows')).toEqual(before);
  });

  test('is refused as a whole, although its trackings are written in two steps', async () => {
    const shop = await newMerchant();
    const trackings = trackingsOf(...Array.from({ length: 50 }, (_, i) => `T-${i}`));
    const order = { products: products(23, 900) };
    expectError(await shop.upsert({ id: 'large', order, trackings }), 413, 'payload_too_large');
    expect(await shop.orders()).toEqual([]);
  });
});

describe('an answer over 6 MB', () => {
  test('is refused with advice, and the orders can still be read in smaller pages', async () => {
    const shop = await newMerchant();
    const order = { expected_number_of_shipments: 100, products: products(8, 900) };
    const ids = Array.from({ length: 8 }, (_, i) => `order-${i}`);
    for (const id of ids) expectDone(await shop.upsert({ id, order }));
    const answer = await shop.call('GET', '/orders');
    expectError(answer, 413, 'payload_too_large');
    expect(answer.body.message).toContain('per_page');
    const pages: Order[] = [];
    for (const page of [1, 2]) pages.push(...(await shop.orders({ per_page: 4, page })));
    expect(pages.map(({ order_number }) => order_number).toSorted()).toEqual(ids);
    expect(pages.every(({ trackings }) => trackings.length === 100)).toBe(true);
  });
});
