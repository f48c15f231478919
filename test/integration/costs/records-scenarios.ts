import type { MeasuredShop } from './measured-shop.ts';
import type { Scenario } from './scenarios.ts';

const code = 'functions/platform/table/record-writes.ts';
const list = 'functions/platform/table/records.ts';
const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';

const storefront = '`STOREFRONT#slug` / `VERSION`';

const recordOf = (prefix: string) => `\`${prefix}#slug\` / \`RECORD#uuid\``;
const discount = recordOf('DISCOUNTS');
const announcement = recordOf('ANNOUNCEMENTS');
const deal = recordOf('DEALS');

const call = (method: string, path: string, body?: (shop: MeasuredShop) => object) => (shop: MeasuredShop) =>
  shop.call(method, `/v1/shops/${shop.slug}${path}`, body?.(shop));

/** The first of the shop's records. */
async function first({ call, slug }: MeasuredShop, path: string): Promise<string> {
  const { body } = await call('GET', `/v1/shops/${slug}${path}?per_page=100`);
  return (body as { uuid: string }[])[0]!.uuid;
}

const onFirst = (method: string, path: string, body?: (shop: MeasuredShop) => object) => ({
  prepare: (shop: MeasuredShop) => first(shop, path),
  run: (shop: MeasuredShop, uuid: string) => shop.call(method, `/v1/shops/${shop.slug}${path}/${uuid}`, body?.(shop)),
});

/** Shops with one record of each kind, or a few. */
export const recordScenarios: Scenario[] = [
  {
    operation: 'createDiscount',
    access: `${authenticated}; ${discount}, its code and ${storefront} in one transaction`,
    code,
    run: call('POST', '/discounts', ({ fresh }) => ({ code: fresh(), type: 'order' })),
  },
  {
    operation: 'searchDiscounts',
    access: `${authenticated}; all of \`DISCOUNTS#slug\``,
    code: list,
    run: call('GET', '/discounts'),
  },
  {
    operation: 'updateDiscount',
    access: `${authenticated}; ${discount}, read, then replaced with ${storefront} in one transaction`,
    code,
    ...onFirst('PATCH', '/discounts', () => ({ title: 'Ten' })),
  },
  {
    operation: 'createDeal',
    access: `${authenticated}; \`COUNT\`; \`RANKS\`; ${deal}, the count, the rank, a check of the discount and ${storefront} in one transaction; the discount`,
    code: 'functions/domain/promotions/deal.ts',
    prepare: async (shop) => {
      const discount_id = await first(shop, '/discounts');
      await shop.call('POST', `/v1/shops/${shop.slug}/deals`, { discount_id });
      return discount_id;
    },
    run: (shop, discount_id) => shop.call('POST', `/v1/shops/${shop.slug}/deals`, { discount_id }),
  },
  {
    operation: 'listDeals',
    access: `${authenticated}; all of \`DEALS#slug\`; their discounts`,
    code: list,
    run: call('GET', '/deals'),
  },
  {
    operation: 'listAllDeals',
    access: '`KEYS#username` / token id; index `lists`, `DEALS`; their discounts; their shops',
    code: 'functions/domain/promotions/deal.ts',
    run: (shop) => shop.call('GET', '/v1/deals'),
  },
  {
    operation: 'updateDeal',
    access: `${authenticated}; ${deal}, read, then replaced with ${storefront} in one transaction; the discount`,
    code,
    ...onFirst('PATCH', '/deals', () => ({ rank: 7 })),
  },
  {
    operation: 'deleteDeal',
    access: `${authenticated}; ${deal}, \`COUNT\`; both and ${storefront} changed in one transaction`,
    code,
    ...onFirst('DELETE', '/deals'),
  },
  {
    operation: 'deleteDiscount',
    access: `${authenticated}; ${discount}, its code and ${storefront} in one transaction`,
    code,
    ...onFirst('DELETE', '/discounts'),
  },
  {
    operation: 'createAnnouncement',
    access: `${authenticated}; ${announcement}, its text and ${storefront} in one transaction`,
    code,
    run: call('POST', '/announcements', () => ({ text: 'Closed on Sunday', language: 'en' })),
  },
  {
    operation: 'searchAnnouncements',
    access: `${authenticated}; all of \`ANNOUNCEMENTS#slug\``,
    code: list,
    run: call('GET', '/announcements'),
  },
  {
    operation: 'updateAnnouncement',
    access: `${authenticated}; ${announcement}, its text of before, its new one and ${storefront} in one transaction`,
    code,
    ...onFirst('PATCH', '/announcements', () => ({ text: 'Closed on Monday' })),
  },
  {
    operation: 'deleteAnnouncement',
    access: `${authenticated}; ${announcement}, its text and ${storefront} in one transaction`,
    code,
    ...onFirst('DELETE', '/announcements'),
  },
];
