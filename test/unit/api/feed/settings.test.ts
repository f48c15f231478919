import { beforeEach, expect, test } from 'vitest';
import { handler } from '#api/feed/handler.ts';
import { handler as settingsHandler } from '#api/settings/handler.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { keyOf } from '#platform/table/keys.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const admin = keyFor('blue', 'admin');
const viewer = keyFor('blue', 'viewer');

beforeEach(() => tableWith(admin.item, viewer.item, shopItem('blue')));

const call = (method: string, body?: object, { tag, secret = admin.secret }: { tag?: string; secret?: string } = {}) =>
  invoke(handler, {
    method,
    resource: '/v1/shops/{slug}/settings/events',
    params: { slug: 'blue' },
    headers: { ...basic('blue', secret), ...(tag && { 'If-Match': tag }) },
    ...(body && { body }),
  });

const switchTo = async (feed_enabled: boolean | null) => (await call('PATCH', { feed_enabled })).body;
const stored = () => memoryTable.read(keyOf.settings('blue')) as unknown as StoredSettings;

test('the feed is off until a shop switches it on', async () => {
  expect((await call('GET')).body).toEqual({ feed_enabled: false });
  expect(await switchTo(true)).toEqual({ feed_enabled: true });
  expect((await call('GET', undefined, { secret: viewer.secret })).body).toEqual({ feed_enabled: true });
});

test('each time that it is switched on, another feed begins', async () => {
  const generations: (number | undefined)[] = [];
  for (const enabled of [true, true, false, true, null, false]) {
    await switchTo(enabled);
    generations.push(stored().events?.generation);
  }
  expect(generations).toEqual([1, 1, 1, 4, 4, 4]);
  expect(stored().events?.feed_enabled).toBe(false);
});

test('null, and a body without it, leave it as it is', async () => {
  await switchTo(true);
  expect(await switchTo(null)).toEqual({ feed_enabled: true });
  expect((await call('PATCH', {})).body).toEqual({ feed_enabled: true });
});

test('a change that is based on an older state is refused', async () => {
  const { headers } = await call('GET');
  await call('PATCH', { feed_enabled: true }, { tag: headers.ETag! });
  const late = await call('PATCH', { feed_enabled: true }, { tag: headers.ETag! });
  expect([late.status, late.body.key]).toEqual([412, 'changed_since_read']);
  const { headers: newer } = await call('GET');
  expect((await call('PATCH', { feed_enabled: false }, { tag: newer.ETag! })).status).toBe(200);
});

test('only an admin switches it', async () => {
  const { status, body } = await call('PATCH', { feed_enabled: true }, { secret: viewer.secret });
  expect([status, body.key]).toEqual([403, 'insufficient_rights']);
});

test.each(['on', 1, [], {}])('%j is no switch', async (feed_enabled) => {
  expect((await call('PATCH', { feed_enabled })).status).toBe(422);
});

test('the other settings of the shop do not show it', async () => {
  const show = () =>
    invoke(settingsHandler, {
      method: 'GET',
      resource: '/v1/shops/{slug}/settings',
      params: { slug: 'blue' },
      headers: basic('blue', admin.secret),
    });
  const { body } = await show();
  await switchTo(true);
  expect((await show()).body).toEqual(body);
});
