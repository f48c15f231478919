import { beforeAll, describe, expect, test } from 'vitest';
import { basic } from '#test/e2e/kit/client.ts';
import { expectError } from '#test/e2e/kit/errors.ts';
import { until } from '#test/e2e/kit/processes.ts';
import { api, createKey, keyFor, newShop, superAdmin } from '#test/e2e/kit/shared-stack.ts';

describe('authentication', () => {
  let slug: string;
  let key: string;

  beforeAll(async () => {
    slug = await newShop();
    key = await keyFor(slug);
  });

  const get = (authorization: string) => api('GET', `/v1/shops/${slug}`, { headers: { authorization } });

  test('answers 400 to a request without credentials', async () => {
    expectError(await api('GET', `/v1/shops/${slug}`), 400, 'invalid_merchant_or_key');
  });

  test.each([
    ['another scheme', 'Bearer abc'],
    ['a scheme without credentials', 'Basic'],
    ['text that is not base64', 'Basic ???'],
    ['credentials without a colon', basic('username')],
    ['an empty username', basic(':secret')],
    ['an empty secret', basic('username:')],
    ['a username that is too long', basic(`${'u'.repeat(256)}:secret`)],
    ['credentials in plain text', 'Basic username:secret'],
  ])('answers 400 to %s', async (_what, authorization) => {
    expectError(await get(authorization), 400, 'invalid_merchant_or_key');
  });

  test('answers 401 to an unknown username, a wrong secret and the key of another username', async () => {
    const [, secret] = key.split(':');
    for (const wrong of [
      `nobody:${secret}`,
      `${slug}:wrong-secret`,
      `${slug}:${secret}x`,
      `${slug}:${secret!.slice(1)}`,
    ]) {
      expectError(await get(basic(wrong)), 401, 'invalid_merchant_or_key');
    }
  });

  test('answers 401 to usernames that would break a table key or a query', async () => {
    for (const odd of ['KEYS#x', '*', '💥', 'a\u0000b', ' ', `${slug} `]) {
      expectError(await get(basic(`${odd}:secret`)), 401, 'invalid_merchant_or_key');
    }
  });

  test('accepts the scheme in any case, as HTTP requires', async () => {
    for (const scheme of ['basic', 'BASIC']) {
      expect((await get(basic(key).replace('Basic', scheme))).status).toBe(200);
    }
  });

  test('uses the slug of its shop as the username of a key', async () => {
    const { body } = await createKey(slug);
    expect(body.username).toBe(slug);
    expect((await get(basic(`${slug}:${body.secret}`))).status).toBe(200);
  });

  test('accepts a key as soon as it is created and refuses it as soon as it is deleted', async () => {
    const { body } = await createKey(slug);
    const authorization = basic(`${slug}:${body.secret}`);
    expect((await get(authorization)).status).toBe(200);
    expect((await api('DELETE', `/v1/shops/${slug}/api-keys/${body.id}`, { key: superAdmin })).status).toBe(200);
    expectError(await get(authorization), 401, 'invalid_merchant_or_key');
  });

  test('lets a key delete itself', async () => {
    const { body } = await createKey(slug);
    const own = `${slug}:${body.secret}`;
    expect((await api('DELETE', `/v1/shops/${slug}/api-keys/${body.id}`, { key: own })).status).toBe(200);
    expectError(await get(basic(own)), 401, 'invalid_merchant_or_key');
  });

  test('refuses a key from its expiration on', async () => {
    const expiration = Math.floor(Date.now() / 1000) + 2;
    const authorization = basic(await keyFor(slug, 'viewer', expiration));
    expect((await get(authorization)).status).toBe(200);
    await until(async () => (await get(authorization)).status === 401, 'the key expires');
    expect(Date.now()).toBeGreaterThanOrEqual(expiration * 1000);
    expectError(await get(authorization), 401, 'invalid_merchant_or_key');
  });

  test('refuses a key that was created with an expiration in the past', async () => {
    expectError(await get(basic(await keyFor(slug, 'admin', 1))), 401, 'invalid_merchant_or_key');
  });

  test('needs no credentials for the health check, the description and the docs page', async () => {
    for (const path of ['/health', '/v1/openapi.json', '/docs']) expect((await api('GET', path)).status).toBe(200);
  });
});
