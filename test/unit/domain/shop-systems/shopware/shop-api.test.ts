import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  knownTokens,
  maxOrdersOfSearch,
  neededReads,
  readOrders,
  type ShopCredentials,
  type ShopPorts,
} from '#domain/shop-systems/shopware/shop-api.ts';
import { createCall } from '#platform/outgoing/call.ts';
import { busy, hangs, type Trouble, unwell } from '#test/kit/fake-shop-system.ts';
import { type FakeShopware, startFakeShopware } from '#test/kit/fake-shopware.ts';
import { shopwareId, shopwareOrder, shopwareOrderId } from '#test/kit/shopware-payloads.ts';

let shop: FakeShopware;
let credentials: ShopCredentials;
let clock: number;

beforeEach(async () => {
  shop = await startFakeShopware();
  credentials = { client_id: 'SWIAEXAMPLE', client_secret: 'a-secret' };
  shop.clients.set(credentials.client_id, credentials.client_secret);
  shop.put(shopwareOrder());
  shop.reads = neededReads;
  clock = Date.now();
});
afterEach(() => shop.stop());

const megabytes = 1024 * 1024;
const call = createCall({ allowLocal: true, maxBytesRead: 2 * megabytes });
const ports = (rest: Partial<ShopPorts> = {}): Partial<ShopPorts> => ({ call, now: () => clock, ...rest });
/** One order, or why there is none. */
const readFrom = async (base: string, id: string, rest: Partial<ShopPorts> = {}) => {
  const answer = await readOrders(base, credentials, [id], ports(rest));
  return 'failure' in answer ? answer : { order: answer.orders.get(id) };
};
const read = (id = shopwareOrderId, rest: Partial<ShopPorts> = {}) => readFrom(shop.url, id, rest);
const asked = () => shop.asked.map(({ path }) => path);

const tokenPath = '/api/oauth/token';
const searchPath = '/api/search/order';

describe('an order of the shop', () => {
  test('is read with everything that belongs to it', async () => {
    const answer = await read();
    expect(answer).toMatchObject({
      order: {
        orderNumber: '10042',
        lineItems: [{ cover: { url: expect.any(String) } }, {}, {}],
        deliveries: [
          {
            shippingMethod: { name: 'DHL Paket' },
            stateMachineState: { technicalName: 'open' },
            positions: [{ quantity: 2 }],
            shippingOrderAddress: { country: { iso: 'DE' }, countryState: { shortCode: 'DE-BY' } },
          },
        ],
        orderCustomer: { customFields: { loyalty_number: 'L-77' } },
        currency: { isoCode: 'EUR' },
        language: { locale: { code: 'de-DE' } },
        transactions: [{ stateMachineState: { technicalName: 'open' } }],
        tags: [{ name: 'vip' }, {}],
        salesChannel: { domains: [{}, {}] },
      },
    });
    expect(asked()).toEqual([tokenPath, searchPath]);
  });

  test('comes without what nobody reads', async () => {
    const text = JSON.stringify(await read());
    for (const unneeded of ['accessKey', 'trackingUrl', 'iso3', 'symbol']) expect(text).not.toContain(unneeded);
  });

  test('is read whole if it is long', async () => {
    const customFields = { note: 'x'.repeat(megabytes) };
    shop.put(shopwareOrder({ customFields }));
    expect(await read()).toMatchObject({ order: { customFields } });
  });

  test('is too large if its answer has no end', async () => {
    shop.put(shopwareOrder({ customFields: { note: 'x'.repeat(2 * megabytes) } }));
    expect(await read()).toEqual({ failure: 'too_large' });
  });

  test('may not be there', async () => {
    expect(await read(shopwareId(77))).toEqual({ order: undefined });
  });

  test('is refused as a whole if the app may not read a part of it', async () => {
    for (const entity of neededReads) {
      shop.reads = neededReads.filter((other) => other !== entity);
      expect(await read(), entity).toEqual({ failure: 'credentials_refused' });
    }
  });
});

describe('several orders', () => {
  const ids = Array.from({ length: maxOrdersOfSearch }, (_, n) => shopwareId(1000 + n));
  const readAll = (wanted: readonly string[] = ids) => readOrders(shop.url, credentials, wanted, ports());

  test('are read in one search, except those that are not there', async () => {
    shop.put(...ids.slice(1).map((id) => shopwareOrder({ id })));
    const answer = await readAll();
    expect('orders' in answer && [...answer.orders.keys()]).toEqual(ids.slice(1));
    expect(asked()).toEqual([tokenPath, searchPath]);
  });

  test('that are too long for one answer are read in parts', async () => {
    const long = ids.slice(0, 5);
    shop.put(...long.map((id) => shopwareOrder({ id, customFields: { note: 'x'.repeat(megabytes / 2) } })));
    const answer = await readAll(long);
    expect('orders' in answer && [...answer.orders.keys()]).toEqual(long);
    expect(asked().filter((path) => path === searchPath)).toHaveLength(3);
  });

  test('fail together if a part of them fails', async () => {
    const long = ids.slice(0, 4);
    shop.put(...long.map((id) => shopwareOrder({ id, customFields: { note: 'x'.repeat(megabytes) } })));
    shop.put(shopwareOrder({ id: long[3], customFields: { note: 'x'.repeat(3 * megabytes) } }));
    expect(await readAll(long)).toEqual({ failure: 'too_large' });
  });

  test('that are read at once share a token, also when it has ended', async () => {
    await Promise.all([read(), read(), read()]);
    shop.expireTokens();
    expect(await Promise.all([read(), read(), read()])).toMatchObject([{ order: {} }, { order: {} }, { order: {} }]);
    expect(asked().filter((path) => path === tokenPath)).toHaveLength(2);
  });
});

describe('a token', () => {
  test('is asked for once while it lasts', async () => {
    await read();
    clock += 539_000;
    await read();
    expect(asked()).toEqual([tokenPath, searchPath, searchPath]);
  });

  test('is asked for anew a minute before its end', async () => {
    await read();
    clock += 541_000;
    await read();
    expect(asked()).toEqual([tokenPath, searchPath, tokenPath, searchPath]);
  });

  test('that ended before its time is replaced', async () => {
    await read();
    shop.expireTokens();
    expect(await read()).toHaveProperty('order');
    expect(asked()).toEqual([tokenPath, searchPath, searchPath, tokenPath, searchPath]);
  });

  test('is not asked for again and again', async () => {
    await read();
    shop.expireTokens();
    shop.tokenSeconds = 0;
    expect(await read()).toEqual({ failure: 'credentials_refused' });
    expect(asked()).toEqual([tokenPath, searchPath, searchPath, tokenPath, searchPath]);
  });

  test('belongs to its credentials', async () => {
    await read();
    credentials = { ...credentials, client_secret: 'another' };
    expect(await read()).toEqual({ failure: 'credentials_refused' });
  });

  test('belongs to its shop', async () => {
    await read();
    await using other = await startFakeShopware();
    expect(await readFrom(other.url, shopwareOrderId)).toEqual({
      failure: 'credentials_refused',
    });
    expect(other.asked.map(({ path }) => path)).toEqual([tokenPath]);
  });

  test('of a hundred other shops takes its place', async () => {
    await read();
    const answer = { status: 200, body: Buffer.from('{"access_token":"t","expires_in":600,"data":[{}]}') };
    const others = Array.from({ length: 100 }, (_, n) => `https://shop-${n}.example.com`);
    for (const base of others) await readFrom(base, shopwareOrderId, { call: async () => answer });
    await read();
    expect(asked()).toEqual([tokenPath, searchPath, tokenPath, searchPath]);
    expect(knownTokens.size).toBe(100);
  });
});

describe('a shop that does not answer as it should', () => {
  const answers: [string, Trouble[], string][] = [
    ['500 to the token', [unwell], 'shop_unreachable'],
    ['429 to the token', [busy()], 'shop_unreachable'],
    ['a token that is no JSON', [{ status: 200, body: '<html>' }], 'answer_invalid'],
    ['a token that is no text', [{ status: 200, body: '{"access_token":{}}' }], 'answer_invalid'],
    ['400 to the token', [{ status: 400 }], 'credentials_refused'],
    ['a redirect', [{ status: 301, headers: { location: 'https://elsewhere.example.com' } }], 'answer_invalid'],
  ];

  test.each(answers)('with %s', async (_, troubles, failure) => {
    shop.meet(...troubles);
    expect(await read()).toEqual({ failure });
  });

  const later: [string, Trouble, string][] = [
    ['503', { status: 503 }, 'shop_unreachable'],
    ['429', { status: 429 }, 'shop_unreachable'],
    ['404', { status: 404 }, 'answer_invalid'],
    ['400', { status: 400 }, 'answer_invalid'],
    ['403', { status: 403 }, 'credentials_refused'],
    ['200 without data', { status: 200, body: '{}' }, 'answer_invalid'],
    ['200 with a cut body', { status: 200, body: '{"data":[{"id":' }, 'answer_invalid'],
  ];

  test.each(later)('with %s to the search', async (_, trouble, failure) => {
    await read();
    shop.meet(trouble);
    expect(await read()).toEqual({ failure });
  });

  test('in time', async () => {
    shop.meet(hangs);
    const waits = vi.fn(call);
    const endsAt = clock + 200;
    expect(await read(shopwareOrderId, { call: waits, endsAt })).toEqual({ failure: 'shop_unreachable' });
    expect(waits.mock.calls[0]![0].deadlineMs).toBe(200);
  });

  test('is not asked when the time is over', async () => {
    expect(await read(shopwareOrderId, { endsAt: clock })).toEqual({ failure: 'shop_unreachable' });
    expect(shop.asked).toEqual([]);
  });

  test('within four seconds, if nobody says otherwise', async () => {
    const waits = vi.fn(call);
    await read(shopwareOrderId, { call: waits });
    expect(waits.mock.calls.map(([{ deadlineMs }]) => deadlineMs)).toEqual([4000, 4000]);
  });

  test('because nobody is there', async () => {
    await shop.stop();
    expect(await read()).toEqual({ failure: 'shop_unreachable' });
  });

  test('because its address is no public one', async () => {
    const guarded = createCall({ allowLocal: false });
    expect(await read(shopwareOrderId, { call: guarded })).toEqual({ failure: 'answer_invalid' });
    expect(shop.asked).toEqual([]);
  });
});
