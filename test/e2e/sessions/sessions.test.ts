import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '#test/e2e/kit/errors.ts';
import { cookieIn, logIn } from '#test/e2e/kit/sessions.ts';
import { api, createKey, keyFor, newShop, superAdmin, url } from '#test/e2e/kit/shared-stack.ts';

const current = (method: string, cookie: string) => api(method, '/v1/sessions/current', { headers: { cookie } });

describe('a session', () => {
  let slug: string;
  beforeAll(async () => {
    slug = await newShop();
  });

  test('begins with the log-in, has the rights of its key, and ends with the log-out', async () => {
    const answer = await logIn(api, await keyFor(slug, 'editor'), { origin: url, 'sec-fetch-site': 'same-origin' });
    expect(answer.body).toEqual({
      username: slug,
      role: null,
      shops: [{ shop_slug: slug, role: 'editor' }],
      expires_at: expect.any(String),
      vendors: [],
    });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^session=\S+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=43200$/,
    );
    expect(answer.headers.get('www-authenticate')).toBeNull();
    const cookie = cookieIn(answer);
    const from = { cookie, origin: url, 'sec-fetch-site': 'same-origin' };
    expect((await current('GET', cookie)).body).toEqual(answer.body);
    const order = { id: '1', order: {}, trackings: [] };
    expect((await api('PUT', `/v1/shops/${slug}/orders`, { body: order, headers: from })).status).toBe(200);
    expectError(await api('GET', `/v1/shops/${slug}/api-keys`, { headers: from }), 403, 'insufficient_rights');
    expect((await api('DELETE', '/v1/sessions/current', { headers: from })).headers.get('set-cookie')).toMatch(
      /^session=;.*Max-Age=0$/,
    );
    expectError(await api('GET', `/v1/shops/${slug}/orders`, { headers: from }), 401, 'session_required');
  });

  test('is refused from another site, and changes nothing then', async () => {
    const cookie = cookieIn(await logIn(api, await keyFor(slug)));
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }] as object[]) {
      const call = { body: { name: 'Stolen' }, headers: { cookie, ...headers } };
      expectError(await api('PATCH', `/v1/shops/${slug}`, call), 403, 'insufficient_rights');
    }
    const { body } = await api('GET', `/v1/shops/${slug}`, { headers: { cookie, origin: url } });
    expect(body.name).toBe('A shop');
  });

  test('ends at once when its key is deleted', async () => {
    const { body: key } = await createKey(slug);
    const cookie = cookieIn(await logIn(api, `${slug}:${key.secret}`));
    expect((await current('GET', cookie)).status).toBe(200);
    await api('DELETE', `/v1/shops/${slug}/api-keys/${key.id}`, { key: superAdmin });
    expectError(await current('GET', cookie), 401, 'session_required');
  });
});
