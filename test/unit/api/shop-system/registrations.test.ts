import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keyOf } from '#platform/table/keys.ts';
import { type FakeShopSystem, fakeToken, startFakeShopSystem, unwell } from '#test/kit/fake-shop-system.ts';
import { consumerKey, type FakeWooCommerce, startFakeWooCommerce } from '#test/kit/fake-woocommerce.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, beforeRequest, dynamo, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

// Read when the module of outgoing calls is loaded.
process.env.ALLOW_LOCAL_TARGETS = 'true';
process.env.PUBLIC_URL = 'https://service.example.com';
process.env.CREDENTIALS_KEY_ID = 'credentials';
const { handler } = await import('#api/shop-system/handler.ts');

const kms = mockClient(KMSClient);
const admin = keyFor('blue', 'admin');
const address = 'https://service.example.com/v1/shops/blue/shop-system/inbound/order-creation';

const registrationKey = keyOf.registration('blue', 'order-creation');
const registration = () => memoryTable.read(registrationKey);

let system: FakeShopSystem;
beforeEach(async () => {
  system = await startFakeShopSystem();
  kms.reset();
  kms.on(EncryptCommand).callsFake(({ Plaintext }) => ({ CiphertextBlob: Buffer.from(Plaintext).reverse() }));
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: Buffer.from(CiphertextBlob).reverse() }));
  const shop = shopItem('blue', { shop_admin_url: system.adminUrl });
  const ciphertext = Buffer.from(JSON.stringify({ api_key: fakeToken })).reverse();
  const { origin } = new URL(system.adminUrl);
  tableWith(admin.item, shop, { ...keyOf.integrationKey('blue', 'integration_7'), ciphertext, origin });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await system.stop();
});

const call = (method: string, path: string, more: object = {}) =>
  invoke(handler, {
    method,
    resource: `/v1/shops/{slug}/shop-system${path}`,
    params: { slug: 'blue', webhook_type: 'order-creation' },
    headers: basic('blue', admin.secret),
    ...more,
  });
const create = (more: Record<string, string> = {}) =>
  call('POST', '/webhooks', {
    body: { webhook_type: 'order-creation' },
    headers: { ...basic('blue', admin.secret), ...more },
  });
const remove = () => call('DELETE', '/webhooks/types/{webhook_type}');

describe('a registration', () => {
  test('is stored with the hook of the shop system, and its key is read for this shop and integration', async () => {
    const { status, body } = await create();
    expect(status).toBe(200);
    expect(registration()).toMatchObject({ ...body, shopify_id: system.hooks[0]!.id, hook_url: address });
    expect(kms.commandCalls(DecryptCommand)[0]!.args[0].input.EncryptionContext).toEqual({
      shop: shopItem('blue').uuid,
      integration: 'integration_7',
    });
  });

  test('is removed from the shop system when it cannot be stored', async () => {
    dynamo.on(PutCommand).rejects(Object.assign(new Error(), { name: 'InternalServerError' }));
    expect(await create()).toMatchObject({ status: 500 });
    expect(system.hooks).toEqual([]);
    expect(system.asked.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  });

  test('that can be neither stored nor removed is taken over by the next try', async () => {
    beforeNextRequest(PutCommand, () => {
      system.meet(unwell);
      throw Object.assign(new Error(), { name: 'InternalServerError' });
    });
    expect(await create()).toMatchObject({ status: 500 });
    expect(system.hooks).toHaveLength(1);
    expect(await create()).toMatchObject({ status: 200, body: { shopify_id: system.hooks[0]!.id } });
    expect(system.hooks).toHaveLength(1);
  });

  test('that another request stored in the meantime remains, with the hook of that request', async () => {
    beforeNextRequest(PutCommand, ({ Item }) => memoryTable.put({ ...Item, uuid: 'of-the-other' }));
    expect(await create()).toMatchObject({ status: 409, body: { key: 'registration_exists' } });
    expect(system.hooks).toHaveLength(1);
    expect(registration()).toMatchObject({ uuid: 'of-the-other' });
  });

  test('succeeds when the table wrote it and the answer was lost', async () => {
    beforeNextRequest(PutCommand, ({ Item }) => memoryTable.put(Item!)); // the SDK sends the write again
    expect(await create()).toMatchObject({ status: 200 });
    expect(system.hooks).toHaveLength(1);
  });

  test('is not requested again from the shop system when it exists', async () => {
    await create();
    system.asked.length = 0;
    expect(await create()).toMatchObject({ status: 409, body: { key: 'registration_exists' } });
    expect(system.asked).toEqual([]);
  });

  test('is deleted without an error when another request deleted it in the meantime', async () => {
    await create();
    beforeNextRequest(DeleteCommand, () => memoryTable.remove(registrationKey));
    expect(await remove()).toMatchObject({ status: 200, body: null });
  });

  test('stays stored until the table deletes it', async () => {
    await create();
    dynamo.on(DeleteCommand).rejectsOnce(Object.assign(new Error(), { name: 'InternalServerError' }));
    expect(await remove()).toMatchObject({ status: 500 });
    expect(system.hooks).toEqual([]);
    expect(registration()).toBeDefined();
    expect(await remove()).toMatchObject({ status: 200 });
    expect(dynamo.commandCalls(DeleteCommand)).toHaveLength(2);
  });

  test('uses the address of the distribution when no public address is configured', async () => {
    vi.stubEnv('PUBLIC_URL', '');
    vi.stubEnv('DISTRIBUTION_MARK', 'the-mark');
    const distribution = { 'X-Distribution-Mark': 'the-mark', 'X-Distribution-Domain': 'd1.cloudfront.net' };
    const { body } = await create(distribution);
    expect(body.hook_url).toMatch(/^https:\/\/d1\.cloudfront\.net\/v1\/shops\/blue\//);
    vi.unstubAllEnvs();
  });
});

describe('the webhook secret', () => {
  const ask = () => call('GET', '/webhook-config');

  test('is stored encrypted, bound to its shop and its use', async () => {
    const { body } = await ask();
    const stored = memoryTable.read(keyOf.shopSystemSecret('blue'))!;
    expect(Buffer.from(stored.ciphertext as Uint8Array).toString()).not.toContain(body.webhook_secret);
    expect(kms.commandCalls(EncryptCommand)[0]!.args[0].input.EncryptionContext).toEqual({
      shop: shopItem('blue').uuid,
      shop_system: 'webhook_secret',
    });
    expect(await ask()).toMatchObject({ body });
  });

  test('is the one of the first request when several ask at once', async () => {
    beforeNextRequest(PutCommand, ({ Item }) =>
      memoryTable.put({ ...Item, ciphertext: Buffer.from('the first one').reverse() }),
    );
    expect(await ask()).toMatchObject({ status: 200, body: { webhook_secret: 'the first one' } });
  });
});

describe('the key of the shop system', () => {
  test.each([
    ['another server', 'https://shop.example.com'],
    ['no address', null],
  ])('is not sent if it was set for %s', async (_, origin) => {
    const key = keyOf.integrationKey('blue', 'integration_7');
    memoryTable.put({ ...memoryTable.read(key)!, ...key, origin });
    const { status, body } = await create();
    expect([status, body.key]).toEqual([404, 'partner_key_not_found']);
    expect(body.message).toMatch(/again/);
    expect(system.asked).toEqual([]);
    expect(kms.calls()).toEqual([]);
  });

  test('goes to the server that it was set for if the address changes during the request', async () => {
    await using thief = await startFakeShopSystem();
    beforeNextRequest(PutCommand, () => memoryTable.put(shopItem('blue', { shop_admin_url: thief.adminUrl })));
    expect((await create()).status).toBe(200);
    expect((await remove()).status).toBe(404);
    expect(thief.asked).toEqual([]);
    expect(system.asked).toHaveLength(1);
  });
});

describe('a registration from before there were other systems', () => {
  const old = {
    uuid: '01930000-0000-7000-8000-00000000000a',
    shop_slug: 'blue',
    webhook_type: 'order-creation',
    name: 'order-creation',
    shopify_id: 4759306000001,
    topic: 'orders/create',
  };

  test('is shown with its id as a text, and removed from the shop system', async () => {
    await create();
    const { external_id: _, ...stored } = registration()!;
    memoryTable.remove(registrationKey);
    memoryTable.put(stored);
    const { body } = await call('GET', '/webhooks/types/{webhook_type}');
    expect(body.external_id).toBe(String(system.hooks[0]!.id));
    expect(await remove()).toMatchObject({ status: 200 });
    expect(system.hooks).toEqual([]);
  });

  test('goes without a call if the shop has another system by now', async () => {
    memoryTable.put({ ...registrationKey, ...old }, { ...shopOfWoo('https://shop.example.com') });
    expect(await remove()).toMatchObject({ status: 200 });
    expect(registration()).toBeUndefined();
    expect(system.asked).toEqual([]);
  });
});

const shopOfWoo = (url: string) => shopItem('blue', { shop_admin_url: url, shop_provider: 'shop_system_3' });

describe('a registration in shop_system_3', () => {
  const wooKey = keyOf.integrationKey('blue', 'shop_system_3');
  let woo: FakeWooCommerce;

  const storeKey = (credential: object, origin = new URL(woo.shopUrl).origin) =>
    memoryTable.put({ ...wooKey, ciphertext: Buffer.from(JSON.stringify(credential)).reverse(), origin });
  const createOf = (webhook_type: string) => call('POST', '/webhooks', { body: { webhook_type } });

  beforeEach(async () => {
    woo = await startFakeWooCommerce();
    memoryTable.put(shopOfWoo(woo.shopUrl));
    storeKey(consumerKey);
  });
  afterEach(() => woo.stop());

  test('is made by its REST API, with the secret of webhook-config', async () => {
    const { status, body } = await createOf('order-update');
    expect(status).toBe(200);
    const [hook] = woo.hooks;
    expect(body).toMatchObject({
      external_id: String(hook!.id),
      shopify_id: null,
      topic: 'order.updated',
      hook_url: 'https://service.example.com/v1/shops/blue/shop-system/inbound/order-update',
      fields: [],
    });
    const config = await call('GET', '/webhook-config');
    expect(hook).toMatchObject({ topic: 'order.updated', secret: config.body.webhook_secret });
    expect(system.asked).toEqual([]);
    expect(kms.commandCalls(DecryptCommand)[0]!.args[0].input.EncryptionContext).toEqual({
      shop: shopItem('blue').uuid,
      integration: 'shop_system_3',
    });
  });

  test('is made once, and removed from the shop and from the list', async () => {
    await create();
    expect(await create()).toMatchObject({ status: 409, body: { key: 'registration_exists' } });
    expect(woo.hooks).toHaveLength(1);
    expect(await remove()).toMatchObject({ status: 200 });
    expect(woo.hooks).toEqual([]);
    expect(registration()).toBeUndefined();
  });

  test('is removed from the shop when it cannot be stored', async () => {
    const failed = Object.assign(new Error(), { name: 'InternalServerError' });
    beforeRegistration(() => {
      throw failed;
    });
    expect(await create()).toMatchObject({ status: 500 });
    expect(woo.hooks).toEqual([]);
  });

  test.each(['order-fulfillment', 'order-partial-fulfillment', 'order-cancelled', 'order-fulfillment-update'])(
    'of the type %s is refused, and the answer names the type that reports it',
    async (type) => {
      const { status, body } = await createOf(type);
      expect(status).toBe(422);
      expect(body.errors).toEqual([
        { loc: ['body', 'webhook_type'], msg: expect.stringContaining('order-update'), type: 'value_error' },
      ]);
      expect(woo.asked).toEqual([]);
    },
  );

  test('needs a key of its own, for the server that it was set for, with its secret', async () => {
    storeKey(consumerKey, 'https://other.example.com');
    expect(await create()).toMatchObject({ status: 404, body: { message: expect.stringContaining('shop_system_3') } });
    storeKey({ client_id: 'ck_of_the_fake_shop' });
    expect(await create()).toMatchObject({ status: 404, body: { message: expect.stringContaining('client_secret') } });
    memoryTable.remove(wooKey);
    expect(await create()).toMatchObject({ status: 404, body: { key: 'partner_key_not_found' } });
    expect(woo.asked).toEqual([]);
    expect(system.asked).toEqual([]);
  });

  test('replaces one of a system that the shop had before', async () => {
    memoryTable.put(shopItem('blue', { shop_admin_url: system.adminUrl }));
    await create();
    memoryTable.put(shopOfWoo(woo.shopUrl));
    expect(await create()).toMatchObject({ status: 200, body: { shopify_id: null, topic: 'order.created' } });
    expect(registration()).toMatchObject({ external_id: String(woo.hooks[0]!.id), shopify_id: null });
    expect(await create()).toMatchObject({ status: 409 });
  });

  test('that replaces another and cannot be stored leaves the other', async () => {
    memoryTable.put(shopItem('blue', { shop_admin_url: system.adminUrl }));
    await create();
    const before = registration();
    memoryTable.put(shopOfWoo(woo.shopUrl));
    beforeRegistration(() => {
      throw Object.assign(new Error(), { name: 'InternalServerError' });
    });
    expect(await create()).toMatchObject({ status: 500 });
    expect(woo.hooks).toEqual([]);
    expect(registration()).toEqual(before);
  });

  test('does not replace one that another request has replaced in the meantime', async () => {
    memoryTable.put(shopItem('blue', { shop_admin_url: system.adminUrl }));
    await create();
    memoryTable.put(shopOfWoo(woo.shopUrl));
    beforeRegistration((Item) => memoryTable.put({ ...Item, ...registrationKey, uuid: 'of-the-other' }));
    expect(await create()).toMatchObject({ status: 409 });
    expect(woo.hooks).toHaveLength(1);
    expect(registration()).toMatchObject({ uuid: 'of-the-other' });
  });

  /** The secret is stored by a write of the same kind. */
  const beforeRegistration = (act: (item: Record<string, unknown>) => void) =>
    beforeRequest(PutCommand, ({ Item }) => {
      if (Item?.sk === registrationKey.sk) act(Item);
    });
});

test.each([
  [true, 'the server of the shop_admin_url', {}],
  [false, 'another server', { origin: 'https://other.example.com' }],
])('a shop is connected: %s, if its key is for %s', async (is_connected, _what, fields) => {
  const key = keyOf.integrationKey('blue', 'integration_7');
  memoryTable.put({ ...memoryTable.read(key), ...fields });
  expect(await call('GET', '/inbound')).toMatchObject({ status: 200, body: { is_connected } });
  memoryTable.put(shopItem('blue', { shop_admin_url: null }));
  expect(await call('GET', '/inbound')).toMatchObject({ status: 200, body: { is_connected: false } });
});

describe('a registration in shop_system_2', () => {
  beforeEach(() =>
    memoryTable.put(shopItem('blue', { shop_admin_url: system.adminUrl, shop_provider: 'shop_system_2' })),
  );

  test('is refused: it comes with the app', async () => {
    const { status, body } = await create();
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ loc: ['body', 'webhook_type'], msg: expect.stringContaining('app') }]);
  });

  test('cannot be removed: it goes with the app', async () => {
    const ofApp = { uuid: 'a', shop_slug: 'blue', webhook_type: 'order-creation', name: 'order-creation' };
    memoryTable.put({ ...registrationKey, ...ofApp, external_id: 'order-creation', shopify_id: null });
    const { status, body } = await remove();
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ loc: ['path', 'webhook_type'], msg: expect.stringContaining('app') }]);
    expect(registration()).toBeDefined();
  });
});
