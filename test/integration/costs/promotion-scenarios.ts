import type { Scenario } from './scenarios.ts';
import type { World } from './world.ts';

const records = 'functions/domain/records/record-writes.ts';
const list = 'functions/domain/records/records.ts';
const calendars = 'functions/domain/promotions/calendar-store.ts';
const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const campaign = '`CAMPAIGNS#slug` / `RECORD#uuid`';
const abTest = '`ABTESTS#slug` / `RECORD#uuid`';
const calendarOf = (prefix: string) => `\`${prefix}#slug\` / \`CALENDAR#segment\``;

const segment = 'cost-segment';
const newCampaign = ({ fresh }: World, fields: object = {}) => ({
  name: fresh(),
  segment: fresh(),
  promotion_type: 'basic',
  promotion_properties: { title: 'A campaign of costs' },
  ...fields,
});
const pathOf = ({ slug }: World, path: string) => `/v1/shops/${slug}${path}`;
const post = async (world: World, path: string, body: object) =>
  (await world.call('POST', pathOf(world, path), body)).body as { uuid: string };

const madeCampaign = async (world: World, fields: object = {}) =>
  (await post(world, '/campaigns', newCampaign(world, fields))).uuid;
const newTest = (world: World, campaigns: string[]) => ({
  name: 'A test of costs',
  segment: world.fresh(),
  campaign_type: 'basic',
  campaigns: campaigns.map((campaign_id) => ({ campaign_id, allocation: 100 / campaigns.length })),
});
async function madeTest(world: World): Promise<string> {
  const campaigns = [await madeCampaign(world), await madeCampaign(world)];
  return (await post(world, '/ab-tests', newTest(world, campaigns))).uuid;
}

/** The request on what `prepare` made; `{}` stands for its uuid. */
const on = (prepare: Scenario['prepare'], method: string, path: string, body?: object) => ({
  prepare: prepare!,
  run: (world: World, uuid: string) => world.call(method, pathOf(world, path.replace('{}', uuid)), body),
});

export const promotionScenarios: Scenario[] = [
  {
    operation: 'createCampaign',
    access: `${authenticated}; ${campaign} and its name in one transaction`,
    code: records,
    run: (world) => world.call('POST', pathOf(world, '/campaigns'), newCampaign(world)),
  },
  {
    operation: 'createCampaign',
    case: 'enabled',
    access: `${authenticated}; ${calendarOf('CAMPAIGNS')}; ${campaign}, its name and the calendar in one transaction`,
    code: calendars,
    run: (world) => world.call('POST', pathOf(world, '/campaigns'), newCampaign(world, { segment, enabled: true })),
  },
  {
    operation: 'searchCampaigns',
    access: `${authenticated}; \`CAMPAIGNS#slug\`, newest first`,
    code: list,
    run: (world) => world.call('GET', pathOf(world, '/campaigns')),
  },
  {
    operation: 'getCampaign',
    access: `${authenticated}; ${campaign}`,
    code: records,
    ...on(madeCampaign, 'GET', '/campaigns/{}'),
  },
  {
    operation: 'updateCampaign',
    access: `${authenticated}; ${campaign}, read and replaced`,
    code: records,
    ...on(madeCampaign, 'PUT', '/campaigns/{}', { promotion_properties: { title: 'Another title' } }),
  },
  {
    operation: 'deleteCampaign',
    access: `${authenticated}; ${campaign}; it and its name in one transaction`,
    code: records,
    ...on(madeCampaign, 'DELETE', '/campaigns/{}'),
  },
  {
    operation: 'getPromotion',
    access: `${authenticated}; order; \`CALENDAR#segment\` of campaigns and of A/B tests; ${campaign}`,
    code: 'functions/api/campaigns/promotion.ts',
    prepare: async (world) => {
      const order = { order_number: world.fresh(), external_id: world.fresh(), address: {}, segments: [segment] };
      await world.call('POST', pathOf(world, '/orders'), order);
      const { body } = await world.call('GET', pathOf(world, `/orders?order_number=${order.order_number}`));
      return (body as [{ uuid: string }])[0].uuid;
    },
    run: (world, order) => world.call('GET', pathOf(world, `/orders/${order}/promotion`)),
  },
  {
    operation: 'createAbTest',
    case: 'two campaigns',
    access: `${authenticated}; ${campaign}; ${calendarOf('ABTESTS')}; ${abTest}, the calendar and the campaigns in one transaction; the campaigns`,
    code: 'functions/api/ab-tests/ab-tests.ts',
    prepare: async (world) => [await madeCampaign(world), await madeCampaign(world)].join(),
    run: (world, ids) => world.call('POST', pathOf(world, '/ab-tests'), newTest(world, ids.split(','))),
  },
  {
    operation: 'listAbTests',
    access: `${authenticated}; \`ABTESTS#slug\`, newest first; their campaigns`,
    code: list,
    run: (world) => world.call('GET', pathOf(world, '/ab-tests')),
  },
  {
    operation: 'getAbTest',
    access: `${authenticated}; ${abTest}; its campaigns`,
    code: records,
    ...on(madeTest, 'GET', '/ab-tests/{}'),
  },
  {
    operation: 'endAbTest',
    access: `${authenticated}; ${abTest}; its campaigns; ${calendarOf('ABTESTS')}; all of them in one transaction; the campaigns`,
    code: 'functions/api/ab-tests/ab-tests.ts',
    ...on(madeTest, 'POST', '/ab-tests/{}/end-test'),
  },
];
