import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectInvalid } from '#test/e2e/kit/errors.ts';
import { api, keyFor, newShop, newSlug, shopOf, superAdmin } from '#test/e2e/kit/shared-stack.ts';

type Query = Record<string, string | number>;
type Found = { slug: string; uuid: string; created_at: string }[];

async function search(query: Query = {}, key = superAdmin): Promise<Found> {
  const { status, body } = await api('GET', '/v1/shops', { key, query });
  expect(status).toBe(200);
  return body;
}

const slugsOf = (found: Found) => found.map(({ slug }) => slug);

describe('the pages of shops', () => {
  const organization = `Org ${randomUUID()}`;
  const total = 35;

  beforeAll(async () => {
    for (let made = 0; made < total; made += 5) {
      await Promise.all(Array.from({ length: 5 }, () => newShop({ organization })));
    }
  });

  test('contain 30 shops unless the request says otherwise', async () => {
    expect(await search({ organization })).toHaveLength(30);
    expect(await search({ organization, page: 2 })).toHaveLength(5);
  });

  test('contain every shop once, newest first', async () => {
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => search({ organization, page, per_page: 10 })));
    expect(pages.map((page) => page.length)).toEqual([10, 10, 10, 5, 0]);
    const all = pages.flat();
    expect(new Set(slugsOf(all)).size).toBe(total);
    expect(all.map(({ created_at }) => created_at)).toEqual(
      all
        .map(({ created_at }) => created_at)
        .toSorted()
        .reverse(),
    );
    expect(all).toEqual(await search({ organization, per_page: 100 }));
  });

  test.each([
    ['page', 0, 'value_error'],
    ['page', -1, 'value_error'],
    ['page', 1.5, 'type_error'],
    ['page', 'two', 'type_error'],
    ['page', '', 'type_error'],
    ['per_page', 0, 'value_error'],
    ['per_page', -5, 'value_error'],
    ['per_page', 101, 'value_error'],
    ['per_page', 10.5, 'type_error'],
    ['per_page', 'all', 'type_error'],
    ['per_page', '9'.repeat(40), 'value_error'],
  ] as const)('are refused with %s %j', async (name, value, type) => {
    for (const key of [superAdmin, await keyFor(await newShop())]) {
      const answer = await api('GET', '/v1/shops', { key, query: { [name]: value } });
      expectInvalid(answer, [`query.${name}`, type]);
    }
  });

  test('can contain from 1 to 100 shops', async () => {
    expect(await search({ organization, per_page: 1 })).toHaveLength(1);
    expect(await search({ organization, per_page: 100 })).toHaveLength(total);
  });

  test.each([1_000_000, 1_000_000_000])('are empty far behind the last shop, as page %i', async (page) => {
    const slug = await newShop();
    expect(await search({ page, per_page: 100 })).toEqual([]);
    expect(await search({ page, organization })).toEqual([]);
    expect(await search({ page }, await keyFor(slug))).toEqual([]);
  });
});

describe('the filters of a search for shops', () => {
  const fields = {
    name: `Name ${randomUUID()}`,
    shop_provider: 'shop_system_3',
    language: 'lv',
    organization: `Org ${randomUUID()}`,
  };
  let slug: string;
  let uuid: string;
  let key: string;
  let matching: Query;

  beforeAll(async () => {
    slug = await newShop(fields);
    await newShop({ ...fields, name: 'Another name', language: 'sk' });
    uuid = String((await shopOf(slug)).uuid);
    key = await keyFor(slug, 'viewer');
    matching = { ...fields, slug, uuid };
  });

  const names = ['uuid', 'name', 'slug', 'shop_provider', 'language', 'organization'];

  test.each(names)('find a shop by its %s', async (name) => {
    const query = { [name]: matching[name]! };
    const found = await search({ ...query, per_page: 100 });
    expect(slugsOf(found)).toContain(slug);
    for (const shop of found) expect(shop).toMatchObject(query);
    expect(slugsOf(await search(query, key))).toEqual([slug]);
  });

  test.each([
    ['uuid', randomUUID()],
    ['name', 'Nobody has this name'],
    ['slug', newSlug()],
    ['slug', 'no slug at all'],
    ['shop_provider', 'shop_system_1'],
    ['language', 'hu'],
    ['organization', 'Nobody has this organization'],
  ])('do not find a shop with another %s: %s', async (name, value) => {
    const query = { [name]: value };
    expect(await search(query, key)).toEqual([]);
    expect(slugsOf(await search({ ...query, per_page: 100 }))).not.toContain(slug);
  });

  test('must all match', async () => {
    expect(slugsOf(await search(matching))).toEqual([slug]);
    expect(slugsOf(await search(matching, key))).toEqual([slug]);
    for (const name of names) {
      const otherValue = { uuid: randomUUID(), shop_provider: 'api', language: 'fi' }[name] ?? 'other';
      expect(await search({ ...matching, [name]: otherValue })).toEqual([]);
      expect(await search({ ...matching, [name]: otherValue }, key)).toEqual([]);
    }
  });

  test('can be combined in pairs', async () => {
    const { organization, language } = fields;
    expect(await search({ organization })).toHaveLength(2);
    expect(slugsOf(await search({ organization, language }))).toEqual([slug]);
  });

  test('find a shop by its changed values at once', async () => {
    const name = `Renamed ${randomUUID()}`;
    await api('PATCH', `/v1/shops/${slug}`, { key: superAdmin, body: { name } });
    expect(slugsOf(await search({ name }))).toEqual([slug]);
    expect(await search({ name: fields.name })).toEqual([]);
    await api('PATCH', `/v1/shops/${slug}`, { key: superAdmin, body: { name: fields.name } });
  });

  test('refuse values that no shop can have', async () => {
    const query = { uuid: 'x', shop_provider: 'x', language: 'x' };
    for (const any of [superAdmin, key]) {
      expectInvalid(
        await api('GET', '/v1/shops', { key: any, query }),
        ['query.uuid', 'value_error'],
        ['query.shop_provider', 'value_error'],
        ['query.language', 'value_error'],
      );
    }
  });

  test('accept a uuid in capital letters', async () => {
    expect(slugsOf(await search({ uuid: uuid.toUpperCase() }))).toEqual([slug]);
    expect(slugsOf(await search({ uuid: uuid.toUpperCase() }, key))).toEqual([slug]);
  });
});
