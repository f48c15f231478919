import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#api/shop-system/handler.ts';
import { type StoredItem, toOrder, toShipment } from '#domain/orders/order-items.ts';
import { upsert } from '#domain/orders/upsert.ts';
import { keyOf } from '#platform/table/keys.ts';
import { requestLimits, shopWebhookLimits } from '#schemas/catalogues/limits.ts';
import type { ShopSystem } from '#schemas/catalogues/shop-webhooks.ts';
import { eventOf } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { orderWrites } from '#test/kit/order-writes.ts';
import { signatureOf } from '#test/kit/shop-payloads.ts';
import {
  shopwareEntry,
  shopwareEvent,
  shopwareHook,
  shopwareId,
  shopwareJson,
  shopwareOrder,
  shopwareOrderId,
  shopwareSignature,
  shopwareStages,
  shopwareWritten,
} from '#test/kit/shopware-payloads.ts';
import { asOperator, dynamo, operator, shopItem, tableWith } from '#test/kit/table.ts';
import {
  wooCancelled,
  wooCompleted,
  wooOrder,
  wooPartiallyShipped,
  wooProcessing,
} from '#test/kit/woocommerce-payloads.ts';

process.env.CREDENTIALS_KEY_ID = 'credentials';

const answers = vi.hoisted(() => ({ readOrders: vi.fn(), maxOrdersOfSearch: 2 }));

vi.mock('#domain/shop-systems/shopware/shop-api.ts', () => answers);

const kms = mockClient(KMSClient);
const secret = 'secret-of-the-shop';
const woo = 'green';
const shopware = 'red';

const secretOf = (slug: string) => ({ ...keyOf.shopSystemSecret(slug), ciphertext: Buffer.from(secret) });

const ofApp = Buffer.from('{"client_id":"SWIA1","client_secret":"s","shop_url":"https://shop.example.com"}');

const credentials = {
  ...keyOf.integrationKey(shopware, 'shop_system_2'),
  integration: 'shop_system_2',
  ciphertext: ofApp,
  app: { ciphertext: ofApp, shop_url: 'https://shop.example.com' },
};

const providers: Record<string, ShopSystem> = { [woo]: 'shop_system_3', [shopware]: 'shop_system_2' };

afterEach(() => vi.useRealTimers());

beforeEach(() => {
  // Before the times of the tests, because the service notes a webhook once a minute.
  vi.useFakeTimers({ now: new Date('2026-11-20T10:00:00Z'), toFake: ['Date'] });
  kms.reset();
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: CiphertextBlob }));
  answers.readOrders.mockReset();
  const shops = Object.entries(providers).map(([slug, shop_provider]) => shopItem(slug, { shop_provider }));
  tableWith(operator.item, ...shops, secretOf(woo), secretOf(shopware), credentials);
});

interface Sending {
  slug: string;
  body: string;
  headers: Record<string, string>;
  type?: string;
}

async function send({ slug, body, headers, type = 'order-update' }: Sending) {
  const event = eventOf({
    method: 'POST',
    resource: '/v1/shops/{slug}/shop-system/inbound/{webhook_type}',
    params: { slug, webhook_type: type },
    rawBody: body,
    headers,
  });
  const { statusCode, body: answer } = await handler(event);
  return { status: statusCode, body: JSON.parse(answer) };
}

const wooHeaders = (body: string, topic: string, signedWith = secret) => ({
  'X-WC-Webhook-Topic': topic,
  'X-WC-Webhook-Signature': signatureOf(signedWith, body),
});

const sendWoo = (payload: unknown, topic = 'order.updated', signedWith = secret) => {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return send({ slug: woo, body, headers: wooHeaders(body, topic, signedWith) });
};

const sendShopware = (payload: unknown, signedWith = secret) => {
  const body = typeof payload === 'string' ? payload : shopwareJson(payload);
  return send({
    slug: shopware,
    body,
    headers: { 'shopware-shop-signature': shopwareSignature(signedWith, body), 'content-type': 'application/json' },
  });
};

async function inboundOf(slug: string) {
  const { statusCode, body } = await handler(
    eventOf({ method: 'GET', resource: '/v1/shops/{slug}/shop-system/inbound', params: { slug }, headers: asOperator }),
  );
  expect(statusCode).toBe(200);
  return JSON.parse(body);
}

const stored = () => memoryTable.all('ORDER#') as unknown as StoredItem[];
const orders = () => stored().flatMap((item) => (item.sk === 'ORDER' ? [toOrder(item)] : []));
const parcels = () => stored().flatMap((item) => (item.sk === 'ORDER' ? [] : [toShipment(item)]));

const ok = { status: 200, body: null };

describe('a webhook of shop_system_3', () => {
  test('becomes an order', async () => {
    expect(await sendWoo(wooProcessing(), 'order.created')).toEqual(ok);
    expect(orders()).toMatchObject([{ order_number: '7421', external_id: '7421', currency: 'EUR' }]);
  });

  test('makes no order that nobody has paid, and changes one that is known', async () => {
    expect(await sendWoo(wooOrder({ status: 'pending' }), 'order.created')).toEqual(ok);
    expect(await sendWoo(wooCancelled())).toEqual(ok);
    expect(orders()).toEqual([]);
    expect((await inboundOf(woo)).unreadable).toEqual([]);
    await sendWoo(wooProcessing());
    expect(orders()).toMatchObject([{ financial_status: 'paid' }]);
    await sendWoo(wooCancelled());
    expect(orders()).toMatchObject([{ cancelled_at: '2026-11-10T18:00:00.000Z' }]);
  });

  test('gives the order its parcels, also if an older one comes after it', async () => {
    await sendWoo(wooCompleted());
    await sendWoo(wooPartiallyShipped());
    await sendWoo(wooProcessing());
    expect(orders()).toMatchObject([{ expected_number_of_shipments: 2, drafts: [] }]);
    expect(parcels().map(({ tracking_number }) => tracking_number)).toEqual(['01405400945058', '00340434161094042557']);
  });

  test('cancels the order', async () => {
    await sendWoo(wooProcessing(), 'order.created');
    await sendWoo(wooCancelled());
    expect(parcels().flatMap(({ events }) => events)).toMatchObject([
      { event_name: 'ORDER_CANCELLED', time: '2026-11-10T18:00:00.000Z' },
      { event_name: 'ORDER_CREATED' },
    ]);
  });

  test('needs no content type, and no type of its own in the path', async () => {
    const body = JSON.stringify(wooProcessing());
    const headers = wooHeaders(body, 'order.created');
    expect(await send({ slug: woo, body, headers, type: 'product-deletion' })).toEqual(ok);
    expect(orders()).toHaveLength(1);
  });

  test('that comes again writes nothing', async () => {
    await sendWoo(wooCompleted());
    dynamo.resetHistory();
    expect(await sendWoo(wooCompleted())).toEqual(ok);
    expect(orderWrites()).toEqual([]);
    expect(dynamo.commandCalls(UpdateCommand)).toEqual([]);
  });

  test.each([
    ['is signed with another secret', () => sendWoo(wooProcessing(), 'order.created', 'wrong')],
    ['has the signature of another system', () => send({ slug: woo, body: '{}', headers: shopifyHeaders('{}') })],
    ['has no signature', () => send({ slug: woo, body: '{}', headers: {} })],
    ['is for a shop that does not exist', () => send({ slug: 'none', body: '{}', headers: wooHeaders('{}', 'x') })],
  ])('is refused if it %s', async (_, sent) => {
    expect(await sent()).toMatchObject({ status: 401, body: { key: 'invalid_merchant_or_key' } });
    expect(await inboundOf(woo)).toMatchObject({ unreadable: [], ignored: [] });
  });

  test.each([
    ['was cut', '{"id": 1, "number"', 'not_json'],
    ['is empty', '', 'not_json'],
    ['is no JSON at all', 'webhook', 'not_json'],
    ['is huge', JSON.stringify({ ...wooProcessing(), note: 'x'.repeat(requestLimits.bodyBytes) }), 'too_large'],
    ['lacks what makes an order', '{"status":"processing"}', 'field_missing'],
  ])('that %s gets 200 and is listed', async (_, body, reason) => {
    expect(await sendWoo(body)).toEqual(ok);
    const { unreadable } = await inboundOf(woo);
    expect(unreadable).toMatchObject([{ topic: 'order.updated', reason }]);
    expect(orders()).toEqual([]);
  });

  test('of an order that cannot be stored gets 200 and is listed with the key of the error', async () => {
    const products = Array.from({ length: 900 }, (_, i) => ({ ...(wooProcessing().line_items as object[])[0], id: i }));
    const large = { ...wooProcessing(), line_items: products.map((item) => ({ ...item, name: randomText(900) })) };
    expect(await sendWoo(large)).toEqual(ok);
    expect((await inboundOf(woo)).unreadable).toMatchObject([
      { reason: 'refused', field: 'payload_too_large', order: '7421' },
    ]);
  });

  test('whose id is the number of an order of the merchant does not touch that order', async () => {
    const theirs = {
      id: '7421',
      id_type: 'order_number' as const,
      trackings: [],
      order: { email_id: 'm@example.com' },
    };
    await upsert({ slug: woo, uuid: shopItem(woo).uuid }, theirs, new Date());
    for (const payload of [wooProcessing({ number: 'W-1050' }), wooCompleted({ number: 'W-1050' })]) {
      expect(await sendWoo(payload)).toEqual(ok);
    }
    expect(orders().sort((a, b) => (a.order_number < b.order_number ? -1 : 1))).toMatchObject([
      { order_number: '7421', external_id: '7421', email_id: 'm@example.com' },
      { order_number: 'W-1050', external_id: 'W-1050', email_id: 'jana.koehler@mail.example.com' },
    ]);
    expect((await inboundOf(woo)).unreadable).toEqual([]);
  });

  test('of an order that got another number finds it by its id, and the number stays', async () => {
    await sendWoo(wooProcessing());
    expect(await sendWoo(wooCompleted({ number: 'W-1050' }))).toEqual(ok);
    expect(orders()).toMatchObject([{ order_number: '7421', expected_number_of_shipments: 2 }]);
  });

  test('of another order with the same number is listed, and the first order stays', async () => {
    await sendWoo(wooProcessing());
    expect(await sendWoo(wooCompleted({ id: 8000 }))).toEqual(ok);
    expect(orders()).toMatchObject([{ external_id: '7421', expected_number_of_shipments: 1 }]);
    expect((await inboundOf(woo)).unreadable).toMatchObject([
      { reason: 'refused', field: 'order_exists', order: '8000' },
    ]);
  });

  test('with a time in the future does not stop those that follow', async () => {
    await sendWoo(wooProcessing({ date_modified_gmt: '9999-12-31T23:59:59' }));
    const later = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19);
    await sendWoo(wooCompleted({ date_modified_gmt: later }));
    expect(orders()).toMatchObject([{ expected_number_of_shipments: 2 }]);
  });

  test('with an unknown topic gets 200 and is counted', async () => {
    await sendWoo({ id: 1 }, 'coupon.created');
    await sendWoo({ id: 2 }, 'coupon.created');
    const { ignored } = await inboundOf(woo);
    expect(ignored).toEqual([{ topic: 'coupon.created', count: 2, last_received_at: expect.any(String) }]);
  });

  test('with half a character and a name that would change a prototype is read', async () => {
    const body = JSON.stringify(wooProcessing({ customer_note: 'a\ud83d b' })).replace(
      '{',
      '{"__proto__":{"number":"9"},',
    );
    expect(await sendWoo(body)).toEqual(ok);
    expect(orders()).toMatchObject([{ order_number: '7421' }]);
    expect(JSON.stringify(orders())).not.toContain('\\ud83d');
  });

  test('applies the mapping rules of its system', async () => {
    const rule = { source: { type: 'meta_data', key: 'marketplace' }, target: 'order_name' };
    const mappings = { version: 1, data: { 'shop_system_3.order': [rule], 'shop_system_1.order': [] } };
    memoryTable.put({ ...keyOf.settings(woo), mappings });
    await sendWoo(wooProcessing());
    expect(orders()).toMatchObject([{ order_name: 'M-77' }]);
  });

  test('leaves nothing of its customer in what is noted', async () => {
    await sendWoo({ ...wooProcessing(), id: null });
    await sendWoo(wooProcessing(), 'order.created');
    const noted = JSON.stringify(memoryTable.all('SHOPWEBHOOKS#'));
    expect(noted).toContain('field_');
    expect(noted).not.toMatch(/köhler|koehler|jana|ring twice|203\.0\.113/i);
  });

  test('never causes an error, whatever it holds', async () => {
    const fields = Object.keys(wooOrder()).map((field) => [field, fc.jsonValue({ maxDepth: 3 })] as const);
    const anything = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
    const payloads = fc.oneof(
      fc.jsonValue(),
      anything.map((some) => wooProcessing(some)),
    );
    await fc.assert(
      fc.asyncProperty(payloads, async (payload) => {
        expect((await sendWoo(payload)).status).toBe(200);
      }),
      // An object whose `toString` cannot be called, where a number should be.
      { numRuns: 100, examples: [[wooProcessing({ id: odd })], [wooProcessing({ line_items: [oddItem] })]] },
    );
  });
});

const odd = { toString: false };
const oddItem = { id: odd, product_id: odd, quantity: odd };

const shopifyHeaders = (body: string) => ({ 'X-Shopify-Hmac-SHA256': signatureOf(secret, body) });

let seed = 7;
/** Text that cannot be compressed. */
function randomText(length: number): string {
  const characters = Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (seed % 90));
  });
  return characters.join('');
}

describe('the call by which shop_system_3 tests the address', () => {
  const ping = (slug: string, body: string, headers = {}) =>
    send({ slug, body, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } });

  test.each([woo, shopware, 'none'])('gets 200 for the shop %s, and nothing is read', async (slug) => {
    dynamo.resetHistory();
    expect(await ping(slug, 'webhook_id=12')).toEqual(ok);
    expect(dynamo.calls()).toEqual([]);
  });

  test.each(['webhook_id=', 'webhook_id=1&a=2', 'webhook_id=x', `webhook_id=${'1'.repeat(100)}`, ''])(
    'is not %j',
    async (body) => {
      expect((await ping(woo, body)).status).toBe(401);
    },
  );

  test('is none if it has a signature', async () => {
    expect((await ping(woo, 'webhook_id=12', { 'X-WC-Webhook-Signature': 'x' })).status).toBe(401);
  });
});

describe('a webhook of shop_system_2', () => {
  test('that names an order is read from the API of the shop', async () => {
    answers.readOrders.mockResolvedValue({ orders: new Map([[shopwareOrderId, shopwareStages.shipped()]]) });
    expect(await sendShopware(shopwareWritten())).toEqual(ok);
    expect(answers.readOrders.mock.calls).toEqual([
      [
        'https://shop.example.com',
        { client_id: 'SWIA1', client_secret: 's' },
        [shopwareOrderId],
        { endsAt: expect.any(Number) },
      ],
    ]);
    expect(orders()).toMatchObject([{ external_id: shopwareOrderId }]);
    expect(parcels()).toMatchObject([{ tracking_number: '00340434161094015902' }]);
  });

  test('that tells of an order is enough, if the API does not answer', async () => {
    answers.readOrders.mockResolvedValue({ failure: 'shop_unreachable' });
    expect(await sendShopware(shopwareEvent('checkout.order.placed'))).toEqual(ok);
    expect(orders()).toMatchObject([{ external_id: shopwareOrderId }]);
    expect((await inboundOf(shopware)).unreadable).toEqual([]);
  });

  test('that tells of an order is listed although it is enough, if somebody has to mend the access', async () => {
    answers.readOrders.mockResolvedValue({ failure: 'credentials_refused' });
    expect(await sendShopware(shopwareEvent('checkout.order.placed'))).toEqual(ok);
    expect(orders()).toMatchObject([{ external_id: shopwareOrderId }]);
    expect((await inboundOf(shopware)).unreadable).toMatchObject([{ reason: 'credentials_refused' }]);
  });

  test('that only names the order is asked for again, if the API does not answer', async () => {
    answers.readOrders.mockResolvedValue({ failure: 'shop_unreachable' });
    expect(await sendShopware(shopwareWritten())).toMatchObject({ status: 502, body: { key: 'bad_gateway' } });
    expect((await inboundOf(shopware)).unreadable).toMatchObject([
      { topic: 'order.written', reason: 'shop_unreachable', order: shopwareOrderId },
    ]);
  });

  test.each(['credentials_refused', 'answer_invalid', 'too_large'])('gets 200 and is listed as %s', async (failure) => {
    answers.readOrders.mockResolvedValue({ failure });
    expect(await sendShopware(shopwareWritten())).toEqual(ok);
    expect((await inboundOf(shopware)).unreadable).toMatchObject([{ reason: failure }]);
  });

  test('gets 200 and is listed if the shop has no such order', async () => {
    answers.readOrders.mockResolvedValue({ orders: new Map() });
    expect(await sendShopware(shopwareWritten())).toEqual(ok);
    expect((await inboundOf(shopware)).unreadable).toMatchObject([
      { reason: 'order_not_found', order: shopwareOrderId },
    ]);
  });

  describe('that names several orders', () => {
    const ids = Array.from({ length: 5 }, (_, n) => shopwareId(100 + n));
    const written = shopwareWritten(...ids.map((primaryKey) => shopwareEntry({ primaryKey })));
    const orderOf = (id: string) => shopwareOrder({ id, orderNumber: `N${ids.indexOf(id)}` });
    const found = (wanted: string[]) => ({ orders: new Map(wanted.map((id) => [id, orderOf(id)])) });

    test('is read in searches for some of them, by one deadline', async () => {
      answers.readOrders.mockImplementation(async (_base, _credentials, wanted: string[]) => found(wanted));
      expect(await sendShopware(written)).toEqual(ok);
      const { calls } = answers.readOrders.mock;
      expect(calls.map(([, , wanted]) => wanted)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
      expect(new Set(calls.map(([, , , ports]) => ports.endsAt)).size).toBe(1);
      expect(orders()).toHaveLength(5);
    });

    test('gets 200 if some were stored, and the others are listed', async () => {
      answers.readOrders.mockImplementation(async (_base, _credentials, wanted: string[]) =>
        wanted.includes(ids[0]!) ? found(wanted) : { failure: 'shop_unreachable' },
      );
      expect(await sendShopware(written)).toEqual(ok);
      expect(orders()).toHaveLength(2);
      const { unreadable } = await inboundOf(shopware);
      expect(unreadable.map(({ order }: { order: string }) => order).sort()).toEqual(ids.slice(2));
    });

    test('is asked for again if none was stored and the shop may still answer', async () => {
      answers.readOrders.mockImplementation(async (_base, _credentials, wanted: string[]) =>
        wanted.includes(ids[0]!) ? { orders: new Map() } : { failure: 'shop_unreachable' },
      );
      expect(await sendShopware(written)).toMatchObject({ status: 502 });
      expect((await inboundOf(shopware)).unreadable).toMatchObject([{ reason: 'shop_unreachable', order: ids[2] }]);
    });
  });

  test('is listed as without credentials, if the app is not installed', async () => {
    memoryTable.remove(keyOf.integrationKey(shopware, 'shop_system_2'));
    expect(await sendShopware(shopwareWritten())).toEqual(ok);
    expect(await inboundOf(shopware)).toMatchObject({
      is_connected: false,
      unreadable: [{ reason: 'credentials_missing', order: shopwareOrderId }],
    });
  });

  test('is refused if it was forged, and counted if its event is unknown', async () => {
    expect(await sendShopware(shopwareWritten(), 'wrong')).toMatchObject({ status: 401 });
    expect(await sendShopware(shopwareHook('customer.written', []))).toEqual(ok);
    expect((await inboundOf(shopware)).ignored).toMatchObject([{ topic: 'customer.written', count: 1 }]);
  });

  test('that was cut gets 200 and is listed', async () => {
    expect(await sendShopware('{"data":{')).toEqual(ok);
    expect((await inboundOf(shopware)).unreadable).toMatchObject([{ topic: null, reason: 'not_json', order: null }]);
  });
});

describe('what came from the system of a shop', () => {
  test('says when the last webhook came, and whether the service can call the shop', async () => {
    vi.setSystemTime(new Date('2026-12-01T10:00:00Z'));
    await sendWoo(wooProcessing(), 'order.created');
    vi.setSystemTime(new Date('2026-12-01T10:00:59Z'));
    await sendWoo(wooProcessing(), 'order.updated');
    expect(await inboundOf(woo)).toMatchObject({
      shop_provider: 'shop_system_3',
      is_connected: false,
      last_received_at: '2026-12-01T10:00:00.000Z',
      last_topic: 'order.created',
    });
    vi.setSystemTime(new Date('2026-12-01T10:01:00Z'));
    await sendWoo(wooProcessing(), 'order.updated');
    expect(await inboundOf(woo)).toMatchObject({ last_topic: 'order.updated' });
  });

  test('does not fail because of what cannot be noted', async () => {
    vi.setSystemTime(new Date('2026-12-02T10:00:00Z'));
    dynamo.on(UpdateCommand).rejects(new Error('no'));
    expect(await sendWoo(wooProcessing(), 'order.created')).toEqual(ok);
    expect(await sendWoo(wooProcessing(), 'coupon.created')).toEqual(ok);
    expect(orders()).toHaveLength(1);
  });

  test('is kept for a time, and the newest are shown', async () => {
    vi.setSystemTime(new Date('2026-12-03T10:00:00Z'));
    await sendWoo('first');
    vi.setSystemTime(new Date('2026-12-04T10:00:00Z'));
    for (let i = 0; i < shopWebhookLimits.unreadableShown; i++) await sendWoo(`no json ${i}`);
    const { unreadable } = await inboundOf(woo);
    expect(unreadable).toHaveLength(shopWebhookLimits.unreadableShown);
    expect(JSON.stringify(unreadable)).not.toContain('2026-12-03');
    vi.setSystemTime(new Date('2027-01-04T10:00:00Z'));
    expect((await inboundOf(woo)).unreadable).toEqual([]);
  });
});
