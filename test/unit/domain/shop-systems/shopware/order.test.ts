import { describe, expect, test } from 'vitest';
import type { ConvertedOrder } from '#domain/shop-systems/reading.ts';
import { convertShopwareOrder, readShopware } from '#domain/shop-systems/shopware/order.ts';
import { shopTopics } from '#schemas/catalogues/shop-webhooks.ts';
import {
  draftVersion,
  shopwareAddress,
  shopwareAppDeleted,
  shopwareDelivery,
  shopwareEntry,
  shopwareEvent,
  shopwareHook,
  shopwareId,
  shopwareLineItem,
  shopwareOrder,
  shopwareOrderId,
  shopwarePrice,
  shopwarePromotion,
  shopwareShippingDiscount,
  shopwareStages,
  shopwareState,
  shopwareTransaction,
  shopwareWritten,
  withoutDrafts,
} from '#test/kit/shopware-payloads.ts';

type Json = Record<string, unknown>;

function converted(order: Json, from: 'api' | 'hook' = 'api'): ConvertedOrder {
  const reading = convertShopwareOrder(order, [], from);
  if (reading.kind !== 'order') throw new Error(JSON.stringify(reading));
  return reading.converted;
}

const told = (fields: Json = {}) => converted(shopwareOrder(fields));

/** What an event tells of the order without the shop's API. */
function toldBy(event: string, order: Json): ConvertedOrder {
  const reading = readShopware(shopwareEvent(event, order), []);
  if (reading.kind !== 'named' || !reading.order) throw new Error(JSON.stringify(reading));
  return reading.order;
}

const placed = 'checkout.order.placed';
const shipped = 'state_enter.order_delivery.state.shipped';
const code = '00340434161094015902';

describe('an order of the API', () => {
  test('becomes an order of ours', () => {
    expect(told().order).toEqual({
      order_number: '10042',
      external_id: shopwareOrderId,
      order_placed_at: '2026-11-10T16:15:47.120Z',
      email_id: 'klara.weiss@mail.example.com',
      currency: 'EUR',
      total_order_price: 43.18,
      sub_total_price: 38.23,
      shipping_price: 4.95,
      discount_price: 4.25,
      financial_status: 'pending',
      order_status_url: 'https://shop.example.com/account/order/q3ZkT0uV8xYw1mNp5rSb7cDf9gHj2kLa',
      external_customer_id: '10007',
      segments: ['vip', 'Summer, 2026'],
      address: {
        name: 'Klara Weiß',
        address_line_1: 'Lindenallee 7',
        zip_code: '80331',
        city: 'München',
        province: 'Bayern',
        province_code: 'BY',
        country: 'Deutschland',
        country_code: 'DE',
      },
      products: [
        {
          title: 'Trail shirt',
          quantity: 2,
          price: 19.99,
          sku: 'SW10012.3',
          variant_title: 'Green / M',
          requires_shipping: true,
          images: [{ src: 'https://cdn.shop.example.com/media/2f/shirt-green.jpg', alt: 'A green shirt' }],
          type: 'product',
          product_id: shopwareId(0x41),
          variant_id: shopwareId(0x40),
        },
        { title: 'Gift wrapping', quantity: 1, price: 2.5, type: 'custom' },
      ],
      discounts: [{ code: 'WELCOME10', amount: '4.25', type: 'percentage' }],
      order_analytics: { language: 'de-DE' },
    });
    expect(told()).toMatchObject({ trackings: [], cancelledAt: undefined, unread: [], source: { parcels: undefined } });
  });

  test('has no field that the shop did not fill', () => {
    const bare = { id: shopwareOrderId, orderNumber: '7', createdAt: '2026-11-10T16:15:47.120+00:00' };
    expect(converted(bare).order).toEqual({
      order_number: '7',
      external_id: shopwareOrderId,
      order_placed_at: '2026-11-10T16:15:47.120Z',
    });
  });

  test('has times in UTC, whatever zone the shop writes', () => {
    const orderDateTime = '2026-11-10T00:30:00.000+02:00';
    expect(told({ orderDateTime }).order.order_placed_at).toBe('2026-11-09T22:30:00.000Z');
  });

  test('has notes of the customer and of the merchant', () => {
    const customFields = {
      custom_gift: true,
      custom_engraving: ' For Klara ',
      custom_sizes: ['S', 'M'],
      custom_empty: '',
      custom_none: null,
      custom_number: 7.5,
    };
    const { order_analytics } = told({ customerComment: 'Please ring twice', customFields }).order;
    expect(order_analytics?.note_attributes).toEqual([
      { name: 'customerComment', value: 'Please ring twice' },
      { name: 'custom_gift', value: 'true' },
      { name: 'custom_engraving', value: 'For Klara' },
      { name: 'custom_sizes', value: '["S","M"]' },
      { name: 'custom_number', value: '7.5' },
    ]);
  });

  test('has the codes by which the customer came', () => {
    const { order_analytics } = told({ affiliateCode: 'blog-7', campaignCode: 'autumn' }).order;
    expect(order_analytics).toMatchObject({ source: 'blog-7', campaign: 'autumn' });
  });

  test('follows the rules of the merchant, who may name any of its fields', () => {
    const rules = [{ source: { key: 'orderCustomer.customFields.loyalty_number', type: 'field' }, target: 'loyalty' }];
    const reading = convertShopwareOrder(shopwareOrder(), rules as never, 'api');
    expect(reading).toMatchObject({
      converted: { order: { order_analytics: { note_attributes: [{ name: 'loyalty', value: 'L-77' }] } } },
    });
  });

  test('is no order without its id, its number or any time', () => {
    const faultOf = (fields: Json) => convertShopwareOrder(shopwareOrder(fields), [], 'api');
    expect(faultOf({ id: null })).toEqual({ kind: 'unreadable', reason: 'field_missing', field: 'id' });
    expect(faultOf({ id: '7' })).toEqual({ kind: 'unreadable', reason: 'field_invalid', field: 'id' });
    const order = shopwareOrderId;
    const missing = { kind: 'unreadable', reason: 'field_missing', field: 'orderNumber', order };
    expect(faultOf({ orderNumber: ' ' })).toEqual(missing);
    expect(faultOf({ orderNumber: 'x'.repeat(256) })).toEqual({ ...missing, reason: 'field_invalid' });
    expect(convertShopwareOrder({ id: order, orderNumber: '7', createdAt: 'yesterday' }, [], 'api')).toEqual({
      kind: 'unreadable',
      reason: 'field_invalid',
      field: 'createdAt',
      order: '7',
    });
  });

  test('loses only what could not be read, and says what that was', () => {
    const { order, unread } = told({
      amountTotal: 'much',
      price: null,
      orderDateTime: '2026-02-30T00:00:00.000+00:00',
      currency: { isoCode: 'Euro' },
      lineItems: [shopwareLineItem(1, { quantity: -1, totalPrice: 10, cover: { url: 'javascript:alert(1)' } })],
      deliveries: [shopwareDelivery(1, { trackingCodes: [code, { code }] })],
    });
    expect(order).toMatchObject({ order_number: '10042', order_placed_at: '2026-11-10T16:15:47.120Z' });
    expect(order).not.toHaveProperty('total_order_price');
    expect(order).not.toHaveProperty('currency');
    expect(order.products).toEqual([{ title: 'Item 1', price: 10, type: 'product' }]);
    expect(unread.map(({ field }) => field).sort()).toEqual([
      'amountTotal',
      'currency.isoCode',
      'deliveries.0.trackingCodes.1',
      'lineItems.0.cover.url',
      'lineItems.0.quantity',
      'orderDateTime',
    ]);
  });
});

describe('money', () => {
  test('is exact, however PHP computed it', () => {
    const { order } = told({ amountTotal: 434.99999999999994, positionPrice: 0.1 + 0.2, shippingTotal: 1234567.89 });
    expect(order).toMatchObject({ total_order_price: 435, sub_total_price: 0.3, shipping_price: 1234567.89 });
  });

  test('of several discounts does not drift', () => {
    const lineItems = [0.1, 0.2, 0.7].map((amount, i) => shopwarePromotion(i, { unitPrice: -amount }));
    const { order } = told({ lineItems });
    expect(order.discount_price).toBe(1);
    expect(order.discounts?.map(({ amount }) => amount)).toEqual(['0.1', '0.2', '0.7']);
  });

  test('has as many decimals as its currency', () => {
    const { order } = told({ currency: { isoCode: 'JPY' }, amountTotal: 4318, shippingTotal: 0 });
    expect(order).toMatchObject({ currency: 'JPY', total_order_price: 4318, shipping_price: 0 });
  });

  test('of a discount that cannot be read makes no sum', () => {
    const lineItems = [shopwarePromotion(1), shopwarePromotion(2, { totalPrice: 'much' })];
    expect(told({ lineItems }).order).not.toHaveProperty('discount_price');
  });
});

describe('line items', () => {
  test('of a bundle are within it', () => {
    const bundle = shopwareLineItem(1, { label: 'Picnic', type: 'container', unitPrice: 30 });
    const inside = (n: number, parentId: unknown) =>
      shopwareLineItem(n, { label: `Part ${n}`, parentId, payload: { productNumber: `P${n}` } });
    const cup = inside(2, bundle.id);
    const { products } = told({ lineItems: [inside(3, cup.id), bundle, cup, shopwareLineItem(4)] }).order;
    expect(products).toEqual([
      {
        title: 'Picnic',
        quantity: 1,
        price: 30,
        type: 'container',
        bundled_products: [
          { title: 'Part 2', quantity: 1, price: 10, type: 'product' },
          { title: 'Part 3', quantity: 1, price: 10, type: 'product' },
        ],
      },
      { title: 'Item 4', quantity: 1, price: 10, type: 'product' },
    ]);
  });

  test('that contain each other are not lost', () => {
    const circle = [1, 2, 3].map((n) => shopwareLineItem(n, { parentId: shopwareId(0x100 + (n % 3) + 1) }));
    expect(told({ lineItems: circle }).order.products).toHaveLength(3);
  });

  test('that lower the price are discounts, whatever an extension calls them', () => {
    const lineItems = [
      shopwareLineItem(1, { type: 'credit', unitPrice: -5 }),
      shopwareLineItem(2, { type: 'loyalty-points', unitPrice: -1.5 }),
      shopwarePromotion(3, { payload: { code: '', discountType: 'absolute' }, unitPrice: -2 }),
    ];
    expect(told({ lineItems }).order).toMatchObject({
      products: [],
      discounts: [
        { amount: '5', type: 'credit' },
        { amount: '1.5', type: 'loyalty-points' },
        { amount: '2', type: 'absolute' },
      ],
      discount_price: 8.5,
    });
  });

  test('keep the code of a discount on shipping, whose amount lies in the shipping costs', () => {
    const payload = { code: 'FREESHIP', discountType: 'percentage', discountScope: 'delivery' };
    const { order } = told({
      lineItems: [shopwarePromotion(1, { unitPrice: 0, payload })],
      deliveries: [shopwareShippingDiscount(1), shopwareDelivery(2)],
      shippingTotal: 0,
    });
    expect(order).toMatchObject({ shipping_price: 0, discount_price: 0 });
    expect(order.discounts).toEqual([{ code: 'FREESHIP', type: 'percentage' }]);
  });

  test('are read also if PHP wrote their lists as objects', () => {
    const payload = { options: { 1: { group: 'Size', option: 'M' } } };
    const lineItems = { 7: shopwareLineItem(1, { states: { 1: 'is-physical' }, payload }) };
    expect(told({ lineItems }).order.products).toMatchObject([{ requires_shipping: true, variant_title: 'M' }]);
  });

  test('that are downloads need no shipping', () => {
    const lineItems = [shopwareLineItem(1, { states: ['is-download'], productId: shopwareId(9) })];
    expect(told({ lineItems }).order.products).toMatchObject([{ requires_shipping: false, product_id: shopwareId(9) }]);
  });

  test('come in the order of the shop', () => {
    const lineItems = [3, 1, 2].map((n) => shopwareLineItem(n));
    expect(told({ lineItems }).order.products?.map(({ title }) => title)).toEqual(['Item 1', 'Item 2', 'Item 3']);
  });
});

describe('the address', () => {
  const to = (street: string, fields: Json = {}) => ({ shippingOrderAddress: shopwareAddress({ street, ...fields }) });

  test('is that of the delivery that costs most, and of no discount', () => {
    const deliveries = [
      shopwareDelivery(1, { ...to('Discount'), shippingCosts: shopwarePrice(-4.95) }),
      shopwareDelivery(2, { ...to('Cheap'), shippingCosts: shopwarePrice(0) }),
      shopwareDelivery(3, to('Dear')),
    ];
    expect(told({ deliveries }).order.address?.address_line_1).toBe('Dear');
    expect(told({ deliveries, primaryOrderDeliveryId: shopwareId(0x302) }).order.address?.address_line_1).toBe('Cheap');
  });

  test('has company, department and further lines', () => {
    const fields = {
      company: 'Weiß GmbH',
      department: 'Einkauf',
      additionalAddressLine1: 'Hinterhof',
      additionalAddressLine2: '2. Stock',
      phoneNumber: '+49 89 1234',
      countryState: null,
    };
    const { address } = told({ deliveries: [shopwareDelivery(1, to('Weg 1', fields))] }).order;
    expect(address).toMatchObject({
      company: 'Weiß GmbH, Einkauf',
      address_line_2: 'Hinterhof, 2. Stock',
      phone: '+49 89 1234',
    });
    expect(address).not.toHaveProperty('province');
  });

  test('is found by its id if the delivery does not hold it', () => {
    expect(told({ deliveries: [shopwareDelivery(1, { shippingOrderAddress: null })] }).order.address).toMatchObject({
      address_line_1: 'Lindenallee 7',
    });
  });

  test('is that of the bill if nothing is delivered', () => {
    expect(told({ deliveries: [] }).order.address?.address_line_1).toBe('Rechnungsweg 1');
  });
});

describe('the status page', () => {
  const domain = (url: string, languageId = shopwareId(1)) => ({ url, languageId });

  test('is known only if the shop has a storefront', () => {
    const withDomains = (...domains: Json[]) => told({ salesChannel: { domains } }).order.order_status_url;
    expect(withDomains()).toBeUndefined();
    expect(withDomains(domain('default.headless0'))).toBeUndefined();
    expect(withDomains(domain('default.headless0'), domain('https://other.example.com/de/'))).toBe(
      'https://other.example.com/de/account/order/q3ZkT0uV8xYw1mNp5rSb7cDf9gHj2kLa',
    );
  });
});

describe('the payment', () => {
  const at = (minute: number) => ({ createdAt: `2026-11-10T16:${minute}:00.000+00:00` });
  const statusOf = (...transactions: Json[]) => told({ transactions }).order.financial_status;

  test('is the newest that did not fail', () => {
    const paid = shopwareTransaction(1, 'paid', at(20));
    const open = shopwareTransaction(2, 'open', at(10));
    const failed = shopwareTransaction(3, 'failed', at(30));
    expect(statusOf(open, paid, failed)).toBe('paid');
    expect(statusOf(failed)).toBe('failed');
    expect(statusOf()).toBeUndefined();
  });

  test.each([
    ['open', 'pending'],
    ['authorized', 'authorized'],
    ['paid_partially', 'partially_paid'],
    ['refunded', 'refunded'],
    ['refunded_partially', 'partially_refunded'],
    ['cancelled', 'voided'],
    ['a_state_of_an_extension', 'a_state_of_an_extension'],
  ])('that is %s is called %s', (state, word) => {
    expect(statusOf(shopwareTransaction(1, state))).toBe(word);
  });

  test('that a newer shop names counts', () => {
    const transactions = [shopwareTransaction(1, 'refunded', at(10)), shopwareTransaction(2, 'open', at(20))];
    expect(told({ transactions, primaryOrderTransactionId: shopwareId(0x601) }).order.financial_status).toBe(
      'refunded',
    );
  });
});

describe('parcels', () => {
  const delivery = (n: number, state: string, trackingCodes: unknown[], fields: Json = {}) =>
    shopwareDelivery(n, { trackingCodes, stateMachineState: shopwareState(state), ...fields });
  const parcelsOf = (...deliveries: Json[]) => told({ deliveries }).source.parcels;

  test('have the carrier, the time and the products of their delivery', () => {
    const { trackings, source } = converted(shopwareStages.shipped());
    expect(trackings).toEqual([
      {
        tracking_number: code,
        tracking_placed_at: '2026-11-11T09:30:00.250Z',
        tracking_company: 'DHL Paket',
        products: [expect.objectContaining({ sku: 'SW10012.3', quantity: 2 })],
      },
    ]);
    expect(source.parcels).toEqual({ count: 1, areAll: true });
  });

  test('that are several of one delivery have no products of their own', () => {
    const { trackings } = told({ deliveries: [delivery(1, 'shipped', ['A1', ' A2 ', '', 'a-1'])] });
    expect(trackings.map(({ tracking_number }) => tracking_number)).toHaveLength(2);
    for (const tracking of trackings) expect(tracking).not.toHaveProperty('products');
  });

  test('are read also if PHP wrote their codes as an object, and anything else is noted', () => {
    const gapped = shopwareDelivery(1, { trackingCodes: { 1: code } });
    const text = shopwareDelivery(2, { trackingCodes: code });
    const { trackings, unread } = told({ deliveries: { 3: gapped, 4: text } });
    expect(trackings).toMatchObject([{ tracking_number: code }]);
    expect(unread).toEqual([{ field: 'deliveries.1.trackingCodes' }]);
    expect(told({ deliveries: 'none' }).unread).toEqual([{ field: 'deliveries' }]);
  });

  test('of a partial delivery hold nobody knows what', () => {
    const { trackings, source } = converted(shopwareStages.partlyShipped());
    expect(trackings).toHaveLength(1);
    expect(trackings[0]).not.toHaveProperty('products');
    expect(source.parcels).toEqual({ count: 1, areAll: false });
  });

  test('are all there when every delivery has left', () => {
    const [first, second] = [delivery(1, 'shipped', ['A1']), delivery(2, 'shipped', ['A2'])];
    expect(parcelsOf(first, second)).toEqual({ count: 2, areAll: true });
    expect(parcelsOf(first, delivery(2, 'open', []))).toEqual({ count: 1, areAll: false });
    expect(parcelsOf(first, delivery(2, 'cancelled', ['A2']))).toEqual({ count: 1, areAll: true });
    expect(parcelsOf(first, shopwareShippingDiscount(2))).toEqual({ count: 1, areAll: true });
    expect(parcelsOf(delivery(1, 'open', ['A1']))).toBeUndefined();
    expect(parcelsOf(delivery(1, 'shipped', []))).toBeUndefined();
  });

  test('are none of a discount on shipping', () => {
    const discount = { ...shopwareShippingDiscount(2), trackingCodes: ['A2'] };
    expect(told({ deliveries: [discount] }).trackings).toEqual([]);
  });

  test('beyond what an order can expect are left out, and that is said', () => {
    const codes = Array.from({ length: 120 }, (_, n) => `CODE${n}`);
    const { trackings, unread, source } = told({ deliveries: [delivery(1, 'shipped', codes)] });
    expect(trackings).toHaveLength(100);
    expect(unread).toEqual([{ field: 'deliveries.trackingCodes' }]);
    expect(source.parcels).toEqual({ count: 120, areAll: true });
  });
});

describe('the time of a state', () => {
  const asOf = (order: Json, from: 'api' | 'hook' = 'api') => converted(order, from).source.asOf;
  const later = '2026-11-12T10:00:00.000+00:00';

  test('is that of the newest part', () => {
    const at = (name: string, part: Json) =>
      [name, shopwareOrder({ [name]: [{ ...part, updatedAt: later }] })] as const;
    const orders: (readonly [string, Json])[] = [
      ['order', shopwareOrder({ updatedAt: later })],
      at('deliveries', shopwareDelivery()),
      at('transactions', shopwareTransaction()),
      at('addresses', shopwareAddress()),
      at('lineItems', shopwareLineItem(1)),
      ['customer', shopwareOrder({ orderCustomer: { updatedAt: later } })],
      ['address of a delivery', shopwareOrder({ deliveries: [{ shippingOrderAddress: { updatedAt: later } }] })],
    ];
    for (const [name, order] of orders)
      expect(asOf(order), name).toMatch(/^2026-11-12T10:00:00\.000Z#1\.[0-9a-f]{12}$/);
    expect(asOf(shopwareOrder())).toMatch(/^2026-11-10T16:15:47\.120Z#1\./);
  });

  test('is the same for the same state and differs for another', () => {
    expect(asOf(shopwareOrder())).toBe(asOf(shopwareOrder()));
    expect(asOf(shopwareOrder())).not.toBe(asOf(shopwareOrder({ customerComment: 'Please ring twice' })));
    const state = shopwareState('cancelled');
    expect(asOf(shopwareOrder())).not.toBe(asOf(shopwareOrder({ stateMachineState: state })));
  });

  test('puts what the API says after what a hook says of the same moment', () => {
    expect(asOf(shopwareOrder(), 'hook') < asOf(shopwareOrder())).toBe(true);
    expect(asOf(shopwareOrder()) < asOf(shopwareOrder({ updatedAt: later }), 'hook')).toBe(true);
  });

  test('does not depend on the merchant’s rules', () => {
    const rules = [{ source: { key: 'orderNumber', type: 'field' }, target: 'order_name' }];
    const ruled = convertShopwareOrder(shopwareOrder(), rules as never, 'api');
    expect(ruled).toMatchObject({
      converted: { source: { asOf: asOf(shopwareOrder()) }, order: { order_name: '10042' } },
    });
  });
});

describe('a hook', () => {
  const named = (...orderIds: string[]) => ({ kind: 'named', orderIds });
  const read = (payload: unknown) => readShopware(payload, []);

  test('of an order that was placed tells the order, without what it did not load', () => {
    const { order, source } = toldBy(placed, shopwareOrder());
    expect(order).toMatchObject({
      order_number: '10042',
      external_customer_id: '10007',
      total_order_price: 43.18,
      financial_status: 'pending',
      products: [{ images: [{}] }, {}],
    });
    for (const name of ['segments', 'order_analytics', 'order_status_url']) expect(order).not.toHaveProperty(name);
    expect(source.asOf).toMatch(/#0\./);
  });

  test('of a shipped delivery says that it left, if there is only one', () => {
    const { trackings, source } = toldBy(shipped, shopwareStages.shipped());
    expect(trackings).toMatchObject([{ tracking_number: code }]);
    expect(source.parcels).toEqual({ count: 1, areAll: true });
    const partly = toldBy(`${shipped}_partially`, shopwareStages.partlyShipped());
    expect(partly.source.parcels).toEqual({ count: 1, areAll: false });
    const two = [shopwareDelivery(1, { trackingCodes: ['A1'] }), shopwareDelivery(2)];
    expect(toldBy(shipped, shopwareOrder({ deliveries: two })).source.parcels).toBeUndefined();
  });

  test('of a state tells no products, because it has no pictures of them', () => {
    const { order } = toldBy(shipped, shopwareStages.shipped());
    expect(order).not.toHaveProperty('products');
    expect(order).toMatchObject({ discount_price: 4.25, discounts: [{ code: 'WELCOME10' }] });
  });

  test('of a cancelled order says when', () => {
    const { cancelledAt } = toldBy('state_enter.order.state.cancelled', shopwareStages.cancelled());
    expect(cancelledAt).toBe('2026-11-10T18:00:00.000Z');
    const quiet = shopwareStages.cancelled({ stateMachineState: null });
    expect(toldBy('state_enter.order.state.cancelled', quiet).cancelledAt).toBe('2026-11-10T18:00:00.000Z');
    expect(toldBy(placed, shopwareOrder()).cancelledAt).toBeUndefined();
  });

  test('names its order also if that cannot be read', () => {
    expect(read(shopwareEvent(placed, shopwareOrder({ orderNumber: null })))).toEqual(named(shopwareOrderId));
  });

  test('without an order, or with one without an id, cannot be read', () => {
    const fault = { kind: 'unreadable', reason: 'field_missing', field: 'data.payload.order.id' };
    expect(read(shopwareHook(placed, []))).toEqual(fault);
    expect(read(shopwareHook(placed, { order: { id: 7 } }))).toEqual({ ...fault, reason: 'field_invalid' });
  });

  test('of a draft tells nothing', () => {
    expect(read(shopwareEvent(placed, shopwareOrder({ versionId: draftVersion })))).toEqual({ kind: 'nothing' });
    expect(read(shopwareWritten(shopwareEntry({ versionId: draftVersion })))).toEqual({ kind: 'nothing' });
  });

  test('of written orders names each once', () => {
    const [a, b] = [shopwareId(11), shopwareId(12)];
    const entries = [
      shopwareEntry({ primaryKey: a, versionId: draftVersion }),
      shopwareEntry({ primaryKey: b }),
      shopwareEntry({ primaryKey: a, operation: 'insert' }),
      shopwareEntry({ primaryKey: b }),
      shopwareEntry({ primaryKey: shopwareId(13), operation: 'delete' }),
      shopwareEntry({ primaryKey: shopwareId(14), entity: 'order_address' }),
      shopwareEntry({ primaryKey: 'no id' }),
    ];
    expect(read(shopwareWritten(...entries))).toEqual(named(b, a));
    const filtered = withoutDrafts(entries);
    expect(Array.isArray(filtered)).toBe(false);
    expect(read(shopwareHook('order.written', filtered))).toEqual(named(b, a));
    expect(read(shopwareWritten())).toEqual(named(shopwareOrderId));
  });

  test('of written orders without ids cannot be read', () => {
    const fault = { kind: 'unreadable', reason: 'field_missing', field: 'data.payload' };
    expect(read(shopwareHook('order.written', null))).toEqual(fault);
    const field = 'data.payload.0.primaryKey';
    expect(read(shopwareWritten({ entity: 'order' }))).toEqual({ ...fault, field });
    expect(read(shopwareWritten(shopwareEntry({ primaryKey: 7 })))).toEqual({
      ...fault,
      field,
      reason: 'field_invalid',
    });
    expect(read(shopwareHook('order.written', []))).toEqual({ kind: 'nothing' });
  });

  test('of a deleted order or of the app tells nothing', () => {
    expect(read(shopwareHook('order.deleted', [shopwareEntry({ operation: 'delete' })]))).toEqual({ kind: 'nothing' });
    expect(read(shopwareAppDeleted())).toEqual({ kind: 'nothing' });
  });

  test('of anything else is unknown', () => {
    for (const event of ['customer.written', 'state_enter.order_transaction.state.paid', '']) {
      expect(read(shopwareHook(event, []))).toEqual({ kind: 'unknown_topic' });
    }
  });

  test('without an event cannot be read', () => {
    const fault = { kind: 'unreadable', reason: 'field_missing', field: 'data.event' };
    for (const payload of [undefined, null, 7, 'text', [], {}, { data: [] }]) expect(read(payload)).toEqual(fault);
    expect(read({ data: { event: 7 } })).toEqual({ ...fault, reason: 'field_invalid' });
  });

  test('is understood for every topic that the manifest asks for', () => {
    for (const event of Object.values(shopTopics.shop_system_2)) {
      const payload = event.startsWith('order.') ? [shopwareEntry()] : { order: shopwareOrder() };
      expect(['named', 'nothing'], event).toContain(read(shopwareHook(event, payload)).kind);
    }
  });
});
