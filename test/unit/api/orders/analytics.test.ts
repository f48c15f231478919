import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#api/orders/handler.ts';
import { type Call, invoke } from '#test/kit/invoke.ts';
import { asOperator, operator, shopItem, tableWith } from '#test/kit/table.ts';

const call = (method: string, path: string, more: Partial<Call>) =>
  invoke(handler, {
    method,
    resource: `/v1/shops/{slug}${path}`,
    params: { slug: 'blue' },
    headers: asOperator,
    ...more,
  });
const upsert = (order_analytics: unknown) =>
  call('PUT', '/orders', { body: { id: '1', order: { order_number: '1', order_analytics }, trackings: [] } });
const analytics = async () => {
  const { body } = await call('GET', '/orders', { query: { order_number: '1' } });
  return body[0]?.order_analytics;
};
const place = ['body', 'order', 'order_analytics'];

beforeEach(() => tableWith(operator.item, shopItem('blue')));

const unknown = {
  utm: { source: 'mail', tags: ['a', 'b'], score: 1.5, seen: true, none: null },
  journey: [{ page: '/a', seconds: 12 }, { page: '/b' }],
  note: 'Größe 💚',
  count: 0,
  constructor_name: 'x',
};

describe('fields of order_analytics that the service does not know', () => {
  test('are kept and shown as they were given, beside those that it knows', async () => {
    const given = { campaign: 'spring', landing_site: '/x', ...unknown };
    expect((await upsert(given)).status).toBe(200);
    expect(await analytics()).toEqual(given);
  });

  test('stay when the attribution is overwritten', async () => {
    await upsert({ campaign: 'spring', landing_site: '/x', ...unknown });
    const body = { id: '1', medium: 'mail', utm: 'ignored here' };
    expect((await call('PUT', '/orders/analytics', { body })).status).toBe(200);
    expect(await analytics()).toMatchObject({ ...unknown, landing_site: '/x', campaign: null, medium: 'mail' });
  });

  const times = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`field_${i}`, value]));
  const deep = (levels: number): unknown => (levels === 0 ? 'x' : [deep(levels - 1)]);

  test.each([
    ['100 fields', times(100, 1)],
    ['a name of 100 characters', { ['n'.repeat(100)]: 1 }],
    ['a text of 5000 characters', { a: 'x'.repeat(5000) }],
    ['a list of 100 values', { a: Array.from({ length: 100 }, () => 1) }],
    ['two levels', { a: deep(2), b: { c: { d: 1 } } }],
    ['almost 32 KB together', times(6, 'x'.repeat(5000))],
    ['all known fields beside 100 others', { ...times(100, 1), campaign: 'c', note_attributes: [{ name: 'n' }] }],
    [
      'long notes, which count for themselves',
      { note_attributes: Array(20).fill({ name: 'n', value: 'x'.repeat(5000) }) },
    ],
  ])('may be %s', async (_, given) => {
    expect((await upsert(given)).status).toBe(200);
    expect(await analytics()).toEqual(given);
  });

  test.each([
    ['115 fields', times(115, 1), place, 'must have at most 114 fields'],
    [
      'a name of 101 characters',
      { ['n'.repeat(101)]: 1 },
      place,
      'has a field name that must have at most 100 characters',
    ],
    ['a text of 5001 characters', { a: 'x'.repeat(5001) }, [...place, 'a'], 'must have at most 5000 characters'],
    ['a list of 101 values', { a: Array(101).fill(1) }, [...place, 'a'], 'must have at most 100 items'],
    ['an object of 101 fields', { a: times(101, 1) }, [...place, 'a'], 'must have at most 100 fields'],
    ['three levels', { a: deep(3) }, [...place, 'a', 0, 0], 'must be a string or a number or true or false or null'],
    ['more than 32 KB', times(7, 'x'.repeat(5000)), place, expect.stringContaining('at most 32768 bytes of JSON')],
    ['more than 32 KB in other letters', times(7, 'ö'.repeat(2500)), place, expect.stringContaining('32768 bytes')],
    [
      'half of a character',
      { a: { b: '\ud83d' } },
      [...place, 'a', 'b'],
      expect.stringContaining('half of a character'),
    ],
  ])('cannot be %s, and the order is not written', async (_, given, loc, msg) => {
    const { status, body } = await upsert(given);
    expect([status, body.errors[0]]).toEqual([422, expect.objectContaining({ loc, msg })]);
    expect(await analytics()).toBeUndefined();
  });

  test('of all upserts together have the same limits', async () => {
    await upsert(times(100, 1));
    expect((await upsert({ ...times(100, 2), campaign: 'c' })).status).toBe(200);
    expect((await upsert({ another: 1 })).body.errors).toMatchObject([
      {
        loc: place,
        msg: 'must have at most 100 fields that the service does not know, also those of earlier requests',
      },
    ]);
    expect((await upsert(times(6, 'x'.repeat(5000)))).status).toBe(200);
    expect((await upsert({ field_6: 'x'.repeat(5000) })).body.errors).toMatchObject([
      { loc: place, msg: expect.stringContaining('at most 32768 bytes') },
    ]);
  });

  test('may be nested a million times without harm', async () => {
    const levels = 1_000_000;
    const rawBody = `{"id":"1","order":{"order_number":"1","order_analytics":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}},"trackings":[]}`;
    const { status } = await call('PUT', '/orders', {
      rawBody,
      headers: { ...asOperator, 'Content-Type': 'application/json' },
    });
    expect(status).toBe(422);
  });
});

describe('an upsert of a known order', () => {
  const attribution = { campaign: 'spring', medium: 'mail', referrer: 'https://news.example.com' };
  const attribute = () => call('PUT', '/orders/analytics', { body: { id: '1', ...attribution } });

  test('changes the given fields of order_analytics and leaves the others', async () => {
    await upsert({ landing_site: '/a', landing_site_ref: 'r', note_attributes: [{ name: 'n' }], visit: { pages: 1 } });
    await upsert({ landing_site: '/b', landing_site_ref: null, visit: { first: true } });
    const note_attributes = [{ name: 'n' }];
    expect(await analytics()).toEqual({
      landing_site: '/b',
      landing_site_ref: null,
      note_attributes,
      visit: { first: true },
    });
  });

  test.each([
    ['nothing of it', { landing_site: '/b' }],
    ['another one', { landing_site: '/b', source: 'other', campaign: 'summer', captured_at: '2026-01-01T00:00:00Z' }],
    ['nulls', { landing_site: '/b', source: null, campaign: null, medium: null }],
  ])('leaves the attribution, also if it has %s', async (_, given) => {
    await upsert({ landing_site: '/a' });
    await attribute();
    const before = await analytics();
    expect(before).toMatchObject({ ...attribution, source: 'trackpages' });
    expect((await upsert(given)).status).toBe(200);
    expect(await analytics()).toEqual({ ...before, landing_site: '/b' });
  });

  test('gives an order its attribution that has none yet', async () => {
    await upsert({ landing_site: '/a' });
    await upsert({ campaign: 'spring' });
    expect(await analytics()).toEqual({ landing_site: '/a', campaign: 'spring' });
  });

  test('gives an order its attribution that has only nulls of one', async () => {
    await upsert({ source: null, campaign: null, landing_site: '/a' });
    await upsert({ source: 'news', campaign: 'spring' });
    expect(await analytics()).toEqual({ source: 'news', campaign: 'spring', landing_site: '/a' });
  });

  test('leaves an attribution that an upsert gave', async () => {
    await upsert({ campaign: 'spring' });
    await upsert({ campaign: 'summer', medium: 'mail', landing_site: '/a' });
    expect(await analytics()).toEqual({ campaign: 'spring', landing_site: '/a' });
  });
});

test('null for the products of a shipment leaves them', async () => {
  const body = {
    id: '1',
    order: { products: [{ title: 'A' }, { title: 'B' }] },
    trackings: [{ tracking_number: 'T' }],
  };
  await call('PUT', '/orders', { body });
  const [order] = (await call('GET', '/orders', { query: { order_number: '1' } })).body;
  const params = { slug: 'blue', order_id: order.uuid, shipment_id: order.trackings[0].uuid };
  const patch = async (change: object) =>
    (await call('PATCH', '/orders/{order_id}/shipments/{shipment_id}', { params, body: change })).body.products;
  expect(await patch({ products: null })).toEqual([{ title: 'A' }, { title: 'B' }]);
  expect(await patch({ products: [{ title: 'A' }] })).toEqual([{ title: 'A' }]);
  expect(await patch({ products: null })).toEqual([{ title: 'A' }]);
  expect(await patch({ products: [] })).toEqual([]);
  expect(await patch({ products: null, tracking_url: null })).toEqual([]);
});
