import { createHmac } from 'node:crypto';

/**
 * Orders and webhooks of shop_system_2, made after the definitions and encoders of shopware/shopware (cfc087d:
 * src/Core/Checkout/Order, src/Core/Framework/Webhook) with the fields that we do not use.
 */

type Json = Record<string, unknown>;

/** The version that is no draft (`Defaults::LIVE_VERSION`). */
const liveVersion = '0fa91ce3e96a4bc2be4bd9ce752c3425';
export const draftVersion = '0193200000007000800000000000d4af';

/** An id as the system makes them: 32 hexadecimal digits. */
export const shopwareId = (n: number): string => `0193200000007000${n.toString(16).padStart(16, '8000000000000000')}`;

/** The order of `shopwareOrder`. */
export const shopwareOrderId = shopwareId(1);

const placedAt = '2026-11-10T16:15:47.120+00:00';

const entity = (apiAlias: string, id: string, fields: Json = {}): Json => ({
  _uniqueIdentifier: id,
  versionId: liveVersion,
  translated: [],
  createdAt: placedAt,
  updatedAt: null,
  extensions: [],
  id,
  apiAlias,
  ...fields,
});

/** A price of `quantity` items, as the cart computed it. */
export const shopwarePrice = (unitPrice: number, quantity = 1, totalPrice = unitPrice * quantity): Json => ({
  unitPrice,
  quantity,
  totalPrice,
  calculatedTaxes: [
    { tax: Math.round((totalPrice / 119) * 1900) / 100, taxRate: 19, price: totalPrice, extensions: [] },
  ],
  taxRules: [{ taxRate: 19, percentage: 100, extensions: [] }],
  referencePrice: null,
  listPrice: null,
  regulationPrice: null,
  apiAlias: 'calculated_price',
});

export const shopwareState = (technicalName: string): Json =>
  entity('state_machine_state', shopwareId(0x5000 + technicalName.length), {
    technicalName,
    name: technicalName,
    translated: { name: technicalName, customFields: {} },
  });

export const shopwareAddress = (fields: Json = {}): Json =>
  entity('order_address', shopwareId(0x20), {
    orderId: shopwareOrderId,
    salutationId: shopwareId(0x90),
    firstName: 'Klara',
    lastName: 'Weiß',
    title: null,
    company: null,
    department: null,
    street: 'Lindenallee 7',
    additionalAddressLine1: null,
    additionalAddressLine2: null,
    zipcode: '80331',
    city: 'München',
    vatId: null,
    phoneNumber: null,
    countryId: shopwareId(0x30),
    country: entity('country', shopwareId(0x30), {
      iso: 'DE',
      iso3: 'DEU',
      name: 'Deutschland',
      translated: { name: 'Deutschland' },
    }),
    countryStateId: shopwareId(0x31),
    countryState: entity('country_state', shopwareId(0x31), {
      shortCode: 'DE-BY',
      name: null,
      translated: { name: 'Bayern' },
    }),
    customFields: null,
    ...fields,
  });

export const shopwareLineItem = (n: number, fields: Json = {}): Json => {
  const { unitPrice = 10, quantity = 1, ...rest } = fields as { unitPrice?: number; quantity?: number };
  const total = (rest as Json).totalPrice ?? Math.round(unitPrice * quantity * 100) / 100;
  return entity('order_line_item', shopwareId(0x100 + n), {
    orderId: shopwareOrderId,
    identifier: shopwareId(0x200 + n),
    referencedId: null,
    productId: null,
    promotionId: null,
    parentId: null,
    coverId: null,
    cover: null,
    quantity,
    label: `Item ${n}`,
    type: 'product',
    good: true,
    position: n,
    payload: {},
    states: [],
    description: null,
    unitPrice,
    totalPrice: total,
    price: shopwarePrice(unitPrice, quantity, total as number),
    customFields: null,
    children: null,
    ...rest,
  });
};

/** A variant with its picture. */
const shirt = (): Json =>
  shopwareLineItem(1, {
    referencedId: shopwareId(0x40),
    productId: shopwareId(0x40),
    label: 'Trail shirt',
    quantity: 2,
    unitPrice: 19.99,
    states: ['is-physical'],
    payload: {
      productNumber: 'SW10012.3',
      parentId: shopwareId(0x41),
      options: [
        { group: 'Colour', option: 'Green' },
        { group: 'Size', option: 'M' },
      ],
      isNew: false,
      customFields: {},
      releaseDate: null,
    },
    coverId: shopwareId(0x50),
    cover: entity('media', shopwareId(0x50), {
      url: 'https://cdn.shop.example.com/media/2f/shirt-green.jpg',
      alt: null,
      translated: { alt: 'A green shirt' },
    }),
  });

const wrapping = (): Json => shopwareLineItem(2, { type: 'custom', label: 'Gift wrapping', unitPrice: 2.5 });

export const shopwarePromotion = (n = 3, fields: Json = {}): Json =>
  shopwareLineItem(n, {
    type: 'promotion',
    label: 'Ten percent for new customers',
    good: false,
    unitPrice: -4.25,
    referencedId: 'WELCOME10',
    promotionId: shopwareId(0x60),
    payload: {
      code: 'WELCOME10',
      discountType: 'percentage',
      value: '10',
      promotionCodeType: 'fixed',
      discountScope: 'cart',
      maxValue: '',
      promotionId: shopwareId(0x60),
      discountId: shopwareId(0x61),
    },
    ...fields,
  });

export const shopwareDelivery = (n = 1, fields: Json = {}): Json =>
  entity('order_delivery', shopwareId(0x300 + n), {
    orderId: shopwareOrderId,
    shippingOrderAddressId: shopwareId(0x20),
    shippingOrderAddress: shopwareAddress(),
    shippingMethodId: shopwareId(0x70),
    shippingMethod: entity('shipping_method', shopwareId(0x70), {
      name: 'DHL Paket',
      technicalName: 'shipping_standard',
      trackingUrl: 'https://carrier.example.com/?code=%s',
      translated: { name: 'DHL Paket' },
    }),
    trackingCodes: [],
    shippingDateEarliest: '2026-11-11T00:00:00.000+00:00',
    shippingDateLatest: '2026-11-13T00:00:00.000+00:00',
    shippingCosts: shopwarePrice(4.95),
    stateId: shopwareId(0x80),
    stateMachineState: shopwareState('open'),
    positions: [
      entity('order_delivery_position', shopwareId(0x400), {
        orderDeliveryId: shopwareId(0x300 + n),
        orderLineItemId: shopwareId(0x101),
        price: shopwarePrice(19.99, 2, 39.98),
        unitPrice: 19.99,
        totalPrice: 39.98,
        quantity: 2,
      }),
    ],
    customFields: null,
    ...fields,
  });

/** What a promotion of the shipping costs adds to an order: a delivery of which nobody ships anything. */
export const shopwareShippingDiscount = (n = 2): Json =>
  shopwareDelivery(n, { shippingCosts: shopwarePrice(-4.95), positions: [] });

export const shopwareTransaction = (n = 1, state = 'open', fields: Json = {}): Json =>
  entity('order_transaction', shopwareId(0x600 + n), {
    orderId: shopwareOrderId,
    paymentMethodId: shopwareId(0x71),
    amount: shopwarePrice(43.18),
    stateId: shopwareId(0x81),
    stateMachineState: shopwareState(state),
    customFields: null,
    ...fields,
  });

/** A new order with all associations, as the shop's API gives it to somebody who asks for all of them. */
export const shopwareOrder = (fields: Json = {}): Json =>
  entity('order', shopwareOrderId, {
    orderNumber: '10042',
    autoIncrement: 42,
    orderDate: placedAt,
    orderDateTime: placedAt,
    price: {
      netPrice: 36.29,
      totalPrice: 43.18,
      calculatedTaxes: [{ tax: 6.89, taxRate: 19, price: 43.18, extensions: [] }],
      taxRules: [{ taxRate: 19, percentage: 100, extensions: [] }],
      positionPrice: 38.23,
      taxStatus: 'gross',
      rawTotal: 43.18,
      apiAlias: 'cart_price',
    },
    amountTotal: 43.18,
    amountNet: 36.29,
    positionPrice: 38.23,
    taxStatus: 'gross',
    shippingCosts: shopwarePrice(4.95),
    shippingTotal: 4.95,
    currencyFactor: 1,
    currencyId: 'b7d2554b0ce847cd82f3ac9bd1c0dfca',
    currency: entity('currency', 'b7d2554b0ce847cd82f3ac9bd1c0dfca', {
      isoCode: 'EUR',
      symbol: '€',
      name: 'Euro',
      translated: { name: 'Euro', shortName: 'EUR' },
    }),
    languageId: '2fbb5fe2e29a4d70aa5854ce7ce3e20b',
    language: entity('language', '2fbb5fe2e29a4d70aa5854ce7ce3e20b', {
      name: 'Deutsch',
      localeId: shopwareId(0x91),
      locale: entity('locale', shopwareId(0x91), { code: 'de-DE', name: 'Deutsch', translated: { name: 'Deutsch' } }),
    }),
    salesChannelId: shopwareId(0x92),
    salesChannel: entity('sales_channel', shopwareId(0x92), {
      name: 'Storefront',
      accessKey: 'SWSCEXAMPLE',
      domains: [
        entity('sales_channel_domain', shopwareId(0x93), {
          url: 'https://shop.example.com/en',
          languageId: shopwareId(0x94),
        }),
        entity('sales_channel_domain', shopwareId(0x95), {
          url: 'https://shop.example.com',
          languageId: '2fbb5fe2e29a4d70aa5854ce7ce3e20b',
        }),
      ],
    }),
    billingAddressId: shopwareId(0x21),
    billingAddress: null,
    addresses: [shopwareAddress(), shopwareAddress({ id: shopwareId(0x21), street: 'Rechnungsweg 1' })],
    orderCustomer: entity('order_customer', shopwareId(0x22), {
      orderId: shopwareOrderId,
      customerId: shopwareId(0x23),
      customerNumber: '10007',
      email: 'klara.weiss@mail.example.com',
      firstName: 'Klara',
      lastName: 'Weiß',
      company: null,
      title: null,
      vatIds: null,
      remoteAddress: '203.0.113.0',
      customFields: { loyalty_number: 'L-77' },
      salutation: null,
      customer: null,
    }),
    lineItems: [shirt(), wrapping(), shopwarePromotion()],
    deliveries: [shopwareDelivery()],
    transactions: [shopwareTransaction()],
    stateId: shopwareId(0x82),
    stateMachineState: shopwareState('open'),
    tags: [entity('tag', shopwareId(0x96), { name: 'vip' }), entity('tag', shopwareId(0x97), { name: 'Summer, 2026' })],
    documents: null,
    deepLinkCode: 'q3ZkT0uV8xYw1mNp5rSb7cDf9gHj2kLa',
    affiliateCode: null,
    campaignCode: null,
    customerComment: null,
    source: null,
    ruleIds: [],
    itemRounding: { decimals: 2, interval: 0.01, roundForNet: true, extensions: [] },
    totalRounding: { decimals: 2, interval: 0.01, roundForNet: true, extensions: [] },
    createdById: null,
    updatedById: null,
    customFields: {},
    ...fields,
  });

const paidAt = '2026-11-10T16:16:02.400+00:00';
const shippedAt = '2026-11-11T09:30:00.250+00:00';
const cancelledAt = '2026-11-10T18:00:00.000+00:00';

/** The order of `shopwareOrder` in the course of its life. A change of a payment or a delivery leaves the order's time. */
export const shopwareStages = {
  placed: shopwareOrder,
  paid: (fields: Json = {}) =>
    shopwareOrder({ transactions: [shopwareTransaction(1, 'paid', { updatedAt: paidAt })], ...fields }),
  partlyShipped: (fields: Json = {}) =>
    shopwareStages.paid({
      deliveries: [
        shopwareDelivery(1, {
          trackingCodes: ['00340434161094015902'],
          stateMachineState: shopwareState('shipped_partially'),
          updatedAt: shippedAt,
        }),
      ],
      ...fields,
    }),
  shipped: (fields: Json = {}) =>
    shopwareStages.paid({
      deliveries: [
        shopwareDelivery(1, {
          trackingCodes: ['00340434161094015902'],
          stateMachineState: shopwareState('shipped'),
          updatedAt: shippedAt,
        }),
      ],
      ...fields,
    }),
  cancelled: (fields: Json = {}) =>
    shopwareOrder({ stateMachineState: shopwareState('cancelled'), updatedAt: cancelledAt, ...fields }),
};

/** The fields that no webhook holds, by entity: they are not marked as public in the system. */
const hidden: Record<string, readonly string[]> = {
  order: ['salesChannel', 'stateId', 'ruleIds', 'itemRounding', 'totalRounding', 'autoIncrement'],
  order_customer: ['customer', 'customerId', 'orderId', 'remoteAddress'],
  order_line_item: ['price', 'product', 'promotion'],
  order_address: ['orderId', 'salutationId'],
  state_machine_state: ['id'],
};

/** What the two kinds of event do not load, by entity. */
const unloaded = {
  placed: { order: ['billingAddress', 'language', 'tags', 'documents'], order_delivery: ['positions'] },
  state: {
    order: ['billingAddress', 'documents'],
    order_line_item: ['cover'],
    order_delivery: ['positions', 'stateMachineState'],
    order_transaction: ['stateMachineState'],
  },
} as const;

/** The order as an event shows it. */
function shopwareEventOrder(event: string, order: Json): Json {
  const empty: Record<string, readonly string[]> = unloaded[event === 'checkout.order.placed' ? 'placed' : 'state'];
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value !== 'object' || value === null) return value;
    const { apiAlias = '' } = value as { apiAlias?: string };
    const entries = Object.entries(value).filter(([name]) => !hidden[apiAlias]?.includes(name));
    return Object.fromEntries(
      entries.map(([name, field]) => [name, empty[apiAlias]?.includes(name) ? null : shown(field)]),
    );
  };
  return shown(order) as Json;
}

export interface ShopwareHook {
  data: { payload: unknown; event: string };
  source: Json;
  timestamp: number;
}

/** What every webhook has around its payload. */
export const shopwareHook = (event: string, payload: unknown, source: Json = {}): ShopwareHook => ({
  data: { payload, event },
  source: {
    url: 'https://shop.example.com',
    eventId: shopwareId(0x700),
    shopId: 'sqX6cqHi6hbjQ7Ra',
    appVersion: '1.0.0',
    inAppPurchases: null,
    ...source,
  },
  timestamp: 1_794_327_350,
});

/** `checkout.order.placed` and `state_enter.…`: the hook holds a part of the order. */
export const shopwareEvent = (event: string, order: Json = shopwareOrder()): ShopwareHook =>
  shopwareHook(event, { order: shopwareEventOrder(event, order) });

export const shopwareEntry = (fields: Json = {}): Json => ({
  entity: 'order',
  operation: 'update',
  primaryKey: shopwareOrderId,
  updatedFields: ['id', 'versionId', 'stateId', 'updatedAt'],
  versionId: liveVersion,
  ...fields,
});

/** `order.written` holds no more than the ids of the orders. */
export const shopwareWritten = (...entries: Json[]): ShopwareHook =>
  shopwareHook('order.written', entries.length > 0 ? entries : [shopwareEntry()]);

/**
 * The same from a shop that left the drafts out: PHP writes a list with gaps as an object. So it is here if the first
 * entry is a draft's.
 */
export function withoutDrafts(entries: readonly Json[]): unknown {
  const kept = entries.map((entry, i) => [i, entry] as const).filter(([, { versionId }]) => versionId === liveVersion);
  return kept.every(([i], place) => i === place) ? kept.map(([, entry]) => entry) : Object.fromEntries(kept);
}

/** What the shop says when the app was removed. */
export const shopwareAppDeleted = (source: Json = {}): ShopwareHook => shopwareHook('app.deleted', [], source);

/** As PHP writes JSON: with escaped slashes. */
export const shopwareJson = (value: unknown): string => JSON.stringify(value).replaceAll('/', '\\/');

export const shopwareSignature = (secret: string, signed: string): string =>
  createHmac('sha256', secret).update(signed).digest('hex');
