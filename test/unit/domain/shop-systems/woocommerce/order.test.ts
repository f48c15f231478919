import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConvertedOrder, Reading } from '#domain/shop-systems/reading.ts';
import { readWooCommerce } from '#domain/shop-systems/woocommerce/order.ts';
import { orderLimits, shopWebhookLimits } from '#schemas/catalogues/limits.ts';
import { OrderInput, TrackingInput } from '#schemas/shapes/order-shapes.ts';
import { validatorOf } from '#test/kit/validators.ts';
import {
  afterShipTracking,
  officialTracking,
  withWooMeta,
  wooCancelled,
  wooCompleted,
  wooErrorBody,
  wooGuestOrder,
  wooJson,
  wooMeta,
  wooOrder,
  wooPartiallyRefunded,
  wooPartiallyShipped,
  wooProcessing,
  wooRefunded,
  wooStages,
  wooUnpaid,
  zoremTracking,
} from '#test/kit/woocommerce-payloads.ts';

const read = (payload: unknown, topic: string | undefined = 'order.updated'): Reading =>
  readWooCommerce(payload, topic, []);

function converted(payload: unknown): ConvertedOrder {
  const reading = read(payload);
  if (reading.kind !== 'order') throw new Error(`the payload is ${JSON.stringify(reading)}`);
  return reading.converted;
}

const orderOf = (fields: Record<string, unknown>) => converted(wooOrder(fields)).order;
const unreadOf = (fields: Record<string, unknown>) => converted(wooOrder(fields)).unread.map(({ field }) => field);

describe('an order of WooCommerce', () => {
  test('becomes an order of ours', () => {
    expect(converted(wooOrder())).toEqual({
      order: {
        order_number: '7421',
        external_id: '7421',
        order_name: '7421',
        order_placed_at: '2026-11-10T16:15:47.000Z',
        email_id: 'jana.koehler@mail.example.com',
        currency: 'EUR',
        total_order_price: 67.83,
        sub_total_price: 62.93,
        discount_price: 7,
        shipping_price: 4.9,
        financial_status: 'pending',
        external_customer_id: '58',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0)',
        address: {
          name: 'Jana Köhler',
          address_line_1: 'Lindenallee 14',
          address_line_2: 'Hinterhaus',
          city: 'Nürnberg',
          zip_code: '90402',
          province_code: 'BY',
          country_code: 'DE',
          phone: '+49 911 5550142',
        },
        products: [
          {
            title: 'Hoodie & Cap',
            variant_title: 'Blue / L',
            quantity: 2,
            price: 29.99,
            sku: 'HOOD-BLUE-L',
            images: [{ src: 'https://shop.example.com/wp-content/uploads/2026/03/hoodie-blue.jpg' }],
            product_id: '93',
            variant_id: '104',
            type: 'product',
          },
          { title: 'Mug', quantity: 1, price: 9.95, product_id: '22', type: 'product' },
        ],
        discounts: [{ code: 'autumn10', amount: '7.00', type: 'percent' }],
        order_analytics: {
          source: 'newsletter',
          campaign: 'autumn',
          medium: 'email',
          landing_url: 'https://shop.example.com/sale/?utm_source=newsletter',
          landing_path: '/sale/',
          referrer: 'https://news.example.com/gifts',
          language: 'de',
          note_attributes: [
            { name: 'customer_note', value: 'Please ring twice.' },
            { name: 'is_vat_exempt', value: 'no' },
            { name: 'marketplace', value: 'M-77' },
          ],
        },
      },
      trackings: [],
      cancelledAt: undefined,
      unread: [],
      source: { asOf: expect.stringMatching(/^2026-11-10T16:15:47\.000Z#1\.0000\.[0-9a-f]{12}$/), parcels: undefined },
    });
  });

  test('adds up to its total: its products after discounts, with shipping', () => {
    const { total_order_price, sub_total_price, shipping_price, discount_price, products } = converted(
      wooOrder(),
    ).order;
    const cents = (...amounts: (number | undefined)[]) =>
      amounts.reduce<number>((sum, one) => sum + Math.round(one! * 100), 0);
    expect(cents(sub_total_price, shipping_price)).toBe(cents(total_order_price));
    const before = products!.map(({ price, quantity }) => price! * quantity!);
    expect(cents(...before)).toBe(cents(sub_total_price, discount_price));
  });

  test('without a coupon and without notes says so, and one that tells neither does not', () => {
    const gone = orderOf({ coupon_lines: [], meta_data: [], customer_note: '' });
    expect(gone).toMatchObject({ discounts: [], order_analytics: { note_attributes: [] } });
    const silent = orderOf({ coupon_lines: undefined, meta_data: undefined, customer_note: '' });
    expect(silent).not.toHaveProperty('discounts');
    expect(silent).not.toHaveProperty('order_analytics');
  });

  test('of a guest has no customer, the billing address, and prices without tax if the shop tells them so', () => {
    expect(converted(wooGuestOrder()).order).toEqual({
      order_number: 'US-000318',
      external_id: '7422',
      order_name: 'US-000318',
      order_placed_at: '2026-11-10T16:15:47.000Z',
      email_id: 'ada@mail.example.com',
      currency: 'USD',
      total_order_price: 13.07,
      sub_total_price: 10,
      discount_price: 0,
      shipping_price: 0,
      financial_status: 'paid',
      address: {
        name: 'Ada Reyes',
        company: 'Reyes & Sons',
        address_line_1: '92 Chestnut Street',
        city: 'Oakland',
        zip_code: '94607',
        province_code: 'CA',
        country_code: 'US',
      },
      products: [{ title: 'Pattern book (PDF)', quantity: 3, price: 3.33, product_id: '51', type: 'product' }],
      discounts: [],
      order_analytics: { note_attributes: [] },
    });
  });

  test('is read from the text that PHP writes as from any other', () => {
    expect(wooJson(wooOrder())).toMatch(/^[ -~]+$/);
    expect(converted(JSON.parse(wooJson(wooOrder())))).toEqual(converted(wooOrder()));
  });

  test('sets no field that it does not hold', () => {
    const bare = { id: 7, number: '7', status: 'processing', date_modified_gmt: '2026-11-10T00:00:00' };
    const empty = { billing: [], shipping: [], line_items: [], coupon_lines: '', meta_data: null, refunds: [] };
    const texts = { currency: '', total: '', date_paid_gmt: null, customer_note: ' ', customer_user_agent: '' };
    for (const payload of [bare, { ...bare, ...empty, ...texts, customer_id: 0, date_created_gmt: null }]) {
      expect(converted(payload)).toMatchObject({ trackings: [], unread: [] });
      expect(converted(payload).order).toEqual({
        order_number: '7',
        external_id: '7',
        order_name: '7',
        financial_status: 'paid',
      });
    }
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['just placed', wooOrder(), 'pending'],
    ['not paid', wooUnpaid(), 'pending'],
    ['paid', wooProcessing(), 'paid'],
    ['completed', wooCompleted(), 'paid'],
    ['paid and put on hold', wooProcessing({ status: 'on-hold' }), 'paid'],
    ['partially refunded', wooPartiallyRefunded(), 'partially_refunded'],
    ['refunded', wooRefunded(), 'refunded'],
    ['refunded in full without that status', wooRefunded({ status: 'completed' }), 'refunded'],
    ['cancelled before it was paid', wooCancelled(), 'pending'],
    ['failed', wooOrder({ status: 'failed' }), 'pending'],
  ])('that is %s has its financial status', (_, payload, status) => {
    expect(converted(payload).order.financial_status).toBe(status);
  });

  test('is cancelled at the time of the change, and not if its payment failed', () => {
    expect(converted(wooCancelled()).cancelledAt).toBe('2026-11-10T18:00:00.000Z');
    expect(converted(wooOrder({ status: 'wc-cancelled' })).cancelledAt).toBe('2026-11-10T16:15:47.000Z');
    for (const payload of [wooOrder(), wooOrder({ status: 'failed' }), wooRefunded()]) {
      expect(converted(payload).cancelledAt).toBeUndefined();
    }
  });

  test.each<[string, Record<string, unknown>]>([
    ['waits for its payment', wooUnpaid()],
    ['waits for its payment, without items yet', wooUnpaid({ total: '0.00', line_items: [] })],
    ['failed', wooUnpaid({ status: 'failed' })],
    ['was cancelled', wooCancelled()],
    ['was cancelled, of an unknown total', wooCancelled({ total: 'x' })],
    ['was cancelled, with a day of payment that is none', wooCancelled({ date_paid_gmt: '0000-00-00T00:00:00' })],
  ])('that was never paid and %s makes no new order', (_, payload) => {
    expect(converted(payload).onlyIfKnown).toBe(true);
  });

  const paid = { date_paid_gmt: '2026-11-10T16:16:30' };

  test.each<[string, Record<string, unknown>]>([
    ['waits for a bank transfer', wooOrder()],
    ['is paid', wooProcessing()],
    ['is paid at the door', wooProcessing({ payment_method: 'cod', date_paid_gmt: null })],
    ['is completed', wooCompleted({ date_paid_gmt: null })],
    ['is refunded', wooRefunded({ date_paid_gmt: null })],
    ['has a status of an extension', wooOrder({ status: 'awaiting-shipment' })],
    ['has no status', wooOrder({ status: undefined })],
    ['was paid and cancelled', wooCancelled(paid)],
    ['was cancelled after a part of the money was given back', wooCancelled({ refunds: [{ id: 1, total: '-5.00' }] })],
    ['cost nothing and was cancelled', wooCancelled({ total: '0.00' })],
    ['was paid, and a later payment failed', wooUnpaid({ status: 'failed', ...paid })],
  ])('that %s is an order', (_, payload) => {
    expect(converted(payload)).not.toHaveProperty('onlyIfKnown');
  });

  test('names what the customer chose, whatever way the shop writes it', () => {
    const [hoodie] = wooOrder().line_items as Record<string, unknown>[];
    const titles = (fields: Record<string, unknown>) => {
      const [{ title, variant_title } = {}] = orderOf({ line_items: [{ ...hoodie, ...fields }] }).products ?? [];
      return [title, variant_title];
    };
    expect(titles({ name: 'Hoodie', parent_name: 'Hoodie' })).toEqual(['Hoodie', 'Blue / L']);
    expect(titles({ meta_data: [] })).toEqual(['Hoodie & Cap', 'Blue, L']);
    expect(titles({ name: 'Tea &#8211; 3 &lt; 4 &copy;', variation_id: 0 })).toEqual(['Tea – 3 < 4 &copy;', undefined]);
    expect(titles({ name: '', parent_name: 'Hoodie', meta_data: 'x' })).toEqual(['Hoodie', undefined]);
  });

  test.each([
    ['Bayern', 'DE', { province: 'Bayern' }],
    ['DE-BY', 'DE', { province_code: 'BY' }],
    ['DE-BY', 'de', { province_code: 'BY' }],
    ['DE-BY', 'AT', { province_code: 'DE-BY' }],
    ['DE-BY', '', { province_code: 'DE-BY' }],
    ['DE', 'DE', { province_code: 'DE' }],
    ['TR34', 'TR', { province_code: 'TR34' }],
    ['', 'DE', {}],
  ])('with the state %j of %j tells it as a code without the country, or as a name', (state, country, told) => {
    const { province, province_code } = orderOf({ shipping: { city: 'X', state, country } }).address!;
    expect({ province, province_code }).toEqual({ province: undefined, province_code: undefined, ...told });
  });

  test.each([
    [{ wpml_language: 'fr' }, 'fr'],
    [{ trp_language: 'de_DE' }, 'de-DE'],
    [{ wpml_language: '', trp_language: 'pt_BR' }, 'pt-BR'],
    [{ wpml_language: { a: 1 } }, undefined],
  ])('with the meta data %j is in the language %s', (values, language) => {
    const { order_analytics } = orderOf({ meta_data: wooMeta(values), customer_note: '' });
    expect(order_analytics).toEqual({ ...(language && { language }), note_attributes: [] });
  });

  test('applies the rules of the shop, except to what names the order', () => {
    const rules = [
      { source: { type: 'order', key: 'billing.company' }, target: 'address.company' },
      { source: { type: 'order', key: 'payment_method' }, target: 'order_number' },
    ];
    const payload = wooOrder({ billing: { company: 'Köhler GmbH' } });
    const reading = readWooCommerce(payload, 'order.created', rules as never);
    expect(reading).toMatchObject({
      converted: { order: { order_number: '7421', address: { company: 'Köhler GmbH', city: 'Nürnberg' } } },
    });
  });
});

describe('what cannot be read', () => {
  const [line] = wooOrder().line_items as Record<string, unknown>[];

  test.each<[string, Record<string, unknown>, string[]]>([
    ['a total', { total: '67,83' }, ['total']],
    [
      'a price',
      { line_items: [{ ...line, subtotal: 'free', price: NaN }] },
      ['line_items.0.subtotal', 'line_items.0.price'],
    ],
    ['a tax', { shipping_tax: 'n/a' }, ['shipping_tax']],
    ['a quantity', { line_items: [{ ...line, quantity: 1.5 }] }, ['line_items.0.quantity']],
    ['a time', { date_created_gmt: '2026-02-30T10:00:00' }, ['date_created_gmt']],
    ['a time of payment', { date_paid_gmt: '0000-00-00T00:00:00' }, ['date_paid_gmt']],
    ['a currency', { currency: 'Euro' }, ['currency']],
    ['a country', { shipping: { city: 'X', country: 'Germany' } }, ['shipping.country']],
    ['a picture', { line_items: [{ ...line, image: { src: 'javascript:alert(1)' } }] }, ['line_items.0.image.src']],
    ['an address', { billing: { email: `${'x'.repeat(320)}@a.example.com` } }, ['billing.email']],
    ['the line items', { line_items: 'none' }, ['line_items']],
    [
      'the parcels',
      { meta_data: wooMeta({ _wc_shipment_tracking_items: 'a:1:{}' }) },
      ['meta_data._wc_shipment_tracking_items'],
    ],
  ])('of an order, such as %s, is left out and noted', (_, fields, expected) => {
    expect(unreadOf(fields)).toEqual(expected);
  });

  test('is never a part of a sum', () => {
    const { sub_total_price, products } = orderOf({ line_items: [{ ...line, subtotal: 'x', total: 'x' }, line] });
    expect(sub_total_price).toBeUndefined();
    expect(products!.map(({ price }) => price)).toEqual([22.68, 29.99]);
  });

  test('of a currency takes the amounts with it', () => {
    expect(orderOf({ currency: ' usd ' })).toMatchObject({ currency: 'USD', total_order_price: 67.83 });
    const order = orderOf({ currency: '€' });
    const amounts = ['currency', 'total_order_price', 'sub_total_price', 'discount_price', 'shipping_price'];
    expect(amounts.filter((name) => name in order)).toEqual([]);
    expect(order.products!.filter((product) => 'price' in product)).toEqual([]);
    expect(order.discounts).toEqual([{ code: 'autumn10', type: 'percent' }]);
    const [parcel] = converted(wooPartiallyShipped({ currency: '€' })).trackings;
    expect(parcel!.products).toEqual([{ title: 'Mug', quantity: 1, product_id: '22', type: 'product' }]);
  });

  test('is told without a value of the payload, and not without end', () => {
    const fields = unreadOf({ line_items: Array.from({ length: 200 }, () => ({ quantity: 'secret' })) });
    expect(fields).toHaveLength(shopWebhookLimits.unreadFields);
    expect(JSON.stringify(fields)).not.toContain('secret');
  });

  test('a time of change is the time of creation', () => {
    const { source, unread } = converted(wooOrder({ date_modified_gmt: 'soon' }));
    expect(source.asOf).toMatch(/^2026-11-10T16:15:47\.000Z#/);
    expect(unread).toEqual([{ field: 'date_modified_gmt' }]);
  });

  test.each<[string, unknown, object]>([
    ['no id', wooOrder({ id: undefined }), { reason: 'field_missing', field: 'id' }],
    ['a wrong id', wooOrder({ id: 'x' }), { reason: 'field_invalid', field: 'id' }],
    ['no number', wooOrder({ number: '' }), { reason: 'field_missing', field: 'number', order: '7421' }],
    ['a wrong number', wooOrder({ number: { a: 1 } }), { reason: 'field_invalid', field: 'number', order: '7421' }],
    [
      'no time',
      wooOrder({ date_modified_gmt: null, date_created_gmt: null }),
      { reason: 'field_missing', field: 'date_modified_gmt', order: '7421' },
    ],
    ['only an order within', { order: wooOrder() }, { reason: 'field_missing', field: 'id' }],
    ['nothing', null, { reason: 'field_missing', field: 'id' }],
    ['a list', [wooOrder()], { reason: 'field_missing', field: 'id' }],
  ])('is an order with %s', (_, payload, fault) => {
    expect(read(payload)).toEqual({ kind: 'unreadable', order: undefined, ...fault });
  });

  test.each([
    ['woocommerce_rest_cannot_view', 'field_missing'],
    ['woocommerce_rest_shop_order_invalid_id', 'order_not_found'],
  ])('is the error %s in the place of an order', (code, reason) => {
    expect(read({ ...wooErrorBody, code })).toEqual({ kind: 'unreadable', reason, field: code });
  });

  test('is an error with a code that is no word', () => {
    expect(read({ ...wooErrorBody, code: '<b>no</b>' })).toMatchObject({ reason: 'field_missing', field: 'id' });
  });
});

describe('a topic', () => {
  test.each(['order.created', 'order.updated', 'order.restored', ' Order.Updated '])('%s tells an order', (topic) => {
    expect(read(wooOrder(), topic).kind).toBe('order');
  });

  test.each(['order.deleted', 'product.created', 'product.updated', 'product.deleted', 'product.restored'])(
    '%s tells nothing',
    (topic) => {
      expect(read({ id: 7421 }, topic)).toEqual({ kind: 'nothing' });
    },
  );

  test.each([undefined, '', 'coupon.created', 'customer.updated', 'action.woocommerce_checkout', 'orders/create'])(
    '%s is unknown',
    (topic) => {
      expect(readWooCommerce(wooOrder(), topic, [])).toEqual({ kind: 'unknown_topic' });
    },
  );

  test.each(['checkout-draft', 'auto-draft', 'trash', 'wc-trash'])('tells nothing of an order that is %s', (status) => {
    expect(read(wooOrder({ status }))).toEqual({ kind: 'nothing' });
  });
});

describe('states of an order', () => {
  const asOf = (payload: unknown) => converted(payload).source.asOf;

  test('are sorted by their time, then by how far the order is', () => {
    const at = (status: string, fields: Record<string, unknown> = {}) => wooOrder({ status, ...fields });
    const meta_data = wooMeta({ _wc_shipment_tracking_items: [officialTracking('A1')] });
    const inOrder = [
      at('pending'),
      at('processing'),
      at('processing', { meta_data }),
      at('partial-shipped', { meta_data }),
      at('completed', { meta_data }),
      at('cancelled'),
      at('refunded'),
      at('pending', { date_modified_gmt: '2026-11-10T16:15:48' }),
    ].map(asOf);
    expect(inOrder.toSorted()).toEqual(inOrder);
  });

  test('have the same text if they are the same, and another if they are not', () => {
    expect(asOf(wooOrder())).toBe(asOf(structuredClone(wooOrder({ cart_hash: 'other' }))));
    expect(asOf(wooOrder())).not.toBe(asOf(wooOrder({ customer_note: 'Please do not ring.' })));
  });

  test.each<[string, unknown, object | undefined]>([
    ['partially shipped', wooPartiallyShipped(), { count: 1, areAll: false }],
    ['completed', wooCompleted(), { count: 2, areAll: true }],
    ['completed without a tracking number', wooGuestOrder(), undefined],
    ['processing', wooProcessing({ meta_data: withWooMeta({ _tracking_number: 'A1' }) }), undefined],
  ])('that are %s tell how many parcels there are', (_, payload, parcels) => {
    expect(converted(payload).source.parcels).toEqual(parcels);
  });
});

describe('whatever anybody sends', () => {
  const isOrder = validatorOf(OrderInput);
  const isTracking = validatorOf(TrackingInput);

  /** Checks the result of any payload. */
  function check(payload: unknown): void {
    const reading = read(payload);
    if (reading.kind !== 'order') return;
    const { order, trackings, unread, source } = reading.converted;
    expect(isOrder(order), JSON.stringify(isOrder.errors)).toBe(true);
    for (const tracking of trackings) expect(isTracking(tracking), JSON.stringify(isTracking.errors)).toBe(true);
    expect(trackings.length).toBeLessThanOrEqual(orderLimits.trackingsInOneUpsert);
    expect(unread.length).toBeLessThanOrEqual(shopWebhookLimits.unreadFields);
    expect(source.asOf).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#\d\.\d{4,}\.[0-9a-f]{12}$/);
    expect(emptyTexts({ order, trackings })).toEqual([]);
  }

  /** That say that there is nothing. */
  const emptyLists = ['.trackings', '.order.discounts', '.order.order_analytics.note_attributes'];

  /** The places of empty texts, lists and objects. */
  function emptyTexts(value: unknown, place = ''): string[] {
    if (typeof value === 'string') return value.trim() === '' || !value.isWellFormed() ? [place] : [];
    if (typeof value !== 'object' || value === null) return value === null ? [place] : [];
    const entries = Object.entries(value);
    if (entries.length === 0 && !emptyLists.includes(place)) return [place];
    return entries.flatMap(([name, part]) => emptyTexts(part, `${place}.${name}`));
  }

  const samples = [...Object.values(wooStages).map((stage) => stage()), wooUnpaid(), wooGuestOrder()];
  const amounts = ['19.99', '0.10', '1e3', '-5.00', '12,50', '1000000000000.01', 'NaN', '9'.repeat(500), 3, -0, 1e300];
  const times = ['2026-11-10T16:15:47', '2026-02-30T00:00:00', '0000-00-00T00:00:00', 1794441600, '1794441600', null];
  const odd = fc.oneof(
    fc.constantFrom(...amounts, ...times, ...amounts.map(String)),
    fc.constantFrom('', ' ', '\ud83d', '\u0000', '__proto__', 'x'.repeat(6000), '😀'.repeat(2000), [], {}, [[]], true),
    fc.constantFrom(officialTracking('A'), zoremTracking(' '), afterShipTracking('A, B ,,C'), {
      0: {},
      2: { key: 'a' },
    }),
    fc.jsonValue({ maxDepth: 3 }),
  );

  /** The payload with another value at one of its places. */
  function changedAt(payload: unknown, path: number[], value: unknown): unknown {
    if (path.length === 0 || typeof payload !== 'object' || payload === null) return value;
    const names = Object.keys(payload);
    if (names.length === 0) return value;
    const [step, ...rest] = path;
    const name = names[step! % names.length]!;
    const copy = Array.isArray(payload) ? [...payload] : { ...payload };
    (copy as Record<string, unknown>)[name] = changedAt((payload as Record<string, unknown>)[name], rest, value);
    return copy;
  }

  test('an order with wrong values at any places is valid, without empty texts', () => {
    const change = fc.tuple(fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 5 }), odd);
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 6 }), (sample, changes) => {
        check(changes.reduce<unknown>((payload, [path, value]) => changedAt(payload, path, value), sample));
      }),
      { numRuns: 400 },
    );
  });

  test('every field of an order may have any value', () => {
    for (const sample of samples) {
      for (const name of Object.keys(sample)) {
        for (const value of [null, '', [], {}, 0, -1, true, 'x'.repeat(6000), [[null]], [null, 1, 'a', { a: {} }]]) {
          check({ ...sample, [name]: value });
        }
      }
    }
  });

  test('any JSON is read without an error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (payload, topic) => {
        read(payload);
        read(payload, topic);
      }),
    );
  });

  test('a huge order keeps within the limits', () => {
    const [line] = wooOrder().line_items as Record<string, unknown>[];
    const big = 'ä'.repeat(10_000);
    const [coupon] = wooOrder().coupon_lines as Record<string, unknown>[];
    const payload = wooOrder({
      number: 'N'.repeat(255),
      customer_note: big,
      customer_user_agent: big,
      line_items: Array.from({ length: 1500 }, (_, i) => ({ ...line, id: i, name: big, sku: big, parent_name: big })),
      coupon_lines: Array.from({ length: 200 }, () => ({ ...coupon, code: big, discount_type: big })),
      shipping: Object.fromEntries(Object.keys(wooOrder().billing as object).map((name) => [name, big])),
      meta_data: [
        ...wooMeta(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`note ${i} ${big}`, big]))),
        ...wooMeta({
          _wc_order_attribution_utm_source: big,
          _wc_order_attribution_session_entry: `https://shop.example.com/${big}`,
          _wc_shipment_tracking_items: Array.from({ length: 120 }, (_, i) => officialTracking(`N${i}`)),
        }),
      ],
      status: 'completed',
    });
    check(payload);
    const { order, trackings, source, unread } = converted(payload);
    expect(order.products).toHaveLength(1000);
    expect(order.discounts).toHaveLength(100);
    expect(JSON.stringify(order.order_analytics).length).toBeLessThan(50_000);
    expect(trackings.map(({ tracking_number }) => tracking_number)).toEqual(
      Array.from({ length: 50 }, (_, i) => `N${70 + i}`),
    );
    expect(source.parcels).toEqual({ count: 120, areAll: true });
    const noted = unread.map(({ field }) => field);
    expect(noted).toEqual(expect.arrayContaining(['line_items', 'meta_data._wc_shipment_tracking_items.0']));
  });
});
