import { beforeAll, describe, expect, test } from 'vitest';
import { shopRoles } from '#schemas/catalogues/enumerations.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { api, createKey, keyFor, newShop, superAdmin } from '#test/e2e/kit/shared-stack.ts';

let slug: string;
let keys: string;

beforeAll(async () => {
  slug = await newShop();
  keys = `/v1/shops/${slug}/api-keys`;
});

const create = (body: unknown) => api('POST', keys, { key: superAdmin, body });
const list = async () => (await api('GET', keys, { key: superAdmin })).body;

describe('creating an API key', () => {
  test('makes an admin key that never expires, unless the request says otherwise', async () => {
    for (const body of [{}, undefined]) {
      const answer = await create(body);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^.{1,16}$/),
        name: null,
        secret: expect.stringMatching(/^\S{32,}$/),
        username: slug,
        shops: [{ shop_slug: slug, role: 'admin' }],
        expiration: 0,
        created_at: expect.any(String),
        last_used_at: null,
      });
    }
  });

  test.each(shopRoles)('makes a key with the role %s', async (role) => {
    const { body } = await createKey(slug, { role });
    expect(body.shops).toEqual([{ shop_slug: slug, role }]);
  });

  test.each([0, 1, 4_102_444_800])('accepts the expiration %i', async (expiration) => {
    expect((await createKey(slug, { expiration })).body.expiration).toBe(expiration);
  });

  test.each([
    [-1, 'value_error'],
    [1.5, 'type_error'],
    ['0', 'type_error'],
    [null, 'type_error'],
    [1e300, 'value_error'],
  ] as const)('refuses the expiration %j', async (expiration, type) => {
    expectInvalid(await create({ expiration }), ['body.expiration', type]);
  });

  test.each([
    ['owner', 'value_error'],
    ['SuperAdmin', 'value_error'],
    ['superadmin', 'value_error'],
    ['', 'value_error'],
    [7, 'type_error'],
    [null, 'type_error'],
  ] as const)('refuses the role %j', async (role, type) => {
    expectInvalid(await create({ role }), ['body.role', type]);
  });

  test('lists both faults when both fields are wrong', async () => {
    const answer = await create({ role: 'owner', expiration: -1 });
    expectInvalid(answer, ['body.role', 'value_error'], ['body.expiration', 'value_error']);
  });

  test('gives every key a secret and an id of its own', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => createKey(slug)));
    expect(new Set(made.map(({ body }) => body.secret)).size).toBe(5);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(5);
  });

  test('gives no access beyond the shop, whatever the body says', async () => {
    const { body } = await createKey(slug, { username: 'root', shops: [{ shop_slug: 'other', role: 'admin' }] });
    expect(body).toMatchObject({ username: slug, shops: [{ shop_slug: slug, role: 'admin' }] });
  });
});

describe('listing API keys', () => {
  test('shows only the last four characters of a secret', async () => {
    const { body } = await createKey(slug, { role: 'editor', expiration: 4_102_444_800 });
    const listed = await list();
    expect(Object.keys(listed).toSorted()).toEqual(['tokens', 'username']);
    expect(listed.username).toBe(slug);
    expect(listed.tokens.find(({ id }: { id: string }) => id === body.id)).toEqual({
      id: body.id,
      name: null,
      secret: `****${body.secret.slice(-4)}`,
      shops: [{ shop_slug: slug, role: 'editor' }],
      expiration: 4_102_444_800,
      created_at: expect.any(String),
      last_used_at: null,
    });
    expect(JSON.stringify(listed)).not.toContain(body.secret);
  });

  test('is empty for a new shop', async () => {
    const { body } = await api('GET', `/v1/shops/${await newShop()}/api-keys`, { key: superAdmin });
    expect(body.tokens).toEqual([]);
  });

  test('shows expired keys too, until they are deleted', async () => {
    const { body } = await createKey(slug, { expiration: 1 });
    expect((await list()).tokens.map(({ id }: { id: string }) => id)).toContain(body.id);
  });
});

describe('deleting an API key', () => {
  test('answers its token id and removes it from the list', async () => {
    const { body } = await createKey(slug);
    const answer = await api('DELETE', `${keys}/${body.id}`, { key: superAdmin });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { token_id: body.id } });
    expect((await list()).tokens.map(({ id }: { id: string }) => id)).not.toContain(body.id);
  });

  test('answers 404 the second time, and for a key that never existed', async () => {
    const { body } = await createKey(slug);
    await api('DELETE', `${keys}/${body.id}`, { key: superAdmin });
    for (const id of [body.id, 'x', '0'.repeat(16)]) {
      expectError(await api('DELETE', `${keys}/${id}`, { key: superAdmin }), 404, 'api_key_not_found');
    }
  });

  test('answers 404 for the key of another shop, which goes on working', async () => {
    const other = await newShop();
    const { body } = await createKey(other);
    expectError(await api('DELETE', `${keys}/${body.id}`, { key: superAdmin }), 404, 'api_key_not_found');
    expect((await api('GET', `/v1/shops/${other}`, { key: `${other}:${body.secret}` })).status).toBe(200);
  });

  test('refuses a token id of more than 16 characters', async () => {
    const answer = await api('DELETE', `${keys}/${'x'.repeat(17)}`, { key: superAdmin });
    expectInvalid(answer, ['path.token_id', 'value_error']);
  });

  test('succeeds once when many try at once', async () => {
    const { body } = await createKey(slug);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api('DELETE', `${keys}/${body.id}`, { key: superAdmin })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404]);
  });
});

test('an admin of the shop can manage its keys like a SuperAdmin', async () => {
  const key = await keyFor(slug);
  const { body } = await api('POST', keys, { key, body: { role: 'viewer' } });
  expect((await api('GET', keys, { key })).body.tokens.length).toBeGreaterThan(1);
  expect((await api('DELETE', `${keys}/${body.id}`, { key })).status).toBe(200);
});
