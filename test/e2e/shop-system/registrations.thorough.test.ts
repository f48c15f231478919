import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shopRoles } from '#schemas/catalogues/enumerations.ts';
import type { ErrorKey } from '#schemas/catalogues/errors.ts';
import { shopTopics, shopWebhookTypes } from '#schemas/catalogues/shop-webhooks.ts';
import { shopSystem } from '#schemas/families/shop-system.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { expectDone } from '#test/e2e/kit/orders.ts';
import { api, keyFor, newShop, newSlug, superAdmin, url } from '#test/e2e/kit/shared-stack.ts';
import { type ConnectedShop, connectShop } from '#test/e2e/kit/shop-system.ts';
import { busy, type FakeShopSystem, startFakeShopSystem, type Trouble, unwell } from '#test/kit/fake-shop-system.ts';

let system: FakeShopSystem;
/** Each test uses other webhook types of it. */
let shop: ConnectedShop;
beforeAll(async () => {
  system = await startFakeShopSystem();
  shop = await connected();
});
afterAll(() => system.stop());

const hooks = '/shop-system/webhooks';
const connected = () => connectShop(api, superAdmin, newSlug(), system.adminUrl);
const register = ({ call }: ConnectedShop, webhook_type: string) => call('POST', hooks, { webhook_type });
const remove = (place: string) => shop.call('DELETE', `${hooks}/${place}`);
const hooksOf = ({ slug }: ConnectedShop, type = '') =>
  system.hooks.filter(({ address }) => address.includes(`/${slug}/`) && address.endsWith(type));

describe('registrations in the shop system', () => {
  test('are created there, and found here by uuid and by type', async () => {
    const { status, body } = await register(shop, 'order-creation');
    expect(status).toBe(200);
    const [hook] = hooksOf(shop, 'order-creation');
    expect(body).toEqual({
      uuid: expect.any(String),
      shop_slug: shop.slug,
      webhook_type: 'order-creation',
      name: 'order-creation',
      external_id: String(hook!.id),
      shopify_id: hook!.id,
      topic: 'orders/create',
      hook_url: `${url}/v1/shops/${shop.slug}/shop-system/inbound/order-creation`,
      fields: [],
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    expect(hook).toMatchObject({ topic: body.topic, address: body.hook_url, format: 'json' });
    for (const place of [body.uuid, body.uuid.toUpperCase(), 'types/order-creation']) {
      expect((await shop.call('GET', `${hooks}/${place}`)).body).toEqual(body);
    }
  });

  test('are one for each type, listed newest first, page by page', async () => {
    const own = await connected();
    const made = [];
    for (const type of shopWebhookTypes) made.unshift((await register(own, type)).body);
    expect(hooksOf(own).map(({ topic }) => topic)).toEqual(Object.values(shopTopics.shop_system_1));
    expect((await own.call('GET', hooks)).body).toEqual(made);
    expect((await own.call('GET', `${hooks}?per_page=4&page=3`)).body).toEqual(made.slice(8));
    expectError(await register(own, 'order-update'), 409, 'registration_exists');
  });

  test('are created once by several requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => register(shop, 'order-cancelled')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const { body } = await shop.call('GET', `${hooks}/types/order-cancelled`);
    expect(hooksOf(shop, 'order-cancelled').map(({ id }) => id)).toEqual([body.shopify_id]);
  });

  test('are deleted there and then here, also when they are already gone there', async () => {
    const { body } = await register(shop, 'order-deletion');
    expectDone(await remove(body.uuid));
    expect(hooksOf(shop, 'order-deletion')).toEqual([]);
    await register(shop, 'order-deletion');
    system.hooks.splice(system.hooks.indexOf(hooksOf(shop, 'order-deletion')[0]!), 1);
    expectDone(await remove('types/order-deletion'));
    for (const place of [body.uuid, 'types/order-deletion']) {
      expectError(await shop.call('GET', `${hooks}/${place}`), 404, 'registration_not_found');
      expectError(await remove(place), 404, 'registration_not_found');
    }
  });

  test('stay unchanged when the shop system refuses or fails', async () => {
    const troubles: [Trouble, number, ErrorKey][] = [
      [{ status: 401 }, 400, 'partner_key_missing_permissions'],
      [{ status: 403 }, 400, 'partner_key_missing_permissions'],
      [busy('60'), 502, 'bad_gateway'],
      [unwell, 502, 'bad_gateway'],
    ];
    const place = 'types/product-creation';
    for (const [trouble, status, key] of troubles) {
      system.meet(trouble);
      expectError(await register(shop, 'product-creation'), status, key);
      expectError(await shop.call('GET', `${hooks}/${place}`), 404, 'registration_not_found');
    }
    system.meet(busy(), busy());
    const { body } = await register(shop, 'product-creation');
    for (const [trouble, status, key] of troubles) {
      system.meet(trouble);
      expectError(await remove(place), status, key);
    }
    expect((await shop.call('GET', `${hooks}/${place}`)).body).toEqual(body);
  });

  test('are taken over by the next try when an answer was lost', async () => {
    system.loseAnswer(unwell);
    expectError(await register(shop, 'product-deletion'), 502, 'bad_gateway');
    const [hook] = hooksOf(shop, 'product-deletion');
    expect((await register(shop, 'product-deletion')).body).toMatchObject({ shopify_id: hook!.id });
    expect(hooksOf(shop, 'product-deletion')).toEqual([hook]);
  });

  test('need a key and an address, and accept only the known types', async () => {
    const slug = await newShop({ shop_admin_url: system.adminUrl });
    const path = `/v1/shops/${slug}/shop-system/webhooks`;
    const body = { webhook_type: 'order-creation' };
    expectError(await api('POST', path, { key: superAdmin, body }), 404, 'partner_key_not_found');
    expectInvalid(await api('POST', path, { key: superAdmin, body: { webhook_type: 'orders' } }), [
      'body.webhook_type',
      'value_error',
    ]);
    expectInvalid(await api('GET', `${path}/types/orders`, { key: superAdmin }), ['path.webhook_type', 'value_error']);
    const own = await connected();
    await own.call('PATCH', '', { shop_admin_url: null });
    expectInvalid(await register(own, 'order-creation'), ['path.slug', 'value_error']);
  });
});

/** The rights of each role, written by hand from the contract. The receivers take no key at all. */
const readers = ['viewer', 'editor', 'admin'];
type Receiver = 'receiveShopWebhook' | 'receiveShopPrivacyWebhook' | 'registerApp' | 'confirmApp' | 'receiveAppEvent';
const rights: Record<Exclude<keyof typeof shopSystem, Receiver>, readonly string[]> = {
  createRegistration: ['admin'],
  listRegistrations: readers,
  getRegistration: readers,
  getRegistrationOfType: readers,
  getWebhookConfig: ['admin'],
  getShopInbound: readers,
  getAppManifest: ['admin'],
  deleteRegistration: ['admin'],
  deleteRegistrationOfType: ['admin'],
};

describe('in the shop-system family', () => {
  let uuid: string;
  const keys: Record<string, string> = {};
  beforeAll(async () => {
    uuid = (await register(shop, 'order-update')).body.uuid;
    for (const role of shopRoles) keys[role] = await keyFor(shop.slug, role);
    keys.stranger = await keyFor(await newShop());
  });

  test.each(Object.entries(rights))('the operation %s is allowed only to %j', async (id, allowed) => {
    const { method, path } = shopSystem[id as keyof typeof rights];
    const place = path.replace('{slug}', shop.slug).replace('{uuid}', uuid).replace('{webhook_type}', 'order-update');
    const body = method === 'POST' ? { webhook_type: 'product-update' } : undefined;
    for (const [role, key] of Object.entries(keys)) {
      const answer = await api(method, place, { key, body });
      if (!allowed.includes(role)) expectError(answer, 403, 'insufficient_rights');
      // The first of two deletions leaves nothing for the second, and this shop has another system than the app.
      else expect(id === 'getAppManifest' ? [422] : [200, 404]).toContain(answer.status);
    }
  });
});

test('the secret of a shop is made once, whoever reads it first, and differs from that of other shops', async () => {
  const slug = await newShop();
  const ask = () => api('GET', `/v1/shops/${slug}/shop-system/webhook-config`, { key: superAdmin });
  const answers = await Promise.all([ask(), ask(), ask()]);
  const secrets = new Set([...answers, await ask()].map(({ body }) => body.webhook_secret));
  expect(secrets.size).toBe(1);
  expect([...secrets][0]).toMatch(/^[0-9a-f]{64}$/);
  expect((await connected()).secret).not.toBe([...secrets][0]);
});
