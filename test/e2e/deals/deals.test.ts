import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Deal } from '#schemas/families/deals.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { accepted, expectDone, type Fields, type Merchant, newMerchant } from '#test/e2e/kit/orders.ts';
import { api, keyFor, superAdmin } from '#test/e2e/kit/shared-stack.ts';

interface DealShop extends Merchant {
  discount: string;
  create(fields?: Fields): Promise<Deal>;
  deals(query?: Record<string, number>): Promise<Deal[]>;
}

async function newDealShop(): Promise<DealShop> {
  const shop = await newMerchant();
  expectDone(await shop.call('POST', '/discounts', { body: { code: 'TEN', type: 'order', value: 10 } }));
  const [{ uuid: discount }] = accepted(await shop.call('GET', '/discounts'));
  return {
    ...shop,
    discount,
    create: async (fields = {}) =>
      accepted(await shop.call('POST', '/deals', { body: { discount_id: discount, ...fields } })),
    deals: async (query = {}) => accepted(await shop.call('GET', '/deals', { query })),
  };
}

let shop: DealShop;
beforeAll(async () => {
  shop = await newDealShop();
});

describe('a deal', () => {
  test('is shown with its discount and its shop', async () => {
    const deal = await shop.create({ title: 'Half price', cta_url: 'https://example.com/deal' });
    expect(deal).toEqual({
      uuid: expect.any(String),
      shop_slug: shop.slug,
      shop_name: 'A shop',
      discount_id: shop.discount,
      brand_image_url: null,
      brand_logo_url: null,
      cta_url: 'https://example.com/deal',
      title: 'Half price',
      description: null,
      rank: expect.any(Number),
      discount: expect.objectContaining({ uuid: shop.discount, code: 'TEN', value: 10 }),
      translations: [],
      created_at: expect.any(String),
      updated_at: deal.created_at,
    });
    expect(await shop.deals()).toContainEqual(deal);
  });

  test('shows its texts in the requested language, if it has them', async () => {
    const translations = [{ language: 'de', data: { title: 'Halber Preis' } }];
    const { uuid } = await shop.create({ title: 'Half price', description: 'Today', translations });
    const read = async (language: string) => {
      const deals: Deal[] = accepted(await shop.call('GET', '/deals', { headers: { 'accept-language': language } }));
      return deals.find((deal) => deal.uuid === uuid);
    };
    expect(await read('de-AT')).toMatchObject({ title: 'Halber Preis', description: 'Today', translations });
    expect(await read('fr')).toMatchObject({ title: 'Half price', description: 'Today' });
  });

  test('needs a discount of the shop', async () => {
    const foreign = (await newDealShop()).discount;
    const { uuid } = await shop.create();
    for (const discount_id of [randomUUID(), foreign]) {
      expectError(await shop.call('POST', '/deals', { body: { discount_id } }), 404, 'discount_not_found');
      expectError(await shop.call('PATCH', `/deals/${uuid}`, { body: { discount_id } }), 404, 'discount_not_found');
    }
  });

  test('continues without its discount when that is deleted', async () => {
    const own = await newDealShop();
    const deal = await own.create({ title: 'Stays' });
    expectDone(await own.call('DELETE', `/discounts/${own.discount}`));
    expect(await own.deals()).toEqual([{ ...deal, discount: null }]);
    expect(accepted(await own.call('PATCH', `/deals/${deal.uuid}`, { body: { title: null } }))).toMatchObject({
      title: null,
    });
  });

  test('cannot be changed or deleted when it does not exist', async () => {
    const { uuid } = await shop.create();
    expectDone(await shop.call('DELETE', `/deals/${uuid}`));
    for (const gone of [uuid, randomUUID()]) {
      expectError(await shop.call('PATCH', `/deals/${gone}`, { body: {} }), 404, 'deal_not_found');
      expectError(await shop.call('DELETE', `/deals/${gone}`), 404, 'deal_not_found');
    }
  });

  test('is refused with all its faults', async () => {
    const body = { cta_url: '', rank: 'first', title: 4, translations: [{ language: 'de' }] };
    expectInvalid(
      await shop.call('POST', '/deals', { body }),
      ['body.discount_id', 'missing'],
      ['body.cta_url', 'value_error'],
      ['body.title', 'type_error'],
      ['body.translations.0.data', 'missing'],
    );
    expectInvalid(
      await shop.call('PATCH', '/deals/x', { body: { rank: -1 } }),
      ['path.deal_id', 'value_error'],
      ['body.rank', 'value_error'],
    );
  });
});

describe('ranks', () => {
  test('increase in the order of creation and can be set', async () => {
    const own = await newDealShop();
    const [first, second, third] = [await own.create(), await own.create(), await own.create()];
    expect([first, second, third].map(({ rank }) => rank)).toEqual([1, 2, 3]);
    accepted(await own.call('PATCH', `/deals/${third.uuid}`, { body: { rank: 0 } }));
    const order = async (query?: Record<string, number>) => (await own.deals(query)).map(({ uuid }) => uuid);
    expect(await order()).toEqual([third, first, second].map(({ uuid }) => uuid));
    expect(await order({ page: 2, per_page: 2 })).toEqual([second.uuid]);
    expectDone(await own.call('DELETE', `/deals/${second.uuid}`));
    expect((await own.create()).rank).toBe(4);
  });

  test('of ten deals that are created at once are ten different ones', async () => {
    const own = await newDealShop();
    const deals = await Promise.all(Array.from({ length: 10 }, () => own.create()));
    expect(deals.map(({ rank }) => rank).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

test('the deals of all shops are listed for every key, newest first, page by page', async () => {
  const [one, other] = [await newDealShop(), await newDealShop()];
  const made = [await one.create(), await other.create(), await one.create()].map(({ uuid }) => uuid);
  const key = await keyFor(one.slug, 'viewer');
  const pages: string[] = [];
  for (let page = 1; page <= 3; page++) {
    const deals: Deal[] = accepted(await api('GET', '/v1/deals', { key, query: { page, per_page: 40 } }));
    pages.push(...deals.map(({ uuid }) => uuid));
  }
  expect(pages.filter((uuid) => made.includes(uuid))).toEqual(made.toReversed());
  const all: Deal[] = accepted(await api('GET', '/v1/deals', { key: superAdmin }));
  expect(all.find(({ uuid }) => uuid === made[1])).toMatchObject({ shop_slug: other.slug, shop_name: 'A shop' });
});
