import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { expectDone, type Merchant, newMerchant, newNumber } from '#test/e2e/kit/orders.ts';

let shop: Merchant;

beforeAll(async () => {
  shop = await newMerchant();
});

const attribute = (body: object) => shop.call('PUT', '/orders/analytics', { body });

const full = {
  source: 'newsletter',
  campaign: 'spring',
  medium: 'product_promotion',
  landing_url: 'https://shop.example.com/?a=b',
  landing_path: '/?a=b',
  referrer: 'https://search.example.com',
  captured_at: '2026-02-03T04:05:06+01:00',
  reference_order_id: 'r-1',
  order_external_id: 'e-1',
  order_number: 'n-1',
  order_name: '#1',
};

const nothing = Object.fromEntries(Object.keys(full).map((name) => [name, null]));

describe('the attribution of an order', () => {
  test('is set in every field, by any id of the order', async () => {
    const order = await shop.order({ order_name: newNumber('name'), external_id: newNumber('E') });
    for (const id_type of ['order_number', 'external_id', 'order_name', 'uuid'] as const) {
      expectDone(await attribute({ id: order[id_type], id_type, ...full, campaign: id_type }));
      expect((await shop.orderWith(order.order_number)).order_analytics).toEqual({ ...full, campaign: id_type });
    }
    expect(await shop.orderWith(order.order_number)).toEqual({
      ...order,
      order_analytics: { ...full, campaign: 'uuid' },
    });
  });

  test('replaces absent fields with null, and the source with its default', async () => {
    const { order_number: id } = await shop.order();
    expectDone(await attribute({ id, ...full }));
    expectDone(await attribute({ id, medium: null, referrer: 'r' }));
    const { order_analytics } = await shop.orderWith(id);
    expect(order_analytics).toEqual({ ...nothing, source: 'trackpages', referrer: 'r' });
  });

  test('does not change other fields', async () => {
    const known = { landing_site: '/x', landing_site_ref: 'y', note_attributes: [{ name: 'a', value: 'b' }] };
    const others = { ...known, visit: { pages: ['/a'], first: true } };
    const { order_number: id } = await shop.order({ order_analytics: { ...others, campaign: 'before' } });
    expectDone(await attribute({ id, landing_site: 'ignored', note_attributes: [] }));
    const { order_analytics } = await shop.orderWith(id);
    expect(order_analytics).toEqual({ ...nothing, ...others, source: 'trackpages' });
  });

  test('does not change the order number, name or external id of the order', async () => {
    const order = await shop.order({ order_name: 'mine' });
    expectDone(await attribute({ id: order.order_number, ...full }));
    const { order_analytics: _, ...rest } = await shop.orderWith(order.order_number);
    const { order_analytics: __, ...before } = order;
    expect(rest).toEqual(before);
  });

  test('has the limits of the contract', async () => {
    const limits = {
      source: 100,
      campaign: 100,
      medium: 100,
      order_number: 100,
      landing_path: 500,
      landing_url: 2048,
      referrer: 2048,
      reference_order_id: 255,
      order_external_id: 255,
      order_name: 255,
    };
    const texts = (extra: number) =>
      Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, 'ü'.repeat(limit + extra)]));
    const { order_number: id } = await shop.order();
    expectDone(await attribute({ id, ...texts(0) }));
    expect((await shop.orderWith(id)).order_analytics).toEqual({ ...texts(0), captured_at: null });
    expectInvalid(
      await attribute({ id, ...texts(1), captured_at: 'x' }),
      ...Object.keys({ ...limits, captured_at: 0 }).map((name) => [`body.${name}`, 'value_error'] as const),
    );
    expect((await shop.orderWith(id)).order_analytics).toEqual({ ...texts(0), captured_at: null });
  });

  test('needs an order that exists', async () => {
    expectError(await attribute({ id: newNumber() }), 404, 'order_not_found');
    expectError(await attribute({ id: randomUUID(), id_type: 'uuid' }), 404, 'order_not_found');
    expectError(await attribute({ id: 'no uuid', id_type: 'uuid' }), 404, 'order_not_found');
    expectInvalid(await attribute({}), ['body.id', 'missing']);
    expectInvalid(await attribute({ id: 'x', id_type: 'name' }), ['body.id_type', 'value_error']);
  });
});
