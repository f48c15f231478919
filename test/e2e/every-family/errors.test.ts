import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#test/e2e/kit/client.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { api, keyFor, newShop, newSlug, shopOf, superAdmin, url } from '#test/e2e/kit/shared-stack.ts';

const json = { 'content-type': 'application/json' };
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let slug: string;
let shop: string;

beforeAll(async () => {
  slug = await newShop();
  shop = `/v1/shops/${slug}`;
});

const patch = (body: unknown, headers: Record<string, string> = {}) =>
  api('PATCH', shop, { key: superAdmin, body, headers });

describe('an invalid request', () => {
  test('is answered with each missing field', async () => {
    for (const body of [{}, undefined]) {
      const answer = await api('POST', '/v1/shops', { key: superAdmin, body });
      expectInvalid(answer, ['body.name', 'missing'], ['body.slug', 'missing']);
    }
  });

  test('is answered with every fault of its body, with place and kind', async () => {
    const body = {
      name: 7,
      language: 'xx',
      industry: 'mining',
      shop_provider: 'other',
      contact_phone: {},
      shop_url: 'no url',
      logo_url: '',
      settings: { carriers_enabled: 'yes' },
    };
    expectInvalid(
      await api('POST', '/v1/shops', { key: superAdmin, body }),
      ['body.slug', 'missing'],
      ['body.name', 'type_error'],
      ['body.language', 'value_error'],
      ['body.industry', 'value_error'],
      ['body.shop_provider', 'value_error'],
      ['body.contact_phone', 'type_error'],
      ['body.shop_url', 'value_error'],
      ['body.logo_url', 'value_error'],
      ['body.settings.carriers_enabled', 'type_error'],
    );
  });

  test('is answered with every fault of its query', async () => {
    const query = { page: 'x', per_page: 101, uuid: 'no', shop_provider: 'other', language: 'xx' };
    expectInvalid(
      await api('GET', '/v1/shops', { key: superAdmin, query }),
      ['query.page', 'type_error'],
      ['query.per_page', 'value_error'],
      ['query.uuid', 'value_error'],
      ['query.shop_provider', 'value_error'],
      ['query.language', 'value_error'],
    );
  });

  test('is not one with unknown fields in its body or query, which are ignored', async () => {
    expect((await patch({ unknown: 1, nested: { a: [] } })).status).toBe(200);
    expect(await shopOf(slug)).not.toHaveProperty('unknown');
    expect((await api('GET', '/v1/shops', { key: superAdmin, query: { unknown: 1 } })).status).toBe(200);
  });

  test('is one with a body that cannot be parsed', async () => {
    for (const body of ['{', 'name=x', '{"name": "x",}', '\u0000']) {
      expectInvalid(await patch(body, json), ['body', 'value_error']);
    }
  });

  test('is one with JSON of another type than an object', async () => {
    for (const body of ['[]', '"text"', '7', 'true', 'null']) {
      expectInvalid(await patch(body, json), ['body', 'type_error']);
    }
  });

  test('is one with a wrong or missing content type', async () => {
    const body = Buffer.from('{"name": "x"}');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      expectInvalid(await patch(body, { 'content-type': type }), ['body', 'value_error']);
    }
    expectInvalid(await patch(body), ['body', 'value_error']);
  });

  test('is not one with a character set in its content type', async () => {
    const answer = await patch('{"name": "Größe 💚"}', { 'content-type': 'application/json; charset=utf-8' });
    expect(answer.status).toBe(200);
    expect(await shopOf(slug)).toMatchObject({ name: 'Größe 💚' });
  });

  test('changes nothing', async () => {
    const before = await shopOf(slug);
    expect((await patch({ name: 'New name', industry: 'mining' })).status).toBe(422);
    expect(await shopOf(slug)).toEqual(before);
  });
});

describe('the router', () => {
  test.each(['/', '/v1', '/v2/shops', '/v1/shop', '/v1/shops/x/unknown', '/favicon.ico'])(
    'finds nothing at %s',
    async (path) => {
      for (const key of [undefined, superAdmin]) expectError(await api('GET', path, { key }), 404, 'route_not_found');
    },
  );

  test.each([
    ['PUT', '/v1/shops', ['GET', 'POST']],
    ['DELETE', '/v1/shops', ['GET', 'POST']],
    ['POST', '/v1/shops/x', ['DELETE', 'GET', 'PATCH']],
    ['PATCH', '/v1/shops/x/api-keys', ['GET', 'POST']],
    ['GET', '/v1/shops/x/api-keys/y', ['DELETE']],
    ['POST', '/v1/shops/x/keys/integration_1', ['DELETE', 'PUT']],
    ['OPTIONS', '/v1/shops', ['GET', 'POST']],
    ['POST', '/health', ['GET']],
    ['DELETE', '/docs', ['GET']],
  ])('refuses %s %s and lists the methods of the path', async (method, path, allowed) => {
    const answer = await api(method, path);
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(allowed);
  });
});

describe('the service', () => {
  const megabyte = 1024 * 1024;
  const bodyOf = (bytes: number) => `{"unknown": "${'x'.repeat(bytes - 15)}"}`;

  test('accepts a body of 5 MB', async () => {
    expect(Buffer.byteLength(bodyOf(5 * megabyte))).toBe(5 * megabyte);
    expect((await patch(bodyOf(5 * megabyte), json)).status).toBe(200);
  });

  test.each([
    ['5 MB and one byte', 5 * megabyte + 1],
    ['7 MB, more than a function takes', 7 * megabyte],
    ['11 MB, more than the gateway takes', 11 * megabyte],
  ])('refuses a body of %s', async (_what, bytes) => {
    expectError(await patch(bodyOf(bytes), json), 413, 'payload_too_large');
  });
});

describe('the headers', () => {
  const answers: [what: string, call: () => Promise<Answer>][] = [
    ['a success', () => api('GET', shop, { key: superAdmin })],
    ['a 400', () => api('GET', shop)],
    ['a 401', () => api('GET', shop, { key: 'nobody:wrong' })],
    ['a 403', async () => api('POST', '/v1/shops', { key: await keyFor(slug, 'viewer'), body: {} })],
    ['a 404', () => api('GET', `/v1/shops/${newSlug()}`, { key: superAdmin })],
    ['a 405', () => api('PUT', '/v1/shops')],
    ['a 409', () => api('POST', '/v1/shops', { key: superAdmin, body: { name: 'A shop', slug } })],
    ['a 422', () => patch({ name: 7 })],
    ['a 404 of the gateway', () => api('GET', '/nowhere')],
    ['a 413 of the gateway', () => patch('x'.repeat(11 * 1024 * 1024), json)],
  ];

  test.each(answers)('of %s have a correlation id and forbid caching and sniffing', async (_what, call) => {
    const { headers } = await call();
    expect(headers.get('x-correlation-id')).toMatch(uuid);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('have another correlation id each time', async () => {
    const calls = await Promise.all([1, 2, 3].map(() => api('GET', shop, { key: superAdmin })));
    expect(new Set(calls.map(({ headers }) => headers.get('x-correlation-id'))).size).toBe(3);
  });

  test('do not name the software of the service', async () => {
    const { headers } = await api('GET', shop, { key: superAdmin });
    expect(headers.has('x-powered-by') || headers.has('server')).toBe(false);
  });
});

describe('a path with invalid encoding', () => {
  test('is refused with the error body of the contract', async () => {
    const response = await fetch(`${url}/v1/shops/%E0%A4%A`, { signal: AbortSignal.timeout(10_000) });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    const body = (await response.json()) as object;
    expect(Object.keys(body).toSorted()).toEqual(['errors', 'key', 'message', 'type']);
  });
});
