import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shopRoles } from '#schemas/enumerations.ts';
import type { ErrorKey } from '#schemas/errors.ts';
import { shopSystem } from '#schemas/shop-system.ts';
import { shopTopics } from '#schemas/shop-webhooks.ts';
import { busy, type FakeShopSystem, startFakeShopSystem, type Trouble, unwell } from '#test/kit/fake-shop-system.ts';
import { expectError, expectInvalid } from './kit/errors.ts';
import { expectDone } from './kit/orders.ts';
import { api, keyFor, newShop, newSlug, superAdmin, url } from './kit/shared-stack.ts';
import { type ConnectedShop, connectShop } from './kit/shop-system.ts';

let system: FakeShopSystem;
beforeAll(async () => {
  system = await startFakeShopSystem();
});
afterAll(() => system.stop());

const connected = () => connectShop(api, superAdmin, newSlug(), system.adminUrl);
const register = ({ call }: ConnectedShop, webhook_type: string) =>
  call('POST', '/shop-system/webhooks', { webhook_type });
const hooksOf = ({ slug }: ConnectedShop) => system.hooks.filter(({ address }) => address.includes(slug));

describe('registrations in the system of the shop', () => {
  it('are made there, and found here by uuid and by type', async () => {
    const shop = await connected();
    const { status, body } = await register(shop, 'order-creation');
    expect(status).toBe(200);
    const [hook] = hooksOf(shop);
    expect(body).toEqual({
      uuid: expect.any(String),
      shop_slug: shop.slug,
      webhook_type: 'order-creation',
      name: 'order-creation',
      shopify_id: hook!.id,
      topic: 'orders/create',
      hook_url: `${url}/v1/shops/${shop.slug}/shop-system/inbound/order-creation`,
      fields: [],
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    expect(hook).toMatchObject({ topic: body.topic, address: body.hook_url, format: 'json' });
    for (const path of [`/${body.uuid}`, `/${body.uuid.toUpperCase()}`, '/types/order-creation']) {
      expect((await shop.call('GET', `/shop-system/webhooks${path}`)).body).toEqual(body);
    }
  });

  it('are one for each type, listed newest first and by page', async () => {
    const shop = await connected();
    const made = [];
    for (const type of Object.keys(shopTopics)) made.unshift((await register(shop, type)).body);
    expect(hooksOf(shop).map(({ topic }) => topic)).toEqual(Object.values(shopTopics));
    expect((await shop.call('GET', '/shop-system/webhooks')).body).toEqual(made);
    expect((await shop.call('GET', '/shop-system/webhooks?per_page=4&page=3')).body).toEqual(made.slice(8));
    expectError(await register(shop, 'order-update'), 409, 'registration_exists');
  });

  it('are made once by several requests at once', async () => {
    const shop = await connected();
    const answers = await Promise.all(Array.from({ length: 4 }, () => register(shop, 'order-update')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const kept = (await shop.call('GET', '/shop-system/webhooks')).body;
    expect(hooksOf(shop).map(({ id }) => id)).toEqual(kept.map((one: { shopify_id: number }) => one.shopify_id));
  });

  it('are removed there, then here; what is gone there already is removed here', async () => {
    const shop = await connected();
    const { body } = await register(shop, 'order-creation');
    await register(shop, 'order-update');
    expectDone(await shop.call('DELETE', `/shop-system/webhooks/${body.uuid}`));
    expect(hooksOf(shop).map(({ topic }) => topic)).toEqual(['orders/updated']);
    system.hooks.splice(0, system.hooks.length, ...system.hooks.filter((hook) => !hooksOf(shop).includes(hook)));
    expectDone(await shop.call('DELETE', '/shop-system/webhooks/types/order-update'));
    for (const path of [`/${body.uuid}`, '/types/order-update']) {
      expectError(await shop.call('GET', `/shop-system/webhooks${path}`), 404, 'registration_not_found');
      expectError(await shop.call('DELETE', `/shop-system/webhooks${path}`), 404, 'registration_not_found');
    }
  });

  it('stay as they were where the shop refuses, or is not well', async () => {
    const shop = await connected();
    const troubles: [Trouble, number, ErrorKey][] = [
      [{ status: 403 }, 400, 'partner_key_missing_permissions'],
      [busy('60'), 502, 'bad_gateway'],
      [unwell, 502, 'bad_gateway'],
    ];
    for (const [trouble, status, key] of troubles) {
      system.meet(trouble);
      expectError(await register(shop, 'order-creation'), status, key);
    }
    expect((await shop.call('GET', '/shop-system/webhooks')).body).toEqual([]);
    const { body } = await register(shop, 'order-creation');
    for (const [trouble, status, key] of troubles) {
      system.meet(trouble);
      expectError(await shop.call('DELETE', `/shop-system/webhooks/${body.uuid}`), status, key);
    }
    expect((await shop.call('GET', '/shop-system/webhooks')).body).toEqual([body]);
  });

  it('are taken over by the next try where an answer was lost', async () => {
    const shop = await connected();
    system.loseAnswer(unwell);
    expectError(await register(shop, 'order-creation'), 502, 'bad_gateway');
    const [hook] = hooksOf(shop);
    expect((await register(shop, 'order-creation')).body).toMatchObject({ shopify_id: hook!.id });
    expect(hooksOf(shop)).toEqual([hook]);
  });

  it('need a key and an address, and take the known types only', async () => {
    const slug = await newShop({ shop_admin_url: system.adminUrl });
    const path = `/v1/shops/${slug}/shop-system/webhooks`;
    const body = { webhook_type: 'order-creation' };
    expectError(await api('POST', path, { key: superAdmin, body }), 404, 'partner_key_not_found');
    expectInvalid(await api('POST', path, { key: superAdmin, body: { webhook_type: 'orders' } }), [
      'body.webhook_type',
      'value_error',
    ]);
    expectInvalid(await api('GET', `${path}/types/orders`, { key: superAdmin }), ['path.webhook_type', 'value_error']);
    const shop = await connected();
    await shop.call('PATCH', '', { shop_admin_url: null });
    expectInvalid(await register(shop, 'order-creation'), ['path.slug', 'value_error']);
  });
});

/** Who may do what, written out by hand from the contract. The receiver takes no key at all. */
const readers = ['viewer', 'editor', 'admin'];
const rights: Record<Exclude<keyof typeof shopSystem, 'receiveShopWebhook'>, readonly string[]> = {
  createRegistration: ['admin'],
  listRegistrations: readers,
  getRegistration: readers,
  getRegistrationOfType: readers,
  getWebhookConfig: ['admin'],
  deleteRegistration: ['admin'],
  deleteRegistrationOfType: ['admin'],
};

describe('roles in the shop-system family', () => {
  let shop: ConnectedShop;
  let uuid: string;
  const keys: Record<string, string> = {};
  beforeAll(async () => {
    shop = await connected();
    uuid = (await register(shop, 'order-update')).body.uuid;
    for (const role of shopRoles) keys[role] = await keyFor(shop.slug, role);
    keys.stranger = await keyFor(await newShop());
  });

  it.each(Object.entries(rights))('%s is for %j', async (id, allowed) => {
    const { method, path } = shopSystem[id as keyof typeof rights];
    const place = path.replace('{slug}', shop.slug).replace('{uuid}', uuid).replace('{webhook_type}', 'order-update');
    const body = method === 'POST' ? { webhook_type: 'product-update' } : undefined;
    for (const [role, key] of Object.entries(keys)) {
      const answer = await api(method, place, { key, body });
      if (!allowed.includes(role)) expectError(answer, 403, 'insufficient_rights');
      // The first of the two that delete leaves nothing for the other.
      else expect([200, 404]).toContain(answer.status);
    }
  });
});

it('the secret of a shop is made once, whoever asks first, and is no other shop’s', async () => {
  const slug = await newShop();
  const ask = () => api('GET', `/v1/shops/${slug}/shop-system/webhook-config`, { key: superAdmin });
  const answers = await Promise.all([ask(), ask(), ask()]);
  const secrets = new Set([...answers, await ask()].map(({ body }) => body.webhook_secret));
  expect(secrets.size).toBe(1);
  expect([...secrets][0]).toMatch(/^[0-9a-f]{64}$/);
  expect((await connected()).secret).not.toBe([...secrets][0]);
});
