import { beforeAll, describe, expect, test } from 'vitest';
import { expectInvalid } from '#test/e2e/kit/errors.ts';
import { expectDone, inParts, type Merchant, newMerchant, newNumber } from '#test/e2e/kit/orders.ts';
import { fullAddress, fullOrder, fullProduct } from '#test/e2e/kit/orders-samples.ts';

let shop: Merchant;

beforeAll(async () => {
  shop = await newMerchant();
});

/** The order as JSON text, for values that JSON.stringify would not write. */
const upsertText = (id: string, order: string) =>
  shop.call('PUT', '/orders', {
    body: `{"id":${JSON.stringify(id)},"trackings":[],"order":${order}}`,
    headers: { 'content-type': 'application/json' },
  });

describe('the fields of an order', () => {
  test('are answered as they were given, every one of them', async () => {
    const external_id = newNumber('E');
    const { uuid, order_number, state, merchant_slug, shop_slug, tracking_page_url, trackings, ...fields } =
      await shop.order({
        ...fullOrder,
        external_id,
      });
    expect(fields).toEqual({ ...fullOrder, external_id, simulation_id: null, erased_at: null });
    expect({ state, merchant_slug, shop_slug }).toEqual({
      state: 'placed',
      merchant_slug: shop.slug,
      shop_slug: shop.slug,
    });
    expect(tracking_page_url).toMatch(/^http:.+\/t\/[\w-]{22}$/);
    expect(trackings).toHaveLength(2);
    for (const tracking of trackings) {
      expect(tracking).toMatchObject({ order_id: uuid, order_number, products: [fullProduct], phase: 'order_created' });
    }
  });

  test('have the defaults of the contract', async () => {
    const before = Date.now();
    const order = await shop.order();
    const { order_placed_at, trackings, ...rest } = order;
    expect(rest).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      order_number: order.order_number,
      external_id: order.order_number,
      simulation_id: null,
      discount_price: 0,
      products: [],
      discounts: [],
      currency: 'EUR',
      order_analytics: {},
      expected_number_of_shipments: 1,
      state: 'placed',
      merchant_slug: shop.slug,
      shop_slug: shop.slug,
      tracking_page_url: expect.any(String),
      erased_at: null,
    });
    expect(Date.parse(order_placed_at!)).toBeGreaterThanOrEqual(before - 1000);
    expect(Date.parse(order_placed_at!)).toBeLessThanOrEqual(Date.now() + 1000);
    expect(trackings).toHaveLength(1);
    expect(trackings[0]).toEqual({
      uuid: trackings[0]!.id,
      id: expect.any(String),
      merchant_id: expect.any(String),
      order_id: order.uuid,
      merchant_slug: shop.slug,
      shop_slug: shop.slug,
      order_number: order.order_number,
      carrier: { tracking_number: null, carrier_reference: null, tracking_url: null },
      direction: 'merchant_customer',
      is_return: false,
      flag: 'normal',
      phase: 'order_created',
      events: [expect.objectContaining({ event_key: 'ORDER_CREATED', event_name: 'ORDER_CREATED' })],
      estimated_arrival: null,
      pickup: null,
      products: [],
      tracking_submission: null,
      updated_at: expect.any(String),
    });
  });

  test('also accept a list of user agents', async () => {
    const user_agent = ['Mozilla/5.0', '', 'curl/8'];
    expect(await shop.order({ user_agent })).toMatchObject({ user_agent });
  });

  test('keep texts of any script, empty texts and texts that look like something else', async () => {
    const texts = [
      '',
      ' ',
      '\u0000\u0001',
      '"',
      '\\u0041',
      '__proto__',
      'null',
      'ﷺ',
      '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      'e\u0301',
      '\u200f\u202e',
      '{{x}}',
      '$&',
    ];
    const orders = await inParts(texts, 4, (text) =>
      shop.order({ order_name: text, email_id: text, address: { zip_code: text, city: text }, segments: [text] }),
    );
    expect(
      orders.map(({ order_name, email_id, address, segments }) => [order_name, email_id, address, segments]),
    ).toEqual(texts.map((text) => [text, text, { zip_code: text, city: text }, [text]]));
  });

  test('keep numbers exactly', async () => {
    const prices = [1e300, -1e-300, 5e-324, 0.1 + 0.2, 9007199254740991, -0.01, 1.7976931348623157e308];
    const { products } = await shop.order({ products: prices.map((price) => ({ price })), weight: prices[0] });
    expect(products).toEqual(prices.map((price) => ({ price })));
    const id = newNumber();
    expectDone(await upsertText(id, '{"weight":-0,"shipping_price":1E2,"sub_total_price":1.0}'));
    expect(await shop.orderWith(id)).toMatchObject({ shipping_price: 100, sub_total_price: 1 });
    expect((await shop.orderWith(id)).weight === 0).toBe(true);
  });

  test('refuse an invalid number', async () => {
    const id = newNumber();
    expectInvalid(await upsertText(id, '{"weight":1e999}'), ['body.order.weight', 'type_error']);
    for (const weight of ['1', true, [1], {}]) {
      expectInvalid(await shop.upsert({ id, order: { weight } }), ['body.order.weight', 'type_error']);
    }
    expect(await shop.orders({ order_number: id })).toEqual([]);
  });

  test('accept a hundred drafts, and no more', async () => {
    const { trackings, state } = await shop.order({ expected_number_of_shipments: 100 });
    expect(state).toBe('placed');
    expect(new Set(trackings.map(({ uuid }) => uuid)).size).toBe(100);
    expect((await shop.order({ expected_number_of_shipments: 0 })).trackings).toEqual([]);
    const id = newNumber();
    for (const [number, type] of [
      [101, 'value_error'],
      [-1, 'value_error'],
      [1.5, 'type_error'],
      ['1', 'type_error'],
      [1e300, 'value_error'],
    ] as const) {
      const order = { expected_number_of_shipments: number };
      expectInvalid(await shop.upsert({ id, order }), ['body.order.expected_number_of_shipments', type]);
    }
  });
});

describe('a time of an order', () => {
  const placedAt = async (order_placed_at: string) => (await shop.order({ order_placed_at })).order_placed_at;

  test.each([
    ['2026-03-29T02:30:00+02:00', '2026-03-29T00:30:00.000Z'],
    ['2026-03-29T02:30:00-05:30', '2026-03-29T08:00:00.000Z'],
    ['2026-03-29t02:30:00z', '2026-03-29T02:30:00.000Z'],
    ['2026-03-29T02:30:00.123456789Z', '2026-03-29T02:30:00.123Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
    ['2017-01-01T05:29:60+05:30', '2016-12-31T23:59:59.000Z'],
    ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59.000Z'],
    ['2026-03-29T02:30:00', '2026-03-29T02:30:00.000Z'],
    ['2026-03-29 02:30:00.5', '2026-03-29T02:30:00.500Z'],
  ])('like %s is shown as %s', async (given, shown) => {
    expect(await placedAt(given)).toBe(shown);
  });

  test.each(['9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00+01:00'])(
    'at the end of the calendar, %s, is refused or leaves the order in the list',
    async (order_placed_at) => {
      const lonely = await newMerchant();
      const { status } = await lonely.upsert({ id: 'N', order: { order_placed_at } });
      expect(await lonely.orders()).toHaveLength(status === 200 ? 1 : 0);
    },
  );

  test('is refused when it does not exist', async () => {
    const wrong = ['2026-02-30T00:00:00Z', '2026-01-01', '2026-02-30T00:00:00', '2026-01-01T25:00:00Z', 'now', '', '0'];
    const id = newNumber();
    for (const answer of await inParts(wrong, 4, (order_placed_at) =>
      shop.upsert({ id, order: { order_placed_at } }),
    )) {
      expectInvalid(answer, ['body.order.order_placed_at', 'value_error']);
    }
    expectInvalid(await shop.upsert({ id, order: { order_placed_at: 0 } }), [
      'body.order.order_placed_at',
      'type_error',
    ]);
  });
});

describe('an invalid field', () => {
  test('is refused when it is very long', async () => {
    const long = 'x'.repeat(5000);
    const texts = [
      'order_name',
      'email_id',
      'external_customer_id',
      'order_status_url',
      'external_id',
      'financial_status',
    ];
    const order = {
      ...Object.fromEntries(texts.map((name) => [name, long])),
      segments: [long],
      user_agent: long,
      address: Object.fromEntries(Object.keys(fullAddress).map((name) => [name, long])),
    };
    expectInvalid(
      await shop.upsert({ id: newNumber(), order }),
      ...[...texts, 'segments.0', 'user_agent'].map((name) => [`body.order.${name}`, 'value_error'] as const),
      ...Object.keys(fullAddress).map((name) => [`body.order.address.${name}`, 'value_error'] as const),
    );
    expectInvalid(await shop.upsert({ id: long, order: {} }), ['body.id', 'value_error']);
    expectInvalid(await shop.upsert({ id: '', order: {} }), ['body.id', 'value_error']);
  });

  test('is refused at its place when it has another type', async () => {
    const order = {
      products: [{ quantity: 1.5, images: [7], tax_lines: ['x'], bundled_products: [{ price: '1' }] }],
      discounts: [{ amount: true }],
      currency: 'euro',
      order_analytics: { note_attributes: [{ value: 'x' }], captured_at: 'yesterday' },
      preferred_delivery_date: { start: 'tomorrow' },
      user_agent: [1],
    };
    expectInvalid(
      await shop.upsert({ id: newNumber(), order }),
      ['body.order.products.0.quantity', 'type_error'],
      ['body.order.products.0.images.0', 'type_error'],
      ['body.order.products.0.tax_lines.0', 'type_error'],
      ['body.order.products.0.bundled_products.0.price', 'type_error'],
      ['body.order.discounts.0.amount', 'type_error'],
      ['body.order.currency', 'value_error'],
      ['body.order.order_analytics.note_attributes.0.name', 'missing'],
      ['body.order.order_analytics.captured_at', 'value_error'],
      ['body.order.preferred_delivery_date.start', 'value_error'],
      ['body.order.user_agent.0', 'type_error'],
    );
  });

  test('is not an identifier of 255 characters, even if each has four bytes', async () => {
    const number = '🧦'.repeat(255);
    const { uuid } = await shop.order({ order_number: number, order_name: number, external_id: number });
    const [found] = await shop.orders({ order_name: number, external_id: number });
    expect(found!.uuid).toBe(uuid);
  });
});
