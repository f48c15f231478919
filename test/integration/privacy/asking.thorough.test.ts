import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { errorExample } from '#schemas/examples/errors.ts';
import { type Api, clientOf } from '#test/e2e/kit/client.ts';
import { type ConnectedShop, connectShop } from '#test/e2e/kit/shop-system.ts';
import { everythingIn, type Place, type Stored } from '#test/kit/canary/everything.ts';
import { ask, finish, fulfil } from '#test/kit/canary/requests.ts';
import { placeOf, settled } from '#test/kit/canary/world.ts';
import { type RunningService, startService } from '#test/kit/service.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Requests that ask for the wrong thing, or for nothing. No schedule runs: what happens is what a test causes. */

let service: RunningService;
let world: { api: Api; key: string; service: RunningService };
let place: Place;
let shop: ConnectedShop;
let other: ConnectedShop;
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'asking-'));
  service = await startService({ hasNoSchedules: true, dataDir, environment: { ALLOW_LOCAL_TARGETS: 'true' } });
  const key = `${service.operator.username}:${service.operator.secret}`;
  world = { api: clientOf(service.stack.url), key, service };
  place = placeOf(service, dataDir);
  shop = await connectShop(world.api, key, 'asking', 'https://shop.example');
  other = await connectShop(world.api, key, 'asking-other', 'https://shop.example');
  for (const { call } of [shop, other]) {
    await call('PUT', '/orders', {
      id: '1001',
      order: { email_id: 'rosa@canary.example', external_customer_id: '77', address: { name: 'Rosa Fischer' } },
      trackings: [],
    });
  }
  await other.call('PUT', '/orders', { id: '2002', order: { email_id: 'hugo@canary.example' }, trackings: [] });
  await settled(place);
});
afterAll(async () => {
  await service.stop();
  await rm(place.dataDir, { recursive: true });
});

/** Everything but logs and what counts what was done. */
const content = async () => {
  const isOfInterest = ({ kind, where }: Stored) =>
    !['log', 'file'].includes(kind) && !/KEYUSES#|COUNTED#|HEARTBEAT#/.test(where);
  return (await everythingIn(place)).filter(isOfInterest).map(({ kind, where, raw }) => `${kind} ${where} ${raw}`);
};
const orderOf = async ({ call }: ConnectedShop, number: string) =>
  (await call('GET', `/orders?order_number=${number}`)).body[0];

test.each([
  ['nobody', {}],
  ['nothing but a reference', { reference: 'T-1' }],
  ['no order numbers', { order_numbers: [] }],
  ['null', { email_id: null, external_customer_id: null, order_numbers: null }],
  ['an empty e-mail address', { email_id: '' }],
  ['a blank e-mail address', { email_id: '  ' }],
  ['a blank customer id', { external_customer_id: ' \t' }],
  ['a number as a customer id', { external_customer_id: 77 }],
  ['too many order numbers', { order_numbers: Array.from({ length: 101 }, (_, i) => `${i}`) }],
  ['an empty order number', { order_numbers: [''] }],
  ['a dry run that is no truth value', { email_id: 'rosa@canary.example', dry_run: 'yes' }],
])('a request that names %s is refused with 422 and changes nothing', async (_, body) => {
  const before = await content();
  const { status, body: answer } = await ask(world, shop.slug, { kind: 'erasure', ...body });
  expect(status).toBe(422);
  expect(answer).toMatchObject({ key: expect.any(String), errors: expect.arrayContaining([expect.anything()]) });
  expect(await content()).toEqual(before);
});

test('a request without a kind, or of another, is refused with 422', async () => {
  for (const kind of [undefined, null, 'export', ['erasure']]) {
    expect((await ask(world, shop.slug, { kind, email_id: 'a@canary.example' })).status).toBe(422);
  }
});

test('a person whom the shop does not know has no orders, and the request is done', async () => {
  for (const kind of ['disclosure', 'erasure']) {
    const person = { email_id: 'nobody@canary.example', external_customer_id: '0', order_numbers: ['9'] };
    const { status, orders, stores } = await fulfil(world, shop.slug, { kind, ...person });
    expect({ kind, status, orders }).toEqual({ kind, status: 'done', orders: 0 });
    expect(stores.filter(({ found, erased }) => found + erased > 0)).toEqual([]);
  }
  expect(await orderOf(shop, '1001')).toMatchObject({ email_id: 'rosa@canary.example' });
});

test('an order number or an e-mail address that only another shop knows finds nothing', async () => {
  const asked = { kind: 'erasure', order_numbers: ['2002'], email_id: 'hugo@canary.example' };
  expect(await fulfil(world, shop.slug, asked)).toMatchObject({ status: 'done', orders: 0 });
  expect(await orderOf(other, '2002')).toMatchObject({ email_id: 'hugo@canary.example' });
});

test('the same request while one runs is answered with that one, in whatever case and order it names the person', async () => {
  const first = await ask(world, shop.slug, {
    kind: 'erasure',
    dry_run: true,
    email_id: 'Rosa@canary.example',
    order_numbers: ['1', '2'],
  });
  const same = await ask(world, shop.slug, {
    kind: 'erasure',
    dry_run: true,
    email_id: 'rosa@CANARY.example',
    order_numbers: ['2', '1', '2'],
  });
  expect([first.status, same.status]).toEqual([200, 200]);
  expect(same.body.uuid).toBe(first.body.uuid);
  const others = [
    { kind: 'disclosure', email_id: 'rosa@canary.example', order_numbers: ['1', '2'] },
    { kind: 'erasure', dry_run: true, email_id: 'rosa@canary.example' },
  ];
  for (const body of others) expect((await ask(world, shop.slug, body)).body.uuid).not.toBe(first.body.uuid);
  expect((await finish(world, shop.slug, first.body.uuid)).status).toBe('done');
  const later = await ask(world, shop.slug, {
    kind: 'erasure',
    dry_run: true,
    email_id: 'rosa@canary.example',
    order_numbers: ['1', '2'],
  });
  expect(later.body.uuid).not.toBe(first.body.uuid);
  await finish(world, shop.slug, later.body.uuid);
});

test('ten equal requests at the same moment are one', async () => {
  const body = { kind: 'erasure', dry_run: true, external_customer_id: '77' };
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(world, shop.slug, body)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(new Set(answers.map((answer) => answer.body.uuid)).size).toBe(1);
  await finish(world, shop.slug, answers[0]!.body.uuid);
});

test('only admins of the shop may ask, read and list', async () => {
  const { body: asked } = await ask(world, shop.slug, { kind: 'erasure', dry_run: true, email_id: 'x@canary.example' });
  const path = `/v1/shops/${shop.slug}/privacy/requests`;
  const before = await content();
  for (const role of ['viewer', 'editor']) {
    const made = (await shop.call('POST', '/api-keys', { role })).body;
    const key = `${made.username}:${made.secret}`;
    expect((await ask(world, shop.slug, { kind: 'erasure', email_id: 'rosa@canary.example' }, key)).status).toBe(403);
    expect((await world.api('GET', path, { key })).status).toBe(403);
    expect((await world.api('GET', `${path}/${asked.uuid}`, { key })).status).toBe(403);
    await shop.call('DELETE', `/api-keys/${made.token_id}`);
  }
  const { username, secret } = (await other.call('POST', '/api-keys', { role: 'admin' })).body;
  const stranger = `${username}:${secret}`;
  expect([403, 404]).toContain(
    (await ask(world, shop.slug, { kind: 'erasure', email_id: 'rosa@canary.example' }, stranger)).status,
  );
  expect([403, 404]).toContain((await world.api('GET', `${path}/${asked.uuid}`, { key: stranger })).status);
  const withoutKeys = (lines: string[]) => lines.filter((line) => !line.includes('KEYS#'));
  expect(withoutKeys(await content())).toEqual(withoutKeys(before));
  await finish(world, shop.slug, asked.uuid);
});

test('a request of another shop, or none, is not found', async () => {
  const { body } = await ask(world, other.slug, { kind: 'erasure', dry_run: true, email_id: 'x@canary.example' });
  for (const uuid of [body.uuid, '019a0000-0000-7000-8000-000000000000']) {
    const { status, body: error } = await world.api('GET', `/v1/shops/${shop.slug}/privacy/requests/${uuid}`, {
      key: world.key,
    });
    expect({ status, key: error.key }).toEqual({ status: 404, key: 'privacy_request_not_found' });
  }
  await finish(world, other.slug, body.uuid);
});

const redact = {
  shop_id: 954889,
  shop_domain: 'shop.example',
  customer: { id: 77, email: 'rosa@canary.example', phone: '555-625-1199' },
  orders_to_redact: [299938, 280263],
};

test("the shop system's requests are refused with 401 unless their signature is right, and nothing changes", async () => {
  const before = await content();
  for (const signature of ['', 'bm8=', 'x'.repeat(44)]) {
    const answer = await shop.send('privacy', redact, {
      'x-shopify-topic': 'customers/redact',
      'x-shopify-hmac-sha256': signature,
    });
    expect(answer.status).toBe(401);
  }
  expect(await content()).toEqual(before);
});

test('the erasure of a person erases their orders once, and a later equal request finds them erased', async () => {
  const body = { kind: 'erasure', external_customer_id: '77' };
  expect(await fulfil(world, shop.slug, body)).toMatchObject({ status: 'done', orders: 1 });
  const erased = await orderOf(shop, '1001');
  expect(erased.erased_at).toEqual(expect.any(String));
  expect(JSON.stringify(erased)).not.toMatch(/rosa|fischer/i);
  expect(await fulfil(world, shop.slug, body)).toMatchObject({ status: 'done', orders: 0 });
  expect((await orderOf(shop, '1001')).erased_at).toBe(erased.erased_at);
  expect(await orderOf(other, '1001')).toMatchObject({ email_id: 'rosa@canary.example', erased_at: null });
});

test.each([
  [
    'an upsert with an e-mail address',
    'PUT',
    '/orders',
    { id: '1001', order: { email_id: 'rosa@canary.example' }, trackings: [] },
  ],
  ['an address', 'PUT', '/orders', { id: '1001', order: { address: { city: 'Kiel' } }, trackings: [] }],
  ['an attribution', 'PUT', '/orders/analytics', { id: '1001', source: 'mail' }],
  [
    'note attributes',
    'PUT',
    '/orders',
    { id: '1001', order: { order_analytics: { note_attributes: [{ name: 'a', value: 'Rosa' }] } }, trackings: [] },
  ],
  ['a segment', 'PUT', '/orders', { id: '1001', order: { segments: ['rosa'] }, trackings: [] }],
  ['a browser', 'PUT', '/orders', { id: '1001', order: { user_agent: 'Rosas browser' }, trackings: [] }],
])('%s for an erased order is refused with 409, and changes nothing', async (_, method, path, body) => {
  const before = await content();
  const answer = await shop.call(method, path, body);
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 409, body: errorExample('order_erased') });
  expect(await content()).toEqual(before);
});

test('an erased order still takes parcels and events, without their places', async () => {
  const parcel = await shop.call('PUT', '/orders', {
    id: '1001',
    order: {},
    trackings: [{ tracking_number: 'T-ERASED' }],
  });
  expect(parcel.status).toBe(200);
  const { trackings, erased_at } = await orderOf(shop, '1001');
  expect(erased_at).toEqual(expect.any(String));
  expect(trackings).toHaveLength(1);
});
