import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { expectDone, numbersOf } from '#test/e2e/kit/orders.ts';
import { api, newShop, newSlug, superAdmin } from '#test/e2e/kit/shared-stack.ts';
import { type ConnectedShop, connectShop } from '#test/e2e/kit/shop-system.ts';
import { shopFulfilment, shopOrder, signatureOf } from '#test/kit/shop-payloads.ts';

const connected = () => connectShop(api, superAdmin, newSlug(), 'https://shop.example.com/admin');
const orderOf = async ({ call }: ConnectedShop, number = '1001') =>
  (await call('GET', `/orders?order_number=${number}`)).body[0];
const at = (minute: number) => `2026-11-10T17:${String(minute).padStart(2, '0')}:00-05:00`;
const phasesOf = (order: { trackings: { phase: string }[] }) => order.trackings.map(({ phase }) => phase);

describe('webhooks of the shop system', () => {
  let shop: ConnectedShop;
  beforeAll(async () => {
    shop = await connected();
  });

  test('create an order, fulfil it in part and in full, and report its parcels', async () => {
    expectDone(await shop.send('order-creation', shopOrder()));
    const placed = await orderOf(shop);
    expect(placed).toMatchObject({
      external_id: '450789469',
      order_name: '#1001',
      email_id: 'bob.norman@mail.example.com',
      total_order_price: 409.94,
      order_placed_at: '2026-11-10T21:15:47.000Z',
      state: 'placed',
      address: { zip_code: '40202' },
    });
    expect(placed).not.toHaveProperty('told_at');

    const [one, two] = ['00340434161094015902', '00340434161094015919'];
    const partial = { updated_at: at(1), fulfillment_status: 'partial', fulfillments: [shopFulfilment([one])] };
    expectDone(await shop.send('order-partial-fulfillment', shopOrder(partial)));
    const inPart = await orderOf(shop);
    expect([inPart.state, numbersOf(inPart)]).toEqual(['partially_fulfilled', [one, null]]);
    expect(inPart.trackings[0].carrier.carrier_reference).toBe('dhl');

    const whole = {
      updated_at: at(2),
      fulfillment_status: 'fulfilled',
      fulfillments: [one, two].map((n) => shopFulfilment([n])),
    };
    expectDone(await shop.send('order-fulfillment', shopOrder(whole)));
    const fulfilled = await orderOf(shop);
    expect([fulfilled.state, numbersOf(fulfilled)]).toEqual(['fulfilled', [one, two]]);

    expectDone(await shop.send('order-fulfillment-update', shopFulfilment(['extra-1'])));
    expect(numbersOf(await orderOf(shop))).toEqual([one, two, 'extra-1']);
  });

  test('change nothing when they are repeated', async () => {
    const own = await connected();
    const payload = shopOrder({
      updated_at: at(5),
      fulfillment_status: 'fulfilled',
      fulfillments: [shopFulfilment(['R-1'])],
    });
    for (const type of ['order-fulfillment', 'order-update']) expectDone(await own.send(type, payload));
    const before = await orderOf(own);
    const shipmentsBefore = (await own.call('GET', '/shipments')).body;
    await Promise.all(Array.from({ length: 4 }, () => own.send('order-fulfillment', payload)));
    expectDone(await own.send('order-fulfillment-update', shopFulfilment(['R-1'])));
    expect(await orderOf(own)).toEqual(before);
    expect((await own.call('GET', '/shipments')).body).toEqual(shipmentsBefore);
  });

  test('lead to the same order in whatever order they arrive', async () => {
    const payloads: [string, Record<string, unknown>, string][] = [
      ['order-creation', { updated_at: at(0), financial_status: 'pending' }, '2026-11-10T22:00:00.1Z'],
      [
        'order-update',
        { updated_at: at(0), financial_status: 'paid', email: 'new@example.com' },
        '2026-11-10T22:00:00.25Z',
      ],
      [
        'order-fulfillment',
        {
          updated_at: at(3),
          financial_status: 'paid',
          fulfillment_status: 'fulfilled',
          fulfillments: [shopFulfilment(['S-1'])],
        },
        '2026-11-10T22:03:01Z',
      ],
    ];
    const inSequence = async (sequence: readonly number[]) => {
      const own = await connected();
      for (const i of sequence) {
        const [type, fields, triggered] = payloads[i]!;
        const headers = { 'x-shopify-triggered-at': triggered, 'x-shopify-webhook-id': `webhook-${i}` };
        expectDone(await own.send(type, shopOrder(fields), headers));
      }
      const { financial_status, email_id, state, ...order } = await orderOf(own);
      return { financial_status, email_id, state, numbers: numbersOf(order) };
    };
    const sequences = [
      [0, 1, 2],
      [1, 0, 2],
      [2, 1, 0],
      [1, 2, 0, 1],
    ];
    const results = await Promise.all(sequences.map(inSequence));
    expect(results).toEqual(
      results.map(() => ({
        financial_status: 'paid',
        email_id: shopOrder().email,
        state: 'fulfilled',
        numbers: ['S-1'],
      })),
    );
  });

  test('cancel unsent parcels once, with an event for each listener', async () => {
    const own = await connected();
    const numbers = ['C-1', 'C-2'];
    const fulfillments = numbers.map((number) => shopFulfilment([number]));
    const partial = { updated_at: at(1), fulfillment_status: 'partial', fulfillments };
    expectDone(await own.send('order-partial-fulfillment', shopOrder(partial)));
    const gone = (await orderOf(own)).trackings[0].uuid;
    const scan = { event_name: 'SHIPMENT_EN_ROUTE', event_time: '2026-11-10T23:00:00Z' };
    await own.call('POST', `/shipments/${gone}/events`, scan);
    const cancelled = shopOrder({ ...partial, updated_at: at(9), cancelled_at: at(9) });
    for (const type of ['order-cancelled', 'order-cancelled', 'order-update'])
      expectDone(await own.send(type, cancelled));
    expectDone(await own.send('order-update', shopOrder({ updated_at: at(2) })));
    const order = await orderOf(own);
    expect(phasesOf(order)).toEqual(['in_transit', 'order_cancelled', 'order_cancelled']);
    const events = order.trackings.map(
      ({ events }: { events: { event_name: string }[] }) =>
        events.filter(({ event_name }) => event_name === 'ORDER_CANCELLED').length,
    );
    expect(events).toEqual([0, 1, 1]);
  });

  test('of a parcel wait for their order for an hour, and are acknowledged after that', async () => {
    const own = await connected();
    const fresh = shopFulfilment(['W-1'], { created_at: new Date().toISOString() });
    expectError(await own.send('order-fulfillment-update', fresh), 404, 'order_not_found');
    expectDone(await own.send('order-creation', shopOrder()));
    expectDone(await own.send('order-fulfillment-update', fresh));
    expect(numbersOf(await orderOf(own))).toEqual(['W-1']);
    expectDone(await own.send('order-fulfillment-update', shopFulfilment(['W-2'], { order_id: 1 })));
  });

  test('are read by the mapping rules that the merchant has set', async () => {
    const own = await connected();
    const rules = [{ source: { key: 'marketplace', type: 'note_attribute' }, target: 'marketplace_order_number' }];
    const data = {
      'shop_system_1.order': [...rules, { source: { key: 'email', type: 'field' }, target: 'order_name' }],
    };
    expect((await own.call('PUT', '/settings/mappings', { version: 1, data })).status).toBe(200);
    expectDone(await own.send('order-creation', shopOrder()));
    const { order_name, order_analytics } = await orderOf(own);
    expect(order_name).toBe(shopOrder().email);
    expect(order_analytics.note_attributes).toContainEqual({ name: 'marketplace_order_number', value: 'M-77' });
  });

  test('about products or deleted orders are acknowledged', async () => {
    for (const type of ['product-creation', 'product-update', 'product-deletion', 'order-deletion']) {
      expectDone(await shop.send(type, { id: 450789469, title: 'IPod' }));
    }
    expect(await orderOf(shop)).toBeDefined();
  });
});

describe('a webhook with a wrong signature', () => {
  const body = JSON.stringify(shopOrder());
  const post = (slug: string, headers: Record<string, string>, sent: string | Uint8Array = body) =>
    api('POST', `/v1/shops/${slug}/shop-system/inbound/order-creation`, {
      body: sent,
      headers: { 'content-type': 'application/json', ...headers },
    });
  let shop: ConnectedShop;
  beforeAll(async () => {
    shop = await connected();
  });

  test('is refused in the same way whatever is wrong, and changes nothing', async () => {
    const signed = { 'x-shopify-hmac-sha256': signatureOf(shop.secret, body) };
    const withoutSecret = await newShop();
    const other = await connected();
    const answers = await Promise.all([
      post(shop.slug, {}),
      post(shop.slug, { 'x-shopify-hmac-sha256': signatureOf('another secret', body) }),
      post(shop.slug, { 'x-shopify-hmac-sha256': signatureOf(other.secret, body) }),
      post(shop.slug, { 'x-shopify-hmac-sha256': signatureOf('', body) }),
      post(shop.slug, { 'x-shopify-hmac-sha256': 'no signature' }),
      post(shop.slug, { authorization: `Basic ${btoa(superAdmin)}` }),
      post(shop.slug, signed, `${body} `),
      post(shop.slug, signed, '{"broken'),
      post(other.slug, signed),
      post(withoutSecret, signed),
      post(newSlug(), signed),
      post('%20', signed),
    ]);
    for (const answer of answers) expectError(answer, 401, 'invalid_merchant_or_key');
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await shop.call('GET', '/orders')).body).toEqual([]);
  });

  test('is refused even if its JSON means the same in another notation', async () => {
    const spelled = '{ "order_number" : 77,\n"id":77, "updated_at":"2026-11-10T00:00:00Z", "name":"Größe \\u00fc" }';
    expectError(
      await post(
        shop.slug,
        { 'x-shopify-hmac-sha256': signatureOf(shop.secret, JSON.stringify(JSON.parse(spelled))) },
        spelled,
      ),
      401,
      'invalid_merchant_or_key',
    );
    expectDone(await post(shop.slug, { 'x-shopify-hmac-sha256': signatureOf(shop.secret, spelled) }, spelled));
    expect((await orderOf(shop, '77')).order_name).toBe('Größe ü');
  });
});

describe('a signed webhook with unusable content', () => {
  let shop: ConnectedShop;
  beforeAll(async () => {
    shop = await connected();
  });

  test('is refused with all its faults, and changes nothing', async () => {
    const payload = shopOrder({
      order_number: 2,
      id: '7',
      updated_at: 'yesterday',
      total_price: 'much',
      line_items: {},
    });
    expectInvalid(
      await shop.send('order-creation', payload),
      ['body.id', 'type_error'],
      ['body.updated_at', 'value_error'],
      ['body.total_price', 'value_error'],
      ['body.line_items', 'type_error'],
    );
    expectInvalid(
      await shop.send('order-update', {}),
      ['body.id', 'missing'],
      ['body.order_number', 'missing'],
      ['body.updated_at', 'missing'],
    );
    expectInvalid(
      await shop.send('order-fulfillment-update', { tracking_numbers: [7] }),
      ['body.order_id', 'missing'],
      ['body.tracking_numbers.0', 'type_error'],
    );
    expectInvalid(await shop.send('product-update', []), ['body', 'type_error']);
    expectInvalid(await shop.send('orders', {}), ['path.webhook_type', 'value_error']);
    expect((await shop.call('GET', '/orders')).body).toEqual([]);
  });

  test('is refused when it is no JSON or too large', async () => {
    const send = (body: string) =>
      api('POST', `/v1/shops/${shop.slug}/shop-system/inbound/order-creation`, {
        body,
        headers: { 'content-type': 'application/json', 'x-shopify-hmac-sha256': signatureOf(shop.secret, body) },
      });
    expectInvalid(await send('{"id":'), ['body', 'value_error']);
    expectError(await send(JSON.stringify({ note: 'x'.repeat(5 * 1024 * 1024) })), 413, 'payload_too_large');
  });
});
