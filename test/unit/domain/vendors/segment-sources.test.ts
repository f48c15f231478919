import { describe, expect, test } from 'vitest';
import type { Customer, SegmentDialect } from '#domain/segments/segment-rules.ts';
import { loadSource } from '#domain/vendors/segment-sources.ts';
import { askForSegments } from '#pipeline/segments/fulfil-request.ts';
import type { FakeVendor, Trouble } from '#test/kit/vendors/fake-vendor.ts';
import { KlaviyoWithSegments, klaviyoKey } from '#test/kit/vendors/klaviyo-segments.ts';
import { ShopifyWithSegments, shopifyToken, throttled } from '#test/kit/vendors/shopify-segments.ts';

const now = new Date('2026-11-14T12:00:00Z');

async function ask(dialect: SegmentDialect, vendor: FakeVendor, customer: Customer, api_key: string) {
  const account = { target: { url: `${vendor.url}/`, dialect }, credential: { api_key }, extras: {} };
  const { exchange } = await loadSource(dialect);
  return askForSegments(exchange(customer, account, now), account, vendor);
}

const busy = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) } });
const unwell = { status: 503 };
const found = (...segments: string[]) => ({ kind: 'found', segments });

describe('Klaviyo', () => {
  const askKlaviyo = (vendor: FakeVendor, customer: Customer, key = klaviyoKey) =>
    ask('klaviyo', vendor, customer, key);
  const ada = { id: '01ADA', email: 'ada+"x"@example.com', external_id: '7', segments: ['VIP', 'Winter'] };
  const klaviyo = (...troubles: Trouble[]) => {
    const vendor = new KlaviyoWithSegments();
    vendor.profiles.push(ada);
    vendor.meet(...troubles);
    return vendor;
  };

  test('is asked for the profile and then for its segments', async () => {
    const vendor = klaviyo();
    expect(await askKlaviyo(vendor, { email: ada.email, external_id: 'unknown' })).toEqual(found('VIP', 'Winter'));
    expect(vendor.requests).toHaveLength(2);
  });

  test('is asked by the id of the customer if it does not know the e-mail address', async () => {
    const vendor = klaviyo();
    expect(await askKlaviyo(vendor, { email: 'other@example.com', external_id: '7' })).toEqual(found('VIP', 'Winter'));
    expect(await askKlaviyo(vendor, { external_id: '7' })).toEqual(found('VIP', 'Winter'));
  });

  test('tells no segments of a customer whom it does not know', async () => {
    expect(await askKlaviyo(klaviyo(), { email: 'nobody@example.com' })).toEqual(found());
  });

  test.each<[string, Trouble, object]>([
    ['429', busy(17), { kind: 'throttled', waitSeconds: 17 }],
    ['503', unwell, { kind: 'again', reason: 'http_503' }],
    ['408', { status: 408 }, { kind: 'again', reason: 'http_408' }],
    ['no answer', 'hangs', { kind: 'again', reason: 'timeout' }],
    ['403', { status: 403 }, { kind: 'refused', reason: 'http_403' }],
    ['400', { status: 400 }, { kind: 'refused', reason: 'http_400' }],
    ['a redirect', { status: 302 }, { kind: 'refused', reason: 'http_302' }],
    ['an answer of another form', { status: 200, body: [] }, { kind: 'refused', reason: 'malformed_answer' }],
  ])('ends the exchange with %s', async (_, trouble, expected) => {
    expect(await askKlaviyo(klaviyo(trouble), { email: ada.email })).toMatchObject(expected);
    const later: Trouble[] = [{ status: 200, body: { data: [{ id: '01ADA' }] } }, trouble];
    expect(await askKlaviyo(klaviyo(...later), { email: ada.email })).toMatchObject(expected);
  });

  test('refuses a wrong key for good', async () => {
    expect(await askKlaviyo(klaviyo(), { email: ada.email }, 'wrong')).toMatchObject({
      kind: 'refused',
      reason: 'http_401',
    });
  });

  test('may answer with anything in the place of a name', async () => {
    const odd = { data: [null, 7, { attributes: { name: 7 } }, { attributes: { name: 'VIP' } }] };
    const vendor = klaviyo({ status: 200, body: { data: [{ id: '01ADA' }] } }, { status: 200, body: odd });
    expect(await askKlaviyo(vendor, { email: ada.email })).toEqual(found('VIP'));
  });
});

describe('Shopify', () => {
  const askShopify = (vendor: FakeVendor, customer: Customer, key = shopifyToken) =>
    ask('shopify', vendor, customer, key);
  const ada = { id: 'gid://shopify/Customer/7', emailAddress: 'ada@example.com', segments: ['VIP', 'segment 600'] };
  const shopify = (count: number, ...troubles: Trouble[]) => {
    const vendor = new ShopifyWithSegments();
    vendor.customers.push(ada);
    vendor.segments = ['VIP', ...Array.from({ length: count - 1 }, (_, i) => `segment ${i + 2}`)];
    vendor.meet(...troubles);
    return vendor;
  };

  test.each<Customer>([
    { external_id: '7' },
    { external_id: 'gid://shopify/Customer/7' },
    { email: 'ada@example.com' },
    { external_id: '8', email: 'ada@example.com' },
    { external_id: 'customer-7', email: 'ada@example.com' },
  ])('knows the customer by %j', async (customer) => {
    expect(await askShopify(shopify(3), customer)).toEqual(found('VIP'));
  });

  test('is asked about all segments of the shop, page by page, up to a thousand', async () => {
    expect(await askShopify(shopify(700), { external_id: '7' })).toEqual(found('VIP', 'segment 600'));
    const many = shopify(5000);
    expect(await askShopify(many, { external_id: '7' })).toEqual(found('VIP', 'segment 600'));
    expect(many.requests).toHaveLength(8);
  });

  test.each<Customer>([{ external_id: '8' }, { email: 'nobody@example.com' }, { external_id: 'customer-7' }])(
    'tells no segments of a customer with %j',
    async (customer) => {
      expect(await askShopify(shopify(3), customer)).toEqual(found());
    },
  );

  test('is not asked which segments a customer has if the shop has none', async () => {
    const vendor = shopify(1);
    vendor.segments = [];
    expect(await askShopify(vendor, { external_id: '7' })).toEqual(found());
    expect(vendor.requests).toHaveLength(1);
  });

  const deniedBody = { errors: [{ message: 'Access denied', extensions: { code: 'ACCESS_DENIED' } }] };
  const cost = {
    cost: { requestedQueryCost: 60, throttleStatus: { currentlyAvailable: 10, restoreRate: 50 } },
  };

  test.each<[string, Trouble, object]>([
    ['429', busy(2), { kind: 'throttled', waitSeconds: 2 }],
    ['too little points', { status: 200, body: throttled }, { kind: 'throttled' }],
    [
      'a known time until it has points again',
      { status: 200, body: { ...throttled, extensions: cost } },
      { kind: 'throttled', waitSeconds: 1 },
    ],
    ['a missing right', { status: 200, body: deniedBody }, { kind: 'refused', reason: 'access_denied' }],
    ['503', unwell, { kind: 'again', reason: 'http_503' }],
    ['no answer', 'hangs', { kind: 'again', reason: 'timeout' }],
    ['an answer of another form', { status: 200, body: 7 }, { kind: 'refused', reason: 'malformed_answer' }],
  ])('ends the exchange with %s', async (_, trouble, expected) => {
    expect(await askShopify(shopify(3, trouble), { external_id: '7' })).toMatchObject(expected);
  });

  test('refuses a wrong token for good', async () => {
    expect(await askShopify(shopify(3), { external_id: '7' }, 'wrong')).toMatchObject({
      kind: 'refused',
      reason: 'http_401',
    });
  });
});
