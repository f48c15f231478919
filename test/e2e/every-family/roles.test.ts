import { beforeAll, describe, expect, test } from 'vitest';
import { shopRoles } from '#schemas/catalogues/enumerations.ts';
import { shops } from '#schemas/families/shops.ts';
import type { Answer } from '#test/e2e/kit/client.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { api, createKey, keyFor, newShop, newSlug, superAdmin } from '#test/e2e/kit/shared-stack.ts';

type Role = (typeof shopRoles)[number] | 'SuperAdmin';

/** The rights of each role, written by hand from the contract. */
const rights: Record<keyof typeof shops, readonly Role[]> = {
  createShop: ['SuperAdmin'],
  searchShops: ['viewer', 'editor', 'admin', 'SuperAdmin'],
  getShop: ['viewer', 'editor', 'admin', 'SuperAdmin'],
  getShopAddresses: ['admin', 'SuperAdmin'],
  updateShop: ['admin', 'SuperAdmin'],
  deleteShop: ['SuperAdmin'],
  listApiKeys: ['admin', 'SuperAdmin'],
  createApiKey: ['admin', 'SuperAdmin'],
  deleteApiKey: ['admin', 'SuperAdmin'],
  listIntegrationKeys: ['admin', 'SuperAdmin'],
  setIntegrationKey: ['admin', 'SuperAdmin'],
  deleteIntegrationKey: ['admin', 'SuperAdmin'],
};

type Attempt = (key: string, slug: string) => Promise<Answer>;

const attempts: Record<keyof typeof shops, Attempt> = {
  createShop: (key) => api('POST', '/v1/shops', { key, body: { name: 'A shop', slug: newSlug() } }),
  searchShops: (key) => api('GET', '/v1/shops', { key }),
  getShop: (key, slug) => api('GET', `/v1/shops/${slug}`, { key }),
  getShopAddresses: (key, slug) => api('GET', `/v1/shops/${slug}/addresses`, { key }),
  updateShop: (key, slug) => api('PATCH', `/v1/shops/${slug}`, { key, body: { name: 'Another name' } }),
  deleteShop: async (key, slug) => {
    // The tests that follow need the shop.
    const removed = key === superAdmin ? await newShop() : slug;
    return api('DELETE', `/v1/shops/${removed}`, { key, query: { confirm: removed } });
  },
  listApiKeys: (key, slug) => api('GET', `/v1/shops/${slug}/api-keys`, { key }),
  createApiKey: (key, slug) => api('POST', `/v1/shops/${slug}/api-keys`, { key, body: {} }),
  deleteApiKey: async (key, slug) => {
    const { body } = await createKey(slug);
    return api('DELETE', `/v1/shops/${slug}/api-keys/${body.id}`, { key });
  },
  listIntegrationKeys: (key, slug) => api('GET', `/v1/shops/${slug}/keys`, { key }),
  setIntegrationKey: (key, slug) => setIntegrationKey(key, slug),
  deleteIntegrationKey: async (key, slug) => {
    await setIntegrationKey(superAdmin, slug);
    return api('DELETE', `/v1/shops/${slug}/keys/integration_1`, { key });
  },
};

const setIntegrationKey: Attempt = (key, slug) =>
  api('PUT', `/v1/shops/${slug}/keys/integration_1`, { key, body: { api_key: 'a-key-of-sixteen-characters' } });

const operations = Object.keys(rights) as (keyof typeof shops)[];
const shopOperations = operations.filter((id) => shops[id].path.includes('{slug}'));

describe('in the shops family', () => {
  let slug: string;
  let other: string;
  const keys = {} as Record<Role, string>;

  beforeAll(async () => {
    [slug, other] = await Promise.all([newShop(), newShop()]);
    for (const role of shopRoles) keys[role] = await keyFor(slug, role);
    keys.SuperAdmin = superAdmin;
  });

  const cases = operations.flatMap((id) =>
    ([...shopRoles, 'SuperAdmin'] as const).map((role) => ({ id, role, allowed: rights[id].includes(role) })),
  );

  test.each(cases)('the operation $id is allowed to $role: $allowed', async ({ id, role, allowed }) => {
    const answer = await attempts[id](keys[role], slug);
    if (allowed) expect(answer.status).toBe(200);
    else expectError(answer, 403, 'insufficient_rights');
  });

  test.each(shopOperations)(
    'the operation %s refuses the key of another shop, whether or not the shop exists',
    async (id) => {
      expectError(await attempts[id](keys.admin, other), 403, 'insufficient_rights');
      const { method, path } = shops[id];
      const nowhere = path.replace('{slug}', newSlug()).replace(/\{\w+\}/, 'x');
      const body = 'body' in shops[id] ? {} : undefined;
      expectError(await api(method, nowhere, { key: keys.admin, body }), 403, 'insufficient_rights');
    },
  );

  test('a shop key sees only its own shop, and a SuperAdmin sees every shop', async () => {
    for (const role of shopRoles) {
      const { body } = await api('GET', '/v1/shops', { key: keys[role] });
      expect(body.map((shop: { slug: string }) => shop.slug)).toEqual([slug]);
    }
    for (const any of [slug, other]) {
      const { body } = await api('GET', '/v1/shops', { key: superAdmin, query: { slug: any } });
      expect(body).toHaveLength(1);
    }
  });

  test('a shop key finds no other shop by any filter', async () => {
    const { body } = await api('GET', `/v1/shops/${other}`, { key: superAdmin });
    for (const query of [{ slug: other }, { uuid: body.uuid }] as Record<string, string>[]) {
      expect((await api('GET', '/v1/shops', { key: keys.admin, query })).body).toEqual([]);
    }
  });
});

describe('the service', () => {
  const invalid = { name: 7 };

  test('checks the form of the credentials first', async () => {
    const answer = await api('PATCH', `/v1/shops/${newSlug()}`, { body: invalid, headers: { authorization: 'Basic' } });
    expectError(answer, 400, 'invalid_merchant_or_key');
  });

  test('answers 401 before 403, 404 and 422', async () => {
    const key = 'nobody:wrong';
    expectError(await api('POST', '/v1/shops', { key, body: invalid }), 401, 'invalid_merchant_or_key');
    expectError(await api('PATCH', `/v1/shops/${newSlug()}`, { key, body: invalid }), 401, 'invalid_merchant_or_key');
  });

  test('answers 403 before 404 and 422', async () => {
    const slug = await newShop();
    const viewer = await keyFor(slug, 'viewer');
    const calls = [
      api('PATCH', `/v1/shops/${newSlug()}`, { key: viewer, body: invalid }),
      api('PATCH', `/v1/shops/${slug}`, { key: viewer, body: invalid }),
      api('PATCH', `/v1/shops/${slug}`, { key: viewer, body: '{', headers: { 'content-type': 'application/json' } }),
      api('PUT', `/v1/shops/${slug}/keys/unknown`, { key: viewer, body: {} }),
      api('POST', '/v1/shops', { key: viewer, body: invalid }),
    ];
    for (const answer of await Promise.all(calls)) expectError(answer, 403, 'insufficient_rights');
  });

  test('answers 404 before 422', async () => {
    const nowhere = `/v1/shops/${newSlug()}`;
    const calls = [
      api('PATCH', nowhere, { key: superAdmin, body: invalid }),
      api('PATCH', nowhere, { key: superAdmin, body: '{', headers: { 'content-type': 'application/json' } }),
      api('PUT', `${nowhere}/keys/unknown`, { key: superAdmin, body: {} }),
      api('DELETE', `${nowhere}/api-keys/${'x'.repeat(17)}`, { key: superAdmin }),
    ];
    for (const answer of await Promise.all(calls)) expectError(answer, 404, 'shop_not_found');
  });

  test('answers 404 to a path whose slug no shop can have', async () => {
    for (const slug of ['%20', 'a%2Fb', '%F0%9F%92%A5', '-x', 'x'.repeat(2000)]) {
      expectError(await api('GET', `/v1/shops/${slug}`, { key: superAdmin }), 404, 'shop_not_found');
    }
  });

  test('answers 422 before 409', async () => {
    const slug = await newShop();
    const answer = await api('POST', '/v1/shops', { key: superAdmin, body: { slug } });
    expectInvalid(answer, ['body.name', 'missing']);
  });
});
