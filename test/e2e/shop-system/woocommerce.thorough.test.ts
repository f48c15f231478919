import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestLimits } from '#schemas/catalogues/limits.ts';
import { expectDone, numbersOf } from '#test/e2e/kit/orders.ts';
import { type Receiver, signedWith, startReceiver } from '#test/e2e/kit/receiver.ts';
import { api, newSlug, superAdmin, url } from '#test/e2e/kit/shared-stack.ts';
import { type ConnectedShop, connectWooCommerce } from '#test/e2e/kit/shop-system.ts';
import {
  inboundOf,
  orderOf,
  pageOf,
  seededRandom,
  shuffledWithRepeats,
  stableParts,
} from '#test/e2e/kit/shop-system-checks.ts';
import { startFakeWooCommerce } from '#test/kit/fake-woocommerce.ts';
import { signatureOf } from '#test/kit/shop-payloads.ts';
import {
  afterShipTracking,
  officialTracking,
  withWooMeta,
  wooCancelled,
  wooCompleted,
  wooGuestOrder,
  wooJson,
  wooMeta,
  wooOrder,
  wooPartiallyRefunded,
  wooPartiallyShipped,
  wooProcessing,
  wooRefunded,
  zoremTracking,
} from '#test/kit/woocommerce-payloads.ts';

const connected = () => connectWooCommerce(api, superAdmin, newSlug(), 'https://shop.example.com');
const orderIn = ({ call }: ConnectedShop, number = '7421') => orderOf(call, number);
const [first, second] = ['01405400945058', '00340434161094042557'];

describe('webhooks of WooCommerce', () => {
  let shop: ConnectedShop;
  let receiver: Receiver;
  let secret: string;
  beforeAll(async () => {
    shop = await connected();
    receiver = await startReceiver();
    secret = (await shop.call('POST', '/webhooks', { url: receiver.url, enabled_events: ['*'] })).body.secret;
  });
  afterAll(() => receiver?.[Symbol.asyncDispose]());

  test('make an order, in full', async () => {
    expectDone(await shop.send('order.created', wooJson(wooProcessing())));
    const order = await orderIn(shop);
    expect(order).toMatchObject({
      order_number: '7421',
      external_id: '7421',
      order_placed_at: '2026-11-10T16:15:47.000Z',
      total_order_price: 67.83,
      shipping_price: 4.9,
      discount_price: 7,
      currency: 'EUR',
      email_id: 'jana.koehler@mail.example.com',
      external_customer_id: '58',
      financial_status: 'paid',
      state: 'placed',
      address: {
        name: 'Jana Köhler',
        address_line_1: 'Lindenallee 14',
        address_line_2: 'Hinterhaus',
        city: 'Nürnberg',
        zip_code: '90402',
        country_code: 'DE',
      },
      discounts: [{ code: 'autumn10', type: expect.stringMatching(/^percent/) }],
    });
    expect(order.products.map(({ title, quantity, sku }: Record<string, unknown>) => [title, quantity, sku])).toEqual([
      [expect.stringContaining('Hoodie & Cap'), 2, 'HOOD-BLUE-L'],
      ['Mug', 1, undefined],
    ]);
    expect(order.products[0].images).toMatchObject([{ src: expect.stringContaining('hoodie-blue.jpg') }]);
    expect(order.order_analytics.language).toBe('de');
    for (const absent of ['weight', 'preferred_delivery_date', 'order_status_url', 'told_at']) {
      expect(order).not.toHaveProperty(absent);
    }
    expect(JSON.stringify(order)).not.toMatch(/wc_order_|order-pay|203\.0\.113\.9/);
  });

  test('report the parcels and the refund as changes of the order', async () => {
    expectDone(await shop.send('order.updated', wooPartiallyShipped()));
    const inPart = await orderIn(shop);
    expect([inPart.state, numbersOf(inPart)]).toEqual(['partially_fulfilled', [first, null]]);
    expect(inPart.trackings[0].carrier.carrier_reference).toBe('dpd');

    expectDone(await shop.send('order.updated', wooCompleted()));
    const whole = await orderIn(shop);
    expect([whole.state, numbersOf(whole)]).toEqual(['fulfilled', [first, second]]);
    expect(whole.trackings[1].carrier.carrier_reference).toBe('dhl');

    expectDone(await shop.send('order.updated', wooPartiallyRefunded()));
    expect((await orderIn(shop)).financial_status).toBe('partially_refunded');
    expectDone(await shop.send('order.updated', wooRefunded()));
    const refunded = await orderIn(shop);
    expect([refunded.financial_status, refunded.total_order_price]).toEqual(['refunded', 67.83]);
  });

  test('show the parcels to the customer and tell the merchant, signed', async () => {
    const page = await pageOf(await orderIn(shop));
    for (const shown of [first, second, 'Hoodie &amp; Cap', '7421']) expect(page).toContain(shown);
    // Of what is as old as the order above nobody is told.
    const date_shipped = String(Math.floor(Date.now() / 1000));
    const meta_data = withWooMeta({ _wc_shipment_tracking_items: [officialTracking('N-1', { date_shipped })] });
    expectDone(await shop.send('order.created', wooProcessing({ id: 8, number: '8', meta_data })));
    for (let told = ''; told !== 'shipments/order_processed/ORDER_PROCESSED'; ) {
      const received = await receiver.next();
      expect(signedWith(received, [secret])).toEqual([true]);
      const { ref, event_data, context } = JSON.parse(received.body);
      if (event_data.tracking_number !== 'N-1') continue;
      expect(context.order).toMatchObject({ order_number: '8', external_id: '8' });
      told = ref;
    }
  });

  test('cancel what was not sent, once', async () => {
    const own = await connected();
    expectDone(await own.send('order.created', wooProcessing()));
    for (let i = 0; i < 2; i++) expectDone(await own.send('order.updated', wooCancelled()));
    const { trackings } = await orderIn(own);
    expect(trackings.map(({ phase }: { phase: string }) => phase)).toEqual(['order_cancelled']);
    const cancelled = trackings[0].events.filter(
      (event: { event_name: string }) => event.event_name === 'ORDER_CANCELLED',
    );
    expect(cancelled).toHaveLength(1);
  });

  test('of a guest have what a guest gives, exactly, and nothing that is empty', async () => {
    const own = await connected();
    expectDone(await own.send('order.created', wooGuestOrder()));
    const order = await orderIn(own, 'US-000318');
    expect(order).toMatchObject({
      external_id: '7422',
      total_order_price: 13.07,
      shipping_price: 0,
      discount_price: 0,
      currency: 'USD',
      address: { name: 'Ada Reyes', company: 'Reyes & Sons', province_code: 'CA', country_code: 'US' },
    });
    for (const absent of ['external_customer_id', 'user_agent']) expect(order).not.toHaveProperty(absent);
    for (const absent of ['phone', 'address_line_2']) expect(order.address).not.toHaveProperty(absent);
    expect(JSON.stringify(order)).not.toContain('0000000');
  });

  test('have the numbers that the tracking extensions write, each once', async () => {
    const own = await connected();
    const meta_data = withWooMeta({
      _wc_shipment_tracking_items: { 0: officialTracking('A-1'), 2: officialTracking('A-2') },
      _aftership_tracking_items: [afterShipTracking('A-1'), afterShipTracking('A-3')],
    });
    expectDone(await own.send('order.created', wooProcessing({ meta_data })));
    expect(
      numbersOf(await orderIn(own))
        .filter((number) => number !== null)
        .toSorted(),
    ).toEqual(['A-1', 'A-2', 'A-3']);
  });

  test.each(['checkout-draft', 'auto-draft', 'trash'])('make nothing of an order that is %s', async (status) => {
    const own = await connected();
    expectDone(await own.send('order.updated', wooOrder({ status })));
    expect((await own.call('GET', '/orders')).body).toEqual([]);
    expect((await inboundOf(own.call)).unreadable).toEqual([]);
  });

  test('of deleted orders, products and other topics change nothing, and what nobody needs is counted', async () => {
    const own = await connected();
    expectDone(await own.send('order.created', wooProcessing()));
    const before = await orderIn(own);
    expectDone(await own.send('order.deleted', { id: 7421 }));
    expectDone(await own.send('product.updated', { id: 93 }));
    for (const topic of ['coupon.created', 'coupon.created', 'action.woocommerce_add_to_cart']) {
      expectDone(await own.send(topic, { id: 1 }));
    }
    expect(await orderIn(own)).toEqual(before);
    const { ignored, unreadable, last_received_at } = await inboundOf(own.call);
    expect(unreadable).toEqual([]);
    expect(last_received_at).toEqual(expect.any(String));
    expect(ignored.map(({ topic, count }: Record<string, unknown>) => [topic, count]).toSorted()).toEqual([
      ['action.woocommerce_add_to_cart', 1],
      ['coupon.created', 2],
    ]);
    // An order that comes back from the trash is whole.
    expectDone(await own.send('order.restored', wooCompleted()));
    expect(numbersOf(await orderIn(own))).toEqual([first, second]);
  });

  test('are found by the mapping rules that the merchant has set', async () => {
    const own = await connected();
    const rules = [
      { source: { key: 'marketplace', type: 'meta_data' }, target: 'marketplace_order_number' },
      { source: { key: 'billing.company', type: 'path' }, target: 'order_name' },
    ];
    const set = await own.call('PUT', '/settings/mappings', { version: 1, data: { 'shop_system_3.order': rules } });
    expect(set.status, set.text).toBe(200);
    const billing = { ...(wooOrder().billing as object), company: 'Köhler KG' };
    expectDone(await own.send('order.created', wooProcessing({ billing })));
    const order = await orderIn(own);
    expect(order.order_name).toBe('Köhler KG');
    expect(order.order_analytics.note_attributes).toContainEqual({ name: 'marketplace_order_number', value: 'M-77' });
  });
});

describe('the address of the webhooks', () => {
  const ping = (slug: string, body = 'webhook_id=142', headers = {}) =>
    api('POST', `/v1/shops/${slug}/shop-system/inbound/order-creation`, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });

  test('answers the test of WooCommerce, also where there is no shop', async () => {
    const shop = await connected();
    expectDone(await ping(shop.slug));
    expectDone(await ping('there-is-no-such-shop'));
    expect((await inboundOf(shop.call)).last_received_at).toBeNull();
  });

  test('refuses what nobody or somebody else signed', async () => {
    const { slug, send, secret } = await connected();
    const body = JSON.stringify(wooProcessing());
    const post = (headers: Record<string, string>, text = body) => ping(slug, text, headers);
    const forged = [
      await post({ 'content-type': 'application/json', 'x-wc-webhook-topic': 'order.created' }),
      await post({ 'x-wc-webhook-topic': 'order.created', 'x-wc-webhook-signature': signatureOf('wrong', body) }),
      await post({ 'x-wc-webhook-topic': 'order.created', 'x-shopify-hmac-sha256': signatureOf(secret, body) }),
      await post({ 'x-wc-webhook-topic': 'order.created', 'x-wc-webhook-signature': signatureOf(secret, `${body} `) }),
      await post({}, 'webhook_id=142&webhook_id=143'),
      await post({}, 'webhook_id=a'),
      await post({ 'x-wc-webhook-signature': 'x' }, 'webhook_id=142'),
    ];
    expect(forged.map(({ status }) => status)).toEqual(forged.map(() => 401));
    expectDone(await send('order.created', body));
  });
});

describe('what cannot be read of WooCommerce', () => {
  let shop: ConnectedShop;
  beforeAll(async () => {
    shop = await connected();
  });

  const listed = async () => (await inboundOf(shop.call)).unreadable;

  const { id: _id, ...withoutId } = wooOrder();
  const error = { code: 'woocommerce_rest_cannot_view', message: 'Sorry', data: { status: 401 } };
  test.each([
    ['an empty body', '', 'not_json'],
    ['a body that was cut', JSON.stringify(wooOrder()).slice(0, -30), 'not_json'],
    ['no object', 'null', undefined],
    ['an error of the shop', JSON.stringify(error), 'field_missing'],
    ['an order without an id', JSON.stringify(withoutId), 'field_missing'],
    ['an order of no time', JSON.stringify(wooOrder({ date_modified_gmt: 'x', date_created_gmt: null })), undefined],
  ])('is taken and listed with its reason: %s', async (_name, body, reason) => {
    const before = (await listed()).length;
    expectDone(await shop.send('order.created', body));
    const [newest, ...others] = await listed();
    expect(others).toHaveLength(before);
    expect(newest).toMatchObject({
      topic: 'order.created',
      reason: reason ?? expect.stringMatching(/^(field_|not_json)/),
    });
    expect(JSON.stringify(newest)).not.toMatch(/jana|Köhler|Sorry/);
    expect((await shop.call('GET', '/orders')).body).toEqual([]);
  });

  test.each([
    ['over our limit', requestLimits.bodyBytes],
    ['near the limit of the gateway', 5_900_000],
  ])('is listed as too large if it is %s', async (_name, size) => {
    expectDone(await shop.send('order.created', wooOrder({ meta_data: wooMeta({ label: 'x'.repeat(size) }) })));
    expect((await listed())[0]).toMatchObject({ reason: 'too_large', field: null });
  });

  test('of a field costs only that field, and the timeline says so', async () => {
    const own = await connected();
    expectDone(await own.send('order.created', wooProcessing({ total: 'a lot', date_created_gmt: 'yesterday' })));
    const order = await orderIn(own);
    expect(order).not.toHaveProperty('total_order_price');
    expect(order.shipping_price).toBe(4.9);
    const { text } = await own.call('GET', `/orders/${order.uuid}/timeline`);
    expect(text).toContain('total');
    expect(text).toMatch(/could not be read/);
    expect(text).not.toContain('a lot');
  });

  test('because another order has its id is listed as refused', async () => {
    const own = await connected();
    for (const [id, external_id] of [
      ['7421', 'first'],
      ['other', '7421'],
    ] as const) {
      expectDone(await own.call('PUT', '/orders', { id, order: { external_id }, trackings: [] }));
    }
    const sent = await own.send('order.created', wooProcessing());
    expect(sent.status, sent.text).toBe(200);
    expect((await own.call('GET', '/orders')).body).toHaveLength(2);
  });
});

describe('the webhooks of one order', () => {
  const money = { currency: 'CHF' };
  /** Before the merchant says something. */
  const refunded = { date_modified_gmt: '2026-11-14T08:00:00' };
  const states = [
    ['order.created', wooProcessing(money)],
    ['order.updated', wooPartiallyShipped(money)],
    ['order.updated', wooCompleted(money)],
    // Of the same second, with one number more.
    [
      'order.updated',
      wooCompleted({
        ...money,
        meta_data: withWooMeta({
          _wc_shipment_tracking_items: [
            zoremTracking(first),
            officialTracking(second),
            officialTracking('1Z999AA10123456784', { tracking_provider: 'UPS Germany' }),
          ],
        }),
      }),
    ],
    ['order.updated', wooPartiallyRefunded({ ...money, ...refunded })],
    ['order.deleted', { id: 7421 }],
  ] as const;

  /** What the merchant says of the order at some moment between them. */
  const merchantSays = [{}, { segments: ['merchant'] }, { email_id: 'merchant@example.com' }];

  async function arrive(sequence: readonly (typeof states)[number][], place: number, order: object): Promise<string> {
    const shop = await connected();
    const tell = async (some: typeof sequence) => {
      for (const [topic, payload] of some) expectDone(await shop.send(topic, payload));
    };
    await tell(sequence.slice(0, place));
    const said = shop.call('PUT', '/orders', { id: '7421', order, trackings: [{ tracking_number: first }] });
    await Promise.all([said, tell(sequence.slice(place))]);
    expectDone(await said);
    const { shop_slug: _, merchant_slug: __, ...stored } = stableParts(await orderIn(shop));
    return JSON.stringify(stored);
  }

  test('lead to the same order in fifty orders of arrival, with repeats, and beside the calls of the merchant', async () => {
    const random = seededRandom(3);
    const runs = Array.from({ length: 50 }, (_, i) => {
      const sequence = shuffledWithRepeats(states, random);
      return { sequence, place: Math.floor(random() * (sequence.length + 1)), order: merchantSays[i % 3]! };
    });
    const results = new Map(merchantSays.map((order) => [order, new Set<string>()]));
    for (let i = 0; i < runs.length; i += 10) {
      await Promise.all(
        runs.slice(i, i + 10).map(async ({ sequence, place, order }) => {
          results.get(order)!.add(await arrive(sequence, place, order));
        }),
      );
    }
    for (const [order, texts] of results) {
      const [one, ...others] = [...texts].map((text) => JSON.parse(text));
      for (const other of others) expect(other).toEqual(one);
      expect(one).toMatchObject({
        currency: 'CHF',
        total_order_price: 67.83,
        discount_price: 7,
        financial_status: 'partially_refunded',
        ...order,
      });
      expect(one.parcels).toHaveLength(3);
    }
  }, 240_000);

  test('make one order and no parcel twice when all come at once', async () => {
    const shop = await connected();
    const all = Array.from({ length: 5 }, () => states).flat();
    const answers = await Promise.all(all.map(([topic, payload]) => shop.send(topic, payload)));
    for (const answer of answers) expectDone(answer);
    expect(numbersOf(await orderIn(shop)).toSorted()).toEqual([second, first, '1Z999AA10123456784'].toSorted());
    expect((await shop.call('GET', '/orders')).body).toHaveLength(1);
  });

  test('never change what the merchant said after them', async () => {
    const shop = await connected();
    expectDone(await shop.send('order.created', wooProcessing()));
    const order = { email_id: 'later@example.com' };
    expectDone(await shop.call('PUT', '/orders', { id: '7421', order, trackings: [] }));
    expectDone(await shop.send('order.updated', wooPartiallyRefunded(refunded)));
    const stored = await orderIn(shop);
    expect([stored.email_id, stored.financial_status]).toEqual(['later@example.com', 'partially_refunded']);
  });
});

test('registrations are made in the shop with the secret that signs, and its webhooks come in', async () => {
  await using system = await startFakeWooCommerce();
  const shop = await connectWooCommerce(api, superAdmin, newSlug(), system.shopUrl);
  const registered = await shop.call('POST', '/shop-system/webhooks', { webhook_type: 'order-creation' });
  expect(registered.body, registered.text).toMatchObject({
    topic: 'order.created',
    external_id: String(system.hooks[0]!.id),
    shopify_id: null,
  });
  const [{ secret, delivery_url, topic }] = system.hooks as [(typeof system.hooks)[0]];
  expect(secret).toBe(shop.secret);
  expect(delivery_url.startsWith(url)).toBe(true);
  const body = wooJson(wooProcessing());
  const headers = { 'x-wc-webhook-topic': topic, 'x-wc-webhook-signature': signatureOf(secret, body) };
  expectDone(await api('POST', new URL(delivery_url).pathname, { body, headers }));
  await orderIn(shop);
  expect(await inboundOf(shop.call)).toMatchObject({ is_connected: true, last_topic: 'order.created' });

  const refused = await shop.call('POST', '/shop-system/webhooks', { webhook_type: 'order-cancelled' });
  expect(refused.status, refused.text).toBe(422);
  expectDone(await shop.call('DELETE', `/shop-system/webhooks/${registered.body.uuid}`));
  expect(system.hooks).toEqual([]);
});
