import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { shopRoles } from '#schemas/catalogues/enumerations.ts';
import { webhooks } from '#schemas/families/webhooks.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { api, dataDir, keyFor, newShop, superAdmin } from '#test/e2e/kit/shared-stack.ts';

const path = (slug: string, rest = '') => `/v1/shops/${slug}/webhooks${rest}`;
const call = (method: string, slug: string, rest = '', body?: unknown) =>
  api(method, path(slug, rest), { key: superAdmin, ...(body !== undefined && { body }) });
const newUrl = () => `https://hooks.example.org/${randomUUID()}`;
const create = (slug: string, fields: object = {}) => call('POST', slug, '', { url: newUrl(), ...fields });
const search = async (slug: string, query = '') => (await call('GET', slug, query)).body;

function filesThatHold(text: string): string[] {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name)).filter((file) => contentOf(file).includes(text));
}

/** The service may have removed the file in the meantime. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

describe('webhook endpoints', () => {
  let slug: string;

  beforeAll(async () => {
    slug = await newShop();
  });

  test('are created with defaults and read back as they were created', async () => {
    const own = await newShop();
    const { status, body } = await create(own);
    expect(status).toBe(200);
    expect(body).toMatchObject({ shop_slug: own, enabled_events: ['*'], status: 'active', description: null });
    expect(body.secret.length).toBeGreaterThanOrEqual(16);
    expect(await search(own)).toEqual([body]);
  });

  test('keep the given fields', async () => {
    const fields = {
      url: newUrl(),
      enabled_events: ['claims', 'shipments/delivered', 'shipments/in_transit/SHIPMENT_EN_ROUTE'],
      secret: 'sixteen-or-more-💚',
      description: 'For the warehouse',
      status: 'inactive',
    };
    const { body } = await create(slug, fields);
    expect(body).toMatchObject(fields);
    expect(await search(slug, `?uuid=${body.uuid}`)).toEqual([body]);
  });

  test('are listed newest first, page by page and by filter', async () => {
    const own = await newShop();
    const made = [];
    for (const status of ['active', 'inactive', 'active']) made.unshift((await create(own, { status })).body);
    expect(await search(own)).toEqual(made);
    expect(await search(own, '?per_page=2&page=2')).toEqual([made[2]]);
    expect(await search(own, '?status=inactive')).toEqual([made[1]]);
    expect(await search(own, `?url=${encodeURIComponent(made[0].url)}`)).toEqual([made[0]]);
    expect(await search(own, `?uuid=${randomUUID()}`)).toEqual([]);
  });

  test('each have a different url in the shop until it is freed', async () => {
    const { body: first } = await create(slug);
    const { body: second } = await create(slug);
    expectError(await create(slug, { url: first.url }), 409, 'webhook_exists');
    expectError(await create(slug, { url: `${first.url}#fragment` }), 409, 'webhook_exists');
    expectError(await call('PATCH', slug, `/${second.uuid}`, { url: first.url }), 409, 'webhook_exists');
    expect((await create(await newShop(), { url: first.url })).status).toBe(200);

    expect((await call('PATCH', slug, `/${first.uuid}`, { url: newUrl() })).status).toBe(200);
    expect((await call('PATCH', slug, `/${second.uuid}`, { url: first.url })).status).toBe(200);
    expect((await call('DELETE', slug, `/${second.uuid}`)).status).toBe(200);
    expect((await create(slug, { url: first.url })).status).toBe(200);
  });

  test('that are created at once with the same url become one', async () => {
    const url = newUrl();
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(slug, { url })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    expect(await search(slug, `?url=${url}`)).toHaveLength(1);
  });

  test('change only in the fields that an update names', async () => {
    const { body } = await create(slug, { description: 'Before' });
    const answer = await call('PATCH', slug, `/${body.uuid}`, { status: 'inactive', enabled_events: ['claims'] });
    expect(answer).toMatchObject({ status: 200, body: null });
    const [updated] = await search(slug, `?uuid=${body.uuid}`);
    expect(updated).toEqual({
      ...body,
      status: 'inactive',
      enabled_events: ['claims'],
      updated_at: expect.any(String),
    });
    await call('PATCH', slug, `/${body.uuid}`, { description: null });
    expect((await search(slug, `?uuid=${body.uuid}`))[0].description).toBeNull();
  });

  test('keep every change and one url when they are updated at once', async () => {
    const { body } = await create(slug);
    const urls = Array.from({ length: 4 }, newUrl);
    const changes = [...urls.map((url) => ({ url })), { description: 'Changed' }, { enabled_events: ['claims'] }];
    const answers = await Promise.all(changes.map((change) => call('PATCH', slug, `/${body.uuid}`, change)));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    const [updated] = await search(slug, `?uuid=${body.uuid}`);
    expect(updated).toMatchObject({ description: 'Changed', enabled_events: ['claims'] });
    for (const url of [body.url, ...urls]) {
      expect((await create(slug, { url })).status).toBe(url === updated.url ? 409 : 200);
    }
  });

  test('have a secret that cannot be found in the stored data', async () => {
    const [secret, description] = [`plain-${randomUUID()}`, `not secret ${randomUUID()}`];
    const { body } = await create(slug, { secret, description });
    expect((await search(slug, `?uuid=${body.uuid}`))[0].secret).toBe(secret);
    expect(filesThatHold(description)).not.toEqual([]);
    for (const form of [secret, Buffer.from(secret).toString('base64').slice(0, -4)]) {
      expect(filesThatHold(form)).toEqual([]);
    }
  });

  test('disappear when they are deleted', async () => {
    const { body } = await create(slug);
    expect(await call('DELETE', slug, `/${body.uuid}`)).toMatchObject({ status: 200, body: null });
    expect(await search(slug, `?uuid=${body.uuid}`)).toEqual([]);
    expectError(await call('DELETE', slug, `/${body.uuid}`), 404, 'webhook_not_found');
    expectError(await call('GET', slug, `/${body.uuid}/deliveries`), 404, 'webhook_not_found');
  });

  test('of another shop cannot be read or changed', async () => {
    const { body } = await create(slug);
    const other = await newShop();
    expectError(await call('PATCH', other, `/${body.uuid}`, { status: 'inactive' }), 404, 'webhook_not_found');
    expectError(await call('POST', other, `/${body.uuid}/rotate-secret`), 404, 'webhook_not_found');
    expectError(await call('POST', other, `/${body.uuid}/test`), 404, 'webhook_not_found');
    expectError(await call('DELETE', other, `/${body.uuid}`), 404, 'webhook_not_found');
    expect(await search(slug, `?uuid=${body.uuid}`)).toHaveLength(1);
  });

  test('are refused with all faults', async () => {
    expectInvalid(
      await call('POST', slug, '', { secret: 'short', enabled_events: ['claims', 'parcels'], status: 'on' }),
      ['body.url', 'missing'],
      ['body.secret', 'value_error'],
      ['body.enabled_events.1', 'value_error'],
      ['body.status', 'value_error'],
    );
    expectInvalid(await create(slug, { url: 'https://user:secret@example.org/' }), ['body.url', 'value_error']);
    expectInvalid(await call('DELETE', slug, '/none'), ['path.uuid', 'value_error']);
    expectInvalid(await call('GET', slug, '?status=on'), ['query.status', 'value_error']);
  });

  test.each(Object.entries(webhooks))('allow %s to admins only', async (_, { method, path: declared }) => {
    const id = randomUUID();
    const address = declared.replace('{slug}', slug).replaceAll(/\{\w+\}/g, id);
    for (const role of shopRoles.filter((known) => known !== 'admin')) {
      const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
      expectError(await api(method, address, { key: await keyFor(slug, role), body }), 403, 'insufficient_rights');
    }
  });
});

describe('a rotation of the secret', () => {
  test('answers the endpoint with the new secret, which the search then shows', async () => {
    const slug = await newShop();
    const { body: before } = await create(slug);
    const { status, body } = await call('POST', slug, `/${before.uuid}/rotate-secret`, {});
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, secret: expect.any(String), updated_at: expect.any(String) });
    expect(body.secret).not.toBe(before.secret);
    expect(await search(slug)).toEqual([body]);
    const chosen = { secret: 'chosen-by-the-merchant', grace_hours: 0 };
    expect((await call('POST', slug, `/${before.uuid}/rotate-secret`, chosen)).body.secret).toBe(chosen.secret);
  });

  test('at the same time as others ends with the secret of one of them', async () => {
    const slug = await newShop();
    const { body } = await create(slug);
    const rotate = () => call('POST', slug, `/${body.uuid}/rotate-secret`, {});
    const answers = await Promise.all(Array.from({ length: 4 }, rotate));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.map((answer) => answer.body.secret)).toContain((await search(slug))[0].secret);
  });
});
