import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MappingRule } from '#domain/shop-systems/mapping-rules.ts';
import type { ConvertedOrder } from '#domain/shop-systems/reading.ts';
import { convertShopwareOrder, readShopware } from '#domain/shop-systems/shopware/order.ts';
import { orderLimits, shopWebhookLimits } from '#schemas/catalogues/limits.ts';
import { shopTopics } from '#schemas/catalogues/shop-webhooks.ts';
import { OrderInput, TrackingInput } from '#schemas/shapes/order-shapes.ts';
import {
  shopwareDelivery,
  shopwareEntry,
  shopwareEvent,
  shopwareHook,
  shopwareLineItem,
  shopwareOrder,
  shopwarePromotion,
  shopwareStages,
  shopwareWritten,
} from '#test/kit/shopware-payloads.ts';
import { validatorOf } from '#test/kit/validators.ts';

type Json = Record<string, unknown>;

const rules = [
  { source: { key: 'gift', type: 'custom_field' }, target: 'gift' },
  { source: { key: 'orderCustomer.company', type: 'field' }, target: 'order_name' },
  { source: { key: 'amountTotal', type: 'field' }, target: 'weight' },
] as unknown as MappingRule[];

/** Values that somebody might send instead of the right one. */
const wrong = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom<unknown>(
    null,
    '',
    '   ',
    [],
    {},
    -1,
    0,
    1e308,
    -1e-9,
    2 ** 53,
    0.1 + 0.2,
    true,
    '\ud800',
    '\u0000',
    'NaN',
  ),
  fc.constantFrom<unknown>('2026-02-30T00:00:00.000+00:00', '9999-12-31T23:59:59.999-12:00', '0000-00-00 00:00:00'),
  fc.constantFrom<unknown>('javascript:alert(1)', '//evil.example.com', { 1: {}, 7: null }, [null, 7, 'x', [], {}]),
  fc.string({ unit: 'binary', minLength: 5001, maxLength: 6000 }),
  fc.constant(deep(5000)),
  fc.constant(Array.from({ length: 1200 }, (_, id) => ({ id, totalPrice: id - 600, name: `n${id}` }))),
);

function deep(levels: number): unknown {
  let value: unknown = 7;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { value };
  return value;
}

/** All places in a payload. */
function placesOf(value: unknown, place: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [place];
  return [place, ...Object.entries(value).flatMap(([name, one]) => placesOf(one, [...place, name]))];
}

function withValueAt(value: unknown, [name, ...rest]: readonly string[], given: unknown): unknown {
  if (name === undefined) return given;
  const holder = Array.isArray(value) ? [...value] : { ...(value as Json) };
  (holder as Json)[name] = withValueAt((value as Json)[name], rest, given);
  return holder;
}

const tolerantly = (value: unknown, place: readonly string[], given: unknown): unknown => {
  try {
    return withValueAt(value, place, given);
  } catch {
    return value; // an earlier change took the place away
  }
};

/** A right payload with some values that are wrong. */
const changed = (payload: unknown) => {
  const change = fc.tuple(fc.constantFrom(...placesOf(payload)), wrong);
  return fc
    .array(change, { minLength: 1, maxLength: 6 })
    .map((changes) => changes.reduce<unknown>((value, [place, given]) => tolerantly(value, place, given), payload));
};

const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

const faultsOf = (shape: object, value: unknown) => {
  const validate = validatorOf(shape);
  return validate(structuredClone(value)) ? [] : validate.errors;
};

function expectFit({ order, trackings, source, unread, cancelledAt }: ConvertedOrder): void {
  expect(faultsOf(OrderInput, order)).toEqual([]);
  for (const tracking of trackings) expect(faultsOf(TrackingInput, tracking)).toEqual([]);
  expect(trackings.length).toBeLessThanOrEqual(orderLimits.expectedShipments);
  expect(unread.length).toBeLessThanOrEqual(shopWebhookLimits.unreadFields);
  expect(source.asOf).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[01]\.[0-9a-f]{12}$/);
  if (cancelledAt !== undefined) expect(cancelledAt).toMatch(/^\d{4}-.*Z$/);
  for (const text of textsOf([order, trackings])) {
    expect(text.trim()).not.toBe('');
    expect(text.isWellFormed()).toBe(true);
  }
}

const hooks = [
  shopwareEvent('checkout.order.placed'),
  shopwareEvent('state_enter.order_delivery.state.shipped', shopwareStages.shipped()),
  shopwareEvent('state_enter.order.state.cancelled', shopwareStages.cancelled()),
  shopwareWritten(shopwareEntry(), shopwareEntry()),
  shopwareHook('app.deleted', []),
];

test.each(hooks.map((hook) => [hook.data.event, hook] as const))('whatever is wrong in %s, it is read', (_, hook) => {
  fc.assert(
    fc.property(changed(hook), (payload) => {
      const reading = readShopware(payload, rules);
      if (reading.kind === 'named' && reading.order) expectFit(reading.order);
      if (reading.kind === 'named') expect(reading.orderIds.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('whatever is wrong in an order of the API, the rest of it fits', () => {
  const order = shopwareStages.shipped({ customFields: { gift: 'yes' }, customerComment: 'Thanks' });
  fc.assert(
    fc.property(changed(order), fc.constantFrom('api', 'hook'), (payload, from) => {
      const reading = convertShopwareOrder(payload, rules, from);
      if (reading.kind === 'order') expectFit(reading.converted);
      else expect(reading).toMatchObject({ kind: 'unreadable', field: expect.any(String) });
    }),
    { numRuns: 150 },
  );
});

/** The order with each text as long as nobody expects it. */
function withLongTexts(value: unknown, name = ''): unknown {
  if (kept.has(name)) return value;
  if (typeof value === 'string') return name === 'url' ? `https://x.example.com/${longText}` : longText;
  if (Array.isArray(value)) return value.map((one) => withLongTexts(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withLongTexts(one, key)]));
}

const kept = new Set(['id', 'orderNumber', 'createdAt', 'updatedAt', 'versionId', 'type', 'technicalName']);
const longText = 'x'.repeat(6000);
const many = <T>(count: number, one: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => one(n));

const manyThings: [string, Json][] = [
  ['long texts', withLongTexts(shopwareStages.shipped()) as Json],
  ['many tags', { tags: many(200, (n) => ({ name: `tag ${n}` })) }],
  ['many custom fields', { customFields: Object.fromEntries(many(200, (n) => [`${n}`.repeat(200), longText])) }],
  ['many products', { lineItems: many(1200, (n) => shopwareLineItem(n)) }],
  ['many discounts', { lineItems: many(200, (n) => shopwarePromotion(n)) }],
  ['a large number of items', { lineItems: [shopwareLineItem(1, { quantity: 10 ** 12, unitPrice: 1 })] }],
  [
    'a large bundle',
    { lineItems: many(200, (n) => shopwareLineItem(n, n > 0 ? { parentId: shopwareLineItem(0).id } : {})) },
  ],
  ['many codes', { deliveries: [shopwareDelivery(1, { trackingCodes: many(200, (n) => `CODE${n}`) })] }],
  ['long codes', { deliveries: [shopwareDelivery(1, { trackingCodes: ['A'.repeat(256), 'A'.repeat(255)] })] }],
];

test.each(manyThings)('an order with %s fits', (_, fields) => {
  const reading = convertShopwareOrder(shopwareOrder(fields), rules, 'api');
  if (reading.kind !== 'order') throw new Error(reading.field);
  expectFit(reading.converted);
});

test('one wrong value loses no more than itself', () => {
  const names = ['id', 'orderNumber', 'createdAt'];
  const order = shopwareOrder();
  const places = placesOf(order).filter(([name]) => name !== undefined && !names.includes(name));
  fc.assert(
    fc.property(fc.constantFrom(...places), wrong, (place, given) => {
      expect(convertShopwareOrder(withValueAt(order, place, given), [], 'api').kind).toBe('order');
    }),
  );
});

test('anything at all is read', () => {
  const events = [...Object.values(shopTopics.shop_system_2), 'app.deleted'];
  const hook = fc.record({ data: fc.record({ event: fc.constantFrom(...events), payload: fc.jsonValue() }) });
  fc.assert(
    fc.property(fc.oneof(hook, fc.jsonValue()), (payload) => {
      expect(readShopware(payload, rules)).toHaveProperty('kind');
    }),
  );
});

test('a list as long as a payload may be is read in no time', () => {
  const lineItems = Array.from({ length: 50_000 }, (_, id) => ({ id, parentId: id % 3 ? id - 1 : null }));
  const began = performance.now();
  const reading = convertShopwareOrder(shopwareOrder({ lineItems }), [], 'api');
  expect(performance.now() - began).toBeLessThan(5000);
  expect(reading).toMatchObject({ kind: 'order' });
});
