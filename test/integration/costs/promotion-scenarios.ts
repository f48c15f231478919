import type { MeasuredShop } from './measured-shop.ts';
import type { Scenario } from './scenarios.ts';

const records = 'functions/platform/table/record-writes.ts';
const list = 'functions/platform/table/records.ts';
const calendars = 'functions/domain/promotions/calendar-store.ts';
const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const campaign = '`CAMPAIGNS#slug` / `RECORD#uuid`';
const abTest = '`ABTESTS#slug` / `RECORD#uuid`';
const storefront = '`STOREFRONT#slug` / `VERSION`';
const calendarOf = (prefix: string) => `\`${prefix}#slug\` / \`CALENDAR#segment\``;

const segment = 'cost-segment';
const newCampaign = ({ fresh }: MeasuredShop, fields: object = {}) => ({
  name: fresh(),
  segment: fresh(),
  promotion_type: 'basic',
  promotion_properties: { title: 'A campaign of costs' },
  ...fields,
});
const pathOf = ({ slug }: MeasuredShop, path: string) => `/v1/shops/${slug}${path}`;
const post = async (shop: MeasuredShop, path: string, body: object) =>
  (await shop.call('POST', pathOf(shop, path), body)).body as { uuid: string };

const madeCampaign = async (shop: MeasuredShop, fields: object = {}) =>
  (await post(shop, '/campaigns', newCampaign(shop, fields))).uuid;
const newTest = (shop: MeasuredShop, campaigns: string[]) => ({
  name: 'A test of costs',
  segment: shop.fresh(),
  campaign_type: 'basic',
  campaigns: campaigns.map((campaign_id) => ({ campaign_id, allocation: 100 / campaigns.length })),
});
async function madeTest(shop: MeasuredShop): Promise<string> {
  const campaigns = [await madeCampaign(shop), await madeCampaign(shop)];
  return (await post(shop, '/ab-tests', newTest(shop, campaigns))).uuid;
}

/** The request on what `prepare` made; `{}` is its uuid. */
const on = (prepare: Scenario['prepare'], method: string, path: string, body?: object) => ({
  prepare: prepare!,
  run: (shop: MeasuredShop, uuid: string) => shop.call(method, pathOf(shop, path.replace('{}', uuid)), body),
});

export const promotionScenarios: Scenario[] = [
  {
    operation: 'createCampaign',
    access: `${authenticated}; ${campaign} its name and ${storefront} in one transaction`,
    code: records,
    run: (shop) => shop.call('POST', pathOf(shop, '/campaigns'), newCampaign(shop)),
  },
  {
    operation: 'createCampaign',
    case: 'enabled',
    access: `${authenticated}; ${calendarOf('CAMPAIGNS')}; ${campaign}, its name, the calendar and ${storefront} in one transaction`,
    code: calendars,
    run: (shop) => shop.call('POST', pathOf(shop, '/campaigns'), newCampaign(shop, { segment, enabled: true })),
  },
  {
    operation: 'searchCampaigns',
    access: `${authenticated}; \`CAMPAIGNS#slug\`, newest first`,
    code: list,
    run: (shop) => shop.call('GET', pathOf(shop, '/campaigns')),
  },
  {
    operation: 'searchCampaigns',
    case: 'with the counts of one campaign',
    access: `${authenticated}; \`CAMPAIGNS#slug\`, newest first; all of \`COUNTS#slug#campaign\` of each`,
    code: list,
    run: (shop) => shop.call('GET', pathOf(shop, '/campaigns?per_page=1&counts=true')),
  },
  {
    operation: 'getCampaign',
    access: `${authenticated}; ${campaign}; all of \`COUNTS#slug#campaign\``,
    code: records,
    ...on(madeCampaign, 'GET', '/campaigns/{}'),
  },
  {
    operation: 'updateCampaign',
    access: `${authenticated}; ${campaign}, read and replaced with ${storefront}`,
    code: records,
    ...on(madeCampaign, 'PUT', '/campaigns/{}', { promotion_properties: { title: 'Another title' } }),
  },
  {
    operation: 'deleteCampaign',
    access: `${authenticated}; ${campaign}; it its name and ${storefront} in one transaction`,
    code: records,
    ...on(madeCampaign, 'DELETE', '/campaigns/{}'),
  },
  {
    operation: 'getPromotion',
    access: `${authenticated}; order; \`SHOP#slug\` / \`SETTINGS\`; \`CALENDAR#segment\` of campaigns and of A/B tests; ${campaign}`,
    code: 'functions/api/campaigns/promotion.ts',
    prepare: async (shop) => {
      const order = { order_number: shop.fresh(), external_id: shop.fresh(), address: {}, segments: [segment] };
      await shop.call('POST', pathOf(shop, '/orders'), order);
      const { body } = await shop.call('GET', pathOf(shop, `/orders?order_number=${order.order_number}`));
      return (body as [{ uuid: string }])[0].uuid;
    },
    run: (shop, order) => shop.call('GET', pathOf(shop, `/orders/${order}/promotion`)),
  },
  {
    operation: 'createAbTest',
    case: 'two campaigns',
    access: `${authenticated}; ${campaign}; ${calendarOf('ABTESTS')}; ${abTest}, the calendar, the campaigns and ${storefront} in one transaction; the campaigns`,
    code: 'functions/api/ab-tests/ab-tests.ts',
    prepare: async (shop) => [await madeCampaign(shop), await madeCampaign(shop)].join(),
    run: (shop, ids) => shop.call('POST', pathOf(shop, '/ab-tests'), newTest(shop, ids.split(','))),
  },
  {
    operation: 'listAbTests',
    access: `${authenticated}; \`ABTESTS#slug\`, newest first; their campaigns`,
    code: list,
    run: (shop) => shop.call('GET', pathOf(shop, '/ab-tests')),
  },
  {
    operation: 'listAbTests',
    case: 'with the counts of one test',
    access: `${authenticated}; \`ABTESTS#slug\`, newest first; its campaigns; \`COUNTS#slug#campaign\` / \`test#…\` of each`,
    code: list,
    run: (shop) => shop.call('GET', pathOf(shop, '/ab-tests?per_page=1&counts=true')),
  },
  {
    operation: 'getAbTest',
    access: `${authenticated}; ${abTest}; its campaigns; \`COUNTS#slug#campaign\` / \`test#…\` of each`,
    code: records,
    ...on(madeTest, 'GET', '/ab-tests/{}'),
  },
  {
    operation: 'getAbTestResults',
    case: 'two campaigns',
    access: `${authenticated}; ${abTest}; \`STATISTICS#slug\` / \`TEST#uuid#day\`, all days; \`COUNTS#slug#campaign\` / \`test#…\` of each campaign`,
    code: 'functions/api/ab-tests/results.ts',
    ...on(madeTest, 'GET', '/ab-tests/{}/results'),
  },
  {
    operation: 'endAbTest',
    access: `${authenticated}; ${abTest}; its campaigns; ${calendarOf('ABTESTS')}; all of them and ${storefront} in one transaction; the campaigns`,
    code: 'functions/api/ab-tests/ab-tests.ts',
    ...on(madeTest, 'POST', '/ab-tests/{}/end-test'),
  },
];
