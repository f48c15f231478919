import { beforeAll, describe, expect, test } from 'vitest';
import { integrationIds } from '#schemas/catalogues/integrations.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { api, newShop, superAdmin } from '#test/e2e/kit/shared-stack.ts';

/** The credential that each integration takes, written by hand from the contract. */
const single = ['integration_1', 'integration_2', 'integration_3', 'integration_4', 'integration_7'];
const client = ['integration_5', 'shop_system_2', 'shop_system_3'];
const basic = ['integration_6'];

const nothingStored = {
  ...Object.fromEntries(single.map((id) => [id, null])),
  ...Object.fromEntries(client.map((id) => [id, { client_id: null, client_secret: null }])),
  integration_6: { username: null, password: null },
};

const set = (slug: string, integration: string, body: unknown) =>
  api('PUT', `/v1/shops/${slug}/keys/${integration}`, { key: superAdmin, body });
const remove = (slug: string, integration: string) =>
  api('DELETE', `/v1/shops/${slug}/keys/${integration}`, { key: superAdmin });
const list = async (slug: string) => (await api('GET', `/v1/shops/${slug}/keys`, { key: superAdmin })).body;

describe('integration keys', () => {
  let slug: string;

  beforeAll(async () => {
    slug = await newShop();
  });

  test('are null for every integration of a new shop', async () => {
    expect(integrationIds.toSorted()).toEqual([...single, ...client, ...basic].toSorted());
    expect(await list(await newShop())).toEqual(nothingStored);
  });

  test.each(single)('of %s are one key, listed by its last four characters', async (id) => {
    expect(await set(slug, id, { api_key: `a-key-for-${id}-WXYZ` })).toMatchObject({ status: 200, body: null });
    expect((await list(slug))[id]).toBe('****WXYZ');
  });

  test.each(client)('of %s are a client and its secret', async (id) => {
    const body = { client_id: 'a-client-with-a-name', client_secret: 'a-secret-with-an-end' };
    expect(await set(slug, id, body)).toMatchObject({ status: 200, body: null });
    expect((await list(slug))[id]).toEqual({ client_id: '****name', client_secret: '****-end' });
  });

  test.each(client)('of %s can lack the secret', async (id) => {
    for (const body of [
      { client_id: 'a-client-with-a-name' },
      { client_id: 'a-client-with-a-name', client_secret: null },
    ]) {
      expect((await set(slug, id, body)).status).toBe(200);
      expect((await list(slug))[id]).toEqual({ client_id: '****name', client_secret: null });
    }
  });

  test.each(basic)('of %s are a username and a password', async (id) => {
    expect((await set(slug, id, { username: 'a-user-of-mailing', password: 'a-password-of-1234' })).status).toBe(200);
    expect((await list(slug))[id]).toEqual({ username: '****ling', password: '****1234' });
  });

  test('are refused with a credential of another kind, with each missing field', async () => {
    for (const id of single) expectInvalid(await set(slug, id, { client_id: 'x' }), ['body.api_key', 'missing']);
    for (const id of client) expectInvalid(await set(slug, id, { api_key: 'x' }), ['body.client_id', 'missing']);
    for (const id of basic) {
      const missing = [['body.username', 'missing'] as const, ['body.password', 'missing'] as const];
      expectInvalid(await set(slug, id, { client_id: 'x', client_secret: 'x' }), ...missing);
    }
  });

  test.each([
    ['integration_1', { api_key: null }, 'body.api_key'],
    ['integration_5', { client_id: null }, 'body.client_id'],
    ['integration_6', { username: 'someone', password: 7 }, 'body.password'],
  ])('of %s are refused with %j', async (id, body, place) => {
    expectInvalid(await set(slug, id, body), [place, 'type_error']);
  });

  test('have from 16 to 128 characters', async () => {
    for (const length of [16, 128]) {
      expect((await set(slug, 'integration_2', { api_key: 'k'.repeat(length) })).status).toBe(200);
    }
    for (const length of [0, 15, 129]) {
      const answer = await set(slug, 'integration_2', { api_key: 'k'.repeat(length) });
      expectInvalid(answer, ['body.api_key', 'value_error']);
    }
  });

  test.each(['k', '"', '💚'])(
    'can be as long as the description allows when they are made of %s',
    async (character) => {
      const value = character.repeat(400);
      expect((await set(slug, 'integration_5', { client_id: value, client_secret: value })).status).toBe(200);
    },
  );

  test('that are no well-formed text cause no internal error', async () => {
    const value = '\ud800'.repeat(400);
    expect((await set(slug, 'integration_5', { client_id: value, client_secret: value })).status).toBeLessThan(500);
  });

  test('do not show a value that is hardly longer than its visible part', async () => {
    await set(slug, 'integration_6', { username: 'mary', password: 'abcd' });
    expect(JSON.stringify((await list(slug)).integration_6)).not.toMatch(/mary|abcd/);
  });

  test('are replaced as a whole by a new one', async () => {
    await set(slug, 'shop_system_2', { client_id: 'the-first-client', client_secret: 'the-first-secret' });
    await set(slug, 'shop_system_2', { client_id: 'the-second-one' });
    expect((await list(slug)).shop_system_2).toEqual({ client_id: '****-one', client_secret: null });
  });

  test.each(integrationIds)('of %s can be deleted, once', async (id) => {
    const own = await newShop();
    const body = { api_key: 'a-key-of-some-length', client_id: 'x', username: 'x', password: 'x' };
    expect((await set(own, id, body)).status).toBe(200);
    expect(await remove(own, id)).toMatchObject({ status: 200, body: null });
    expect(await list(own)).toEqual(nothingStored);
    expectError(await remove(own, id), 404, 'partner_key_not_found');
  });

  test('of another shop can neither be seen nor changed', async () => {
    const other = await newShop();
    await set(other, 'integration_3', { api_key: 'a-key-of-another-shop' });
    expectError(await remove(await newShop(), 'integration_3'), 404, 'partner_key_not_found');
    expect((await list(other)).integration_3).toBe('****shop');
  });

  test.each(['integration_0', 'integration_8', 'shop_system_1', 'webhook', 'INTEGRATION_1'])(
    'are refused for %s, which takes none',
    async (id) => {
      expectInvalid(await set(slug, id, { api_key: 'a-key-of-some-length' }), ['path.integration', 'value_error']);
      expectInvalid(await remove(slug, id), ['path.integration', 'value_error']);
    },
  );
});
