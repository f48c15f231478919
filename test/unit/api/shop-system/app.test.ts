import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { appCredentialsOf } from '#api/shop-system/app-credentials.ts';
import { keyOf } from '#platform/table/keys.ts';
import { shopTopics } from '#schemas/catalogues/shop-webhooks.ts';
import { fakeKms } from '#test/kit/fake-kms.ts';
import { type FakeSend, type FakeShopware, startFakeShopware } from '#test/kit/fake-shopware.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { shopwareHook, shopwareJson, shopwareSignature } from '#test/kit/shopware-payloads.ts';
import { beforeNextRequest, dynamo, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

process.env.ALLOW_LOCAL_TARGETS = 'true';
process.env.PUBLIC_URL = 'https://service.example.com';
process.env.CREDENTIALS_KEY_ID = 'credentials';
const { handler } = await import('#api/shop-system/handler.ts');

const kms = mockClient(KMSClient);
const slug = 'blue-sky.shop';
const admin = keyFor(slug, 'admin');
const shop = shopItem(slug, { shop_provider: 'shop_system_2', name: 'Blue & <Sky>' });
const secretKey = keyOf.shopSystemSecret(slug);
const credentialsKey = keyOf.integrationKey(slug, 'shop_system_2');

let shopware: FakeShopware;
let copy: FakeShopware;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-17T12:00:00Z') });
  fakeKms(kms);
  tableWith(admin.item, shop);
  [shopware, copy] = await Promise.all([startFakeShopware({ send }), startFakeShopware({ send })]);
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await Promise.all([shopware.stop(), copy.stop()]);
});

const call = (method: string, path: string, more: object = {}) =>
  invoke(handler, {
    method,
    resource: `/v1/shops/{slug}/shop-system${path}`,
    params: { slug },
    headers: basic(slug, admin.secret),
    ...more,
  });

/** As the gateway passes it on: with the query decoded. */
const send: FakeSend = async (address, { body, ...request }) => {
  const { pathname, searchParams } = new URL(address);
  const path = pathname.slice(`/v1/shops/${slug}/shop-system`.length);
  const { status, body: answer } = await call('', path, {
    ...request,
    query: Object.fromEntries(searchParams),
    ...(body !== undefined && { rawBody: body }),
  });
  return { status, text: typeof answer === 'string' ? answer : JSON.stringify(answer) };
};

const setByHand = async () => {
  const { handler: shops } = await import('#api/shops/handler.ts');
  const { status } = await invoke(shops, {
    method: 'PUT',
    resource: '/v1/shops/{slug}/keys/{integration}',
    params: { slug, integration: 'shop_system_2' },
    headers: basic(slug, admin.secret),
    body: { client_id: 'a-client-by-hand' },
  });
  expect(status).toBe(200);
};

const manifest = async (): Promise<string> => (await call('GET', '/app/manifest')).body;
const install = async (by = shopware, options = {}) => by.install(await manifest(), options);
const webhookSecret = async () => (await call('GET', '/webhook-config')).body.webhook_secret;
const registrations = async () => (await call('GET', '/webhooks', { query: { per_page: '100' } })).body;
const isStored = (key: { pk: string; sk: string }) => memoryTable.read(key) !== undefined;
const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

describe('the manifest', () => {
  test('is an XML file that nobody keeps', async () => {
    const { status, headers } = await call('GET', '/app/manifest');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'Content-Type': 'application/xml; charset=utf-8',
      'Cache-Control': 'private, no-store',
    });
  });

  test('names the app after the shop, and escapes what the shop is called', async () => {
    const xml = await manifest();
    expect(xml).toContain('<name>PostPurchaseBlueSkyShop</name>');
    expect(xml).toContain('Blue &amp; &lt;Sky&gt;');
    expect(xml).not.toContain('<Sky>');
  });

  test('leaves out what cannot stand in XML', async () => {
    memoryTable.put({ ...shop, name: 'A\u0000\u000bB\ufffe\ud800' });
    expect(await manifest()).toContain('<author>AB\ufffd</author>');
  });

  test('has all that a shop demands of one', async () => {
    const xml = await manifest();
    for (const tag of ['name', 'label', 'author', 'copyright', 'version', 'license', 'registrationUrl', 'secret']) {
      expect(xml).toMatch(new RegExp(`<${tag}>[^<]+</${tag}>`));
    }
  });

  test('has a webhook for each topic, and only entity events leave drafts out', async () => {
    const webhooks = [...(await manifest()).matchAll(/<webhook name="([^"]+)" url="([^"]+)" event="([^"]+)"(.*)\/>/g)];
    const address = `https://service.example.com/v1/shops/${slug}/shop-system`;
    const found = webhooks.map(([, name, url, event, rest]) => ({ name, url, event, rest }));
    expect(found).toEqual([
      ...Object.entries(shopTopics.shop_system_2).map(([name, event]) => ({
        name,
        url: `${address}/inbound/${name}`,
        event,
        rest: ['order.written', 'order.deleted'].includes(event) ? ' onlyLiveVersion="true"' : '',
      })),
      ...['activated', 'deactivated', 'updated', 'deleted'].map((what) => ({
        name: `app-${what}`,
        url: `${address}/app/lifecycle`,
        event: `app.${what}`,
        rest: '',
      })),
    ]);
  });

  test('always has the same secret, also if two ask for the first one', async () => {
    const [first, second] = await Promise.all([manifest(), manifest()]);
    expect(second).toBe(first);
    expect(await manifest()).toBe(first);
  });

  test('is not made for a shop of another system', async () => {
    memoryTable.put({ ...shop, shop_provider: 'shop_system_3' });
    expect(await call('GET', '/app/manifest')).toMatchObject({ status: 422, body: { key: 'invalid_payload' } });
    expect(isStored(secretKey)).toBe(false);
  });

  test('leaves the secret of webhook-config as it is', async () => {
    const before = await webhookSecret();
    const xml = await manifest();
    expect(await webhookSecret()).toBe(before);
    expect(xml).not.toContain(before);
  });

  test('is also made for a shop whose secret is from before there were apps', async () => {
    const context = { shop: shop.uuid, shop_system: 'webhook_secret' };
    const ciphertext = fakeKms.wrap(context, Buffer.from('of-old'));
    memoryTable.put({ ...secretKey, ciphertext, created_at: '2026-01-01T00:00:00.000Z' });
    await install();
    expect(await webhookSecret()).toBe(shopware.installed!.secret);
  });
});

describe('an installation', () => {
  test.each([
    ['escaped', true],
    ['as it is', false],
  ])('succeeds when the shop writes its address %s', async (_how, isEscaped) => {
    const { secret } = await install(shopware, { isEscaped });
    expect(secret).toMatch(/^[\da-f]{64}$/);
    expect(await webhookSecret()).toBe(secret);
  });

  test.each(['https://www.example.com/shop (old)/ü?a=b&c=d#e', "https://münchen.example.com/*~!'"])(
    'succeeds with the address %s',
    async (shopUrl) => {
      const query = `shop-id=${shopware.shopId}&shop-url=${encodeURIComponent(shopUrl)}&timestamp=${Date.now() / 1000}`;
      const [, appSecret = ''] = /<secret>(.*)<\/secret>/.exec(await manifest())!;
      const answer = await send(`https://service.example.com/v1/shops/${slug}/shop-system/app/registration?${query}`, {
        method: 'GET',
        headers: { 'shopware-app-signature': shopwareSignature(appSecret, query) },
      });
      // Spaces are no part of an address that the service would call.
      expect(answer.status).toBe(shopUrl.includes(' ') ? 422 : 200);
    },
  );

  test('keeps the credentials encrypted, with the address that they came with', async () => {
    const { clientId, clientSecret } = await install();
    const stored = memoryTable.read(credentialsKey)!;
    expect(stored).toMatchObject({
      kind: 'client',
      app: { shop_url: shopware.url },
      masked: { client_id: `****${clientId.slice(-4)}`, client_secret: `****${clientSecret.slice(-4)}` },
    });
    expect(JSON.stringify(stored)).not.toContain(clientSecret);
    expect(await appCredentialsOf(shop)).toEqual({
      shopUrl: shopware.url,
      credentials: { client_id: clientId, client_secret: clientSecret },
    });
    const contexts = kms.commandCalls(EncryptCommand).map(({ args }) => args[0].input.EncryptionContext);
    expect(contexts).toContainEqual({ shop: shop.uuid, integration: 'shop_system_2' });
  });

  test('goes on although the merchant sets a key of the same integration', async () => {
    const { clientId, clientSecret } = await install();
    await setByHand();
    expect(memoryTable.read(credentialsKey)).toMatchObject({ masked: { client_id: '****hand' } });
    const credentials = { client_id: clientId, client_secret: clientSecret };
    expect(await appCredentialsOf(shop)).toEqual({ shopUrl: shopware.url, credentials });
  });

  test('is what connects the shop, and a key that the merchant sets is not', async () => {
    const isConnected = async () => (await call('GET', '/inbound')).body.is_connected;
    await setByHand();
    expect(await isConnected()).toBe(false);
    expect(await appCredentialsOf(shop)).toBeUndefined();
    await install();
    expect(await isConnected()).toBe(true);
    await shopware.uninstall();
    expect(await isConnected()).toBe(false);
  });

  test('makes the registrations of the manifest, and a second one keeps them', async () => {
    await install();
    const first = await registrations();
    expect(first).toHaveLength(Object.keys(shopTopics.shop_system_2).length);
    expect(first).toContainEqual({
      uuid: expect.any(String),
      shop_slug: slug,
      webhook_type: 'order-update',
      name: 'order-update',
      external_id: 'order-update',
      shopify_id: null,
      topic: 'order.written',
      hook_url: `https://service.example.com/v1/shops/${slug}/shop-system/inbound/order-update`,
      fields: [],
      created_at: '2026-11-17T12:00:00.000Z',
      updated_at: '2026-11-17T12:00:00.000Z',
    });
    later(10);
    await install();
    const uuids = (list: { uuid: string }[]) => list.map(({ uuid }) => uuid).toSorted();
    const second = await registrations();
    expect(uuids(second)).toEqual(uuids(first));
    expect(second[0]).toMatchObject({ created_at: '2026-11-17T12:00:00.000Z', updated_at: '2026-11-17T12:00:10.000Z' });
  });

  test('changes nothing until it is confirmed', async () => {
    const before = await webhookSecret();
    await expect(install(shopware, { confirmationSecret: 'wrong' })).rejects.toThrow('Confirmation: 401');
    expect(await webhookSecret()).toBe(before);
    expect(isStored(credentialsKey)).toBe(false);
    expect(await registrations()).toEqual([]);
  });

  test.each([
    ['another secret', { appSecret: 'wrong' }, '401'],
    ['a time that is over', { now: new Date('2026-11-17T11:44:59Z') }, '401'],
    ['a time that comes', { now: new Date('2026-11-17T12:15:01Z') }, '401'],
    ['an address that is none', { shopUrl: 'shop' }, '422'],
    ['a file', { shopUrl: 'file:///etc/passwd' }, '422'],
    ['an address in a private network', { shopUrl: 'https://10.0.0.1' }, '422'],
    ['a password in its address', { shopUrl: 'https://a:b@example.com' }, '422'],
  ])('with %s is refused', async (_what, options, status) => {
    await expect(install(shopware, options)).rejects.toThrow(`Registration: ${status}`);
    expect(memoryTable.read(secretKey)).not.toHaveProperty('pending');
  });

  test('without a manifest is refused', async () => {
    const registrationUrl = `https://service.example.com/v1/shops/${slug}/shop-system/app/registration`;
    const forged = { name: 'PostPurchaseBlueSkyShop', registrationUrl, secret: '' };
    await expect(shopware.install(forged)).rejects.toThrow('Registration: 401');
    await webhookSecret();
    await expect(shopware.install(forged)).rejects.toThrow('Registration: 401');
  });

  test('is refused when the shop has another system by now', async () => {
    const xml = await manifest();
    memoryTable.put({ ...shop, shop_provider: 'shop_system_1' });
    await expect(shopware.install(xml)).rejects.toThrow('Registration: 401');
  });

  test('whose parameters stand in other places than those that were signed is refused', async () => {
    const signed = `shop-id=a&shop-url=https://www.example.com&timestamp=${Date.now() / 1000}`;
    const [, appSecret = ''] = /<secret>(.*)<\/secret>/.exec(await manifest())!;
    const headers = { 'shopware-app-signature': shopwareSignature(appSecret, signed) };
    const ask = (query: object) => call('GET', '/app/registration', { query, headers });
    const timestamp = String(Date.now() / 1000);
    const moved = { 'shop-id': 'a&shop-url=https://www.example.com', 'shop-url': '', timestamp };
    expect(await ask(moved)).toMatchObject({ status: 401 });
    expect(await ask({ 'shop-id': 'a', 'shop-url': 'https://www.example.com', timestamp })).toMatchObject({
      status: 200,
    });
  });

  test('by a shop that still knows its secret must prove it', async () => {
    await install();
    shopware.installed = { ...shopware.installed!, secret: 'another' };
    await expect(install()).rejects.toThrow('Registration: 401');
    await expect(install(shopware, { signsWithPrevious: false })).resolves.toBeDefined();
  });

  test('of two shops at once ends with the one that asked last', async () => {
    const xml = await manifest();
    const [, appSecret = ''] = /<secret>(.*)<\/secret>/.exec(xml)!;
    const first = await registerWith(appSecret, shopware);
    const second = await registerWith(appSecret, copy);
    expect(await confirm(shopware, first)).toMatchObject({ status: 401 });
    expect(isStored(credentialsKey)).toBe(false);
    expect(await confirm(copy, second)).toMatchObject({ status: 200 });
    expect(await webhookSecret()).toBe(second);
  });
});

const registerWith = async (appSecret: string, by: FakeShopware): Promise<string> => {
  const query = { 'shop-id': by.shopId, 'shop-url': by.url, timestamp: String(Date.now() / 1000) };
  const text = Object.entries(query)
    .map((pair) => pair.join('='))
    .join('&');
  const headers = { 'shopware-app-signature': shopwareSignature(appSecret, text) };
  return (await call('GET', '/app/registration', { query, headers })).body.secret;
};

const appSecretOfManifest = async () => /<secret>(.*)<\/secret>/.exec(await manifest())![1]!;

const confirm = (by: FakeShopware, secret: string, fields: object = {}) => {
  const body = { apiKey: 'key', secretKey: 'secret', timestamp: '1', shopUrl: by.url, shopId: by.shopId, ...fields };
  const rawBody = shopwareJson(body);
  const headers = { 'shopware-shop-signature': shopwareSignature(secret, rawBody) };
  return call('POST', '/app/confirmation', { rawBody, headers });
};

describe('a confirmation', () => {
  test('without a registration is refused, also with the secret of webhook-config', async () => {
    await manifest();
    expect(await confirm(shopware, await webhookSecret())).toMatchObject({ status: 401 });
    expect(await confirm(shopware, '')).toMatchObject({ status: 401 });
  });

  test('that comes again succeeds and changes nothing', async () => {
    const secret = await registerWith(await appSecretOfManifest(), shopware);
    expect(await confirm(shopware, secret)).toMatchObject({ status: 200 });
    const stored = memoryTable.all();
    later(30);
    expect(await confirm(shopware, secret)).toMatchObject({ status: 200, body: null });
    expect(memoryTable.all()).toEqual(stored);
  });

  test('that comes twice at once succeeds twice', async () => {
    const secret = await registerWith(await appSecretOfManifest(), shopware);
    const answers = await Promise.all([confirm(shopware, secret), confirm(shopware, secret)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await webhookSecret()).toBe(secret);
  });

  test('that comes again after the next one cannot undo it', async () => {
    const app = await appSecretOfManifest();
    const first = await registerWith(app, shopware);
    await confirm(shopware, first);
    const second = await registerWith(app, shopware);
    await confirm(shopware, second);
    expect(await confirm(shopware, first)).toMatchObject({ status: 401 });
    expect(await webhookSecret()).toBe(second);
  });

  test('that comes again while the next registration waits does not confirm that one', async () => {
    const app = await appSecretOfManifest();
    const first = await registerWith(app, shopware);
    await confirm(shopware, first);
    const second = await registerWith(app, copy);
    expect(await confirm(shopware, first)).toMatchObject({ status: 200 });
    expect(await webhookSecret()).toBe(first);
    expect(await confirm(copy, second)).toMatchObject({ status: 200 });
    expect(await webhookSecret()).toBe(second);
  });

  test('is refused when another shop registers at the same moment', async () => {
    const app = await appSecretOfManifest();
    const first = await registerWith(app, shopware);
    const pending = memoryTable.read(secretKey)!.pending;
    beforeNextRequest(TransactWriteCommand, () =>
      memoryTable.put({ ...memoryTable.read(secretKey), pending: { ...pending, ciphertext: Buffer.from('other') } }),
    );
    expect(await confirm(shopware, first)).toMatchObject({ status: 401 });
    expect(isStored(credentialsKey)).toBe(false);
    expect(await registrations()).toEqual([]);
  });

  test.each([
    ['shopUrl', 'https://other.example.com'],
    ['shopId', 'other'],
    ['secretKey', 'x'.repeat(2049)],
    ['apiKey', ''],
    ['apiKey', undefined],
  ])('with %s %s is refused and can be repeated as it should be', async (name, value) => {
    const secret = await registerWith(await appSecretOfManifest(), shopware);
    const refused = await confirm(shopware, secret, { [name]: value });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ loc: ['body', name] }] } });
    expect(isStored(credentialsKey)).toBe(false);
    expect(await confirm(shopware, secret)).toMatchObject({ status: 200 });
  });

  test('with credentials that are longer than can be encrypted is refused', async () => {
    const secret = await registerWith(await appSecretOfManifest(), shopware);
    const fields = { apiKey: 'k'.repeat(2048), secretKey: 's'.repeat(2048) };
    expect(await confirm(shopware, secret, fields)).toMatchObject({ status: 422 });
  });

  test('whose former secret is wrong is refused', async () => {
    const { secret: current } = await install();
    const secret = await registerWith(await appSecretOfManifest(), shopware);
    const rawBody = shopwareJson({ apiKey: 'k', secretKey: 's', shopUrl: shopware.url, shopId: shopware.shopId });
    const confirmWith = (previous: string) =>
      call('POST', '/app/confirmation', {
        rawBody,
        headers: {
          'shopware-shop-signature': shopwareSignature(secret, rawBody),
          'shopware-shop-signature-previous': shopwareSignature(previous, rawBody),
        },
      });
    expect(await confirmWith('wrong')).toMatchObject({ status: 401 });
    expect(await confirmWith(current)).toMatchObject({ status: 200 });
  });

  test('replaces registrations of a system that the shop had before', async () => {
    const old = { uuid: 'old', shop_slug: slug, webhook_type: 'order-creation', name: 'order-creation' };
    memoryTable.put({ ...keyOf.registration(slug, 'order-creation'), ...old, shopify_id: 7, topic: 'orders/create' });
    await install();
    const [found] = (await registrations()).filter((one: typeof old) => one.webhook_type === 'order-creation');
    expect(found).toMatchObject({ external_id: 'order-creation', shopify_id: null, topic: 'checkout.order.placed' });
    expect(found.uuid).not.toBe('old');
  });
});

describe('what happened to the app', () => {
  const lifecycle = `https://service.example.com/v1/shops/${slug}/shop-system/app/lifecycle`;

  test('is taken if the shop has signed it', async () => {
    await install();
    const hook = shopwareHook('app.activated', []);
    expect(await shopware.sendTo(lifecycle, hook)).toMatchObject({ status: 200 });
    expect(await shopware.sendTo(lifecycle, hook, 'wrong')).toMatchObject({ status: 401 });
    expect(await shopware.sendTo(lifecycle, 'no JSON')).toMatchObject({ status: 200 });
    expect(isStored(credentialsKey)).toBe(true);
  });

  test('that it was removed removes credentials and registrations, and the secret stays', async () => {
    const { secret } = await install();
    expect(await shopware.uninstall()).toMatchObject([{ status: 200 }]);
    expect(isStored(credentialsKey)).toBe(false);
    expect(await registrations()).toEqual([]);
    expect(await webhookSecret()).toBe(secret);
    expect(await appCredentialsOf(shop)).toBeUndefined();
    // A confirmation that somebody has recorded brings nothing back.
    expect(await confirm(shopware, secret)).toMatchObject({ status: 401 });
    await expect(install()).resolves.toBeDefined();
  });

  test('that it was removed from another shop removes nothing', async () => {
    const { secret } = await install();
    expect(await copy.sendTo(lifecycle, shopwareHook('app.deleted', []), secret)).toMatchObject({ status: 200 });
    expect(isStored(credentialsKey)).toBe(true);
    expect(await registrations()).not.toEqual([]);
  });

  test('that it was removed and comes late, after a new installation, removes nothing', async () => {
    const { secret } = await install();
    await install(shopware, { signsWithPrevious: false });
    const answer = await shopware.sendTo(lifecycle, shopwareHook('app.deleted', []), secret);
    expect(answer).toMatchObject({ status: 200 });
    expect(isStored(credentialsKey)).toBe(true);
    later(61);
    expect(await shopware.sendTo(lifecycle, shopwareHook('app.deleted', []), secret)).toMatchObject({ status: 401 });
  });

  test('that it was removed leaves what the merchant has set', async () => {
    await install();
    await setByHand();
    const woo = { uuid: 'w', shop_slug: slug, webhook_type: 'product-update', name: 'product-update' };
    memoryTable.put({
      ...keyOf.registration(slug, 'product-update'),
      ...woo,
      external_id: '12',
      shopify_id: null,
      topic: 'product.updated',
    });
    await shopware.uninstall();
    expect(memoryTable.read(credentialsKey)).toMatchObject({ masked: { client_id: '****hand' } });
    expect(memoryTable.read(credentialsKey)).not.toHaveProperty('app');
    expect(await registrations()).toMatchObject([{ uuid: 'w' }]);
  });

  test('that it was removed counts once, also if something is written at the same moment', async () => {
    await install();
    beforeNextRequest(TransactWriteCommand, () => {
      const key = keyOf.registration(slug, 'order-update');
      memoryTable.put({ ...memoryTable.read(key), uuid: 'changed' });
    });
    expect(await shopware.uninstall()).toMatchObject([{ status: 200 }]);
    expect(await registrations()).toEqual([]);
  });

  test('counts for a shop that has another system by now', async () => {
    await install();
    memoryTable.put({ ...shop, shop_provider: 'shop_system_3' });
    expect(await shopware.uninstall()).toMatchObject([{ status: 200 }]);
    expect(isStored(credentialsKey)).toBe(false);
  });
});

test('a confirmation that fails leaves everything as it was, and can be repeated', async () => {
  const secret = await registerWith(await appSecretOfManifest(), shopware);
  const before = memoryTable.all('SHOP#');
  dynamo.on(TransactWriteCommand).rejectsOnce(Object.assign(new Error(), { name: 'InternalServerError' }));
  expect(await confirm(shopware, secret)).toMatchObject({ status: 500 });
  expect(memoryTable.all('SHOP#')).toEqual(before);
  expect(await confirm(shopware, secret)).toMatchObject({ status: 200 });
});

test('no secret is decrypted for a request without a signature', async () => {
  await install();
  kms.resetHistory();
  expect(await call('POST', '/app/lifecycle', { headers: {}, rawBody: '{}' })).toMatchObject({ status: 401 });
  expect(await call('POST', '/app/confirmation', { headers: {}, rawBody: '{}' })).toMatchObject({ status: 401 });
  expect(await call('GET', '/app/registration', { headers: {} })).toMatchObject({ status: 401 });
  expect(kms.commandCalls(DecryptCommand)).toEqual([]);
});
