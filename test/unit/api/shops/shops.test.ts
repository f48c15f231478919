import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#api/shops/handler.ts';
import { matches } from '#api/shops/shop-rules.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { keyOf } from '#platform/table/keys.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const admin = keyFor('blue', 'admin');
const call = (method: string, path = '', body?: object, tag?: string) =>
  invoke(handler, {
    method,
    resource: `/v1/shops/{slug}${path}`,
    params: { slug: 'blue' },
    headers: { ...basic('blue', admin.secret), ...(tag !== undefined && { 'If-Match': tag }) },
    ...(body && { body }),
  });

beforeEach(() => tableWith(admin.item, shopItem('blue')));

const name = () => memoryTable.read(keyOf.shop('blue'))!.name;
const theirs = () => memoryTable.put(shopItem('blue', { name: 'Theirs', updated_at: '2026-11-15T12:00:00.000Z' }));

describe('a change of a shop that names the state it is based on', () => {
  const readTag = async () => `"${(await call('GET')).body.updated_at}"`;

  test('is made if that is the present state', async () => {
    expect((await call('PATCH', '', { name: 'Mine' }, await readTag())).status).toBe(200);
    expect(name()).toBe('Mine');
  });

  test('is refused after another change', async () => {
    const tag = await readTag();
    theirs();
    const answer = await call('PATCH', '', { name: 'Mine' }, tag);
    expect(answer).toMatchObject({ status: 412, body: { key: 'changed_since_read' } });
    expect(name()).toBe('Theirs');
  });

  test('is refused if another change comes between its read and its write', async () => {
    const tag = await readTag();
    beforeNextRequest(TransactWriteCommand, theirs);
    expect((await call('PATCH', '', { name: 'Mine' }, tag)).status).toBe(412);
    expect(name()).toBe('Theirs');
  });

  test.each([undefined, '*'])('is made over any other change with the header %j', async (tag) => {
    beforeNextRequest(TransactWriteCommand, theirs);
    expect((await call('PATCH', '', { name: 'Mine' }, tag)).status).toBe(200);
    expect(name()).toBe('Mine');
  });
});

test('the addresses of a shop are shown with the time of its last change', async () => {
  const { body: shop } = await call('GET');
  const empty = { contact_email: null, shop_url: null, shop_admin_url: null, logo_url: null };
  expect((await call('GET', '/addresses')).body).toEqual({ ...empty, updated_at: shop.updated_at });
  await call('PATCH', '', { contact_email: 'help@blue.example' });
  expect((await call('GET', '/addresses')).body).toMatchObject({ ...empty, contact_email: 'help@blue.example' });
});

test.each([
  ['LICHT', true],
  ['out', true],
  ['t O', true],
  ['north', false],
])('a search for %j finds the shop by a part of its name or slug: %s', (search, found) => {
  const shop = shopItem('nl-outdoor', { name: 'Nordlicht Ost' }) as unknown as ShopItem;
  expect(matches(shop, { page: 1, per_page: 30, search })).toBe(found);
  expect(matches(shop, { page: 1, per_page: 30, search, slug: 'another' })).toBe(false);
});

test('an API key is created and shown, though the answer of the table was lost and the SDK wrote again', async () => {
  beforeNextRequest(PutCommand, ({ Item }) => memoryTable.put(Item!));
  expect(await call('POST', '/api-keys', { role: 'viewer', expiration: 0 })).toMatchObject({
    status: 200,
    body: { secret: expect.any(String) },
  });
});
