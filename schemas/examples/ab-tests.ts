import type { AbTest, abTests } from '../families/ab-tests.ts';
import { campaign } from './campaigns.ts';
import type { ExamplesOf } from './example.ts';
import { ids, slug } from './story.ts';

const variant = { campaign_id: ids.campaign, allocation: 80 };

const abTest = {
  uuid: ids.abTest,
  name: 'Does the promotion sell?',
  shop_slug: slug,
  segment: 'newsletter',
  campaign_type: 'product',
  campaigns: [{ ...variant, ...campaign, status: 'paused' }],
  has_holdout: true,
  holdout_percentage: 20,
  start_date: '2026-11-16T08:00:00.000Z',
  end_date: '2026-11-30T08:00:00.000Z',
  status: 'running',
  ended_at: null,
  created_at: '2026-11-16T09:07:44.310Z',
  updated_at: '2026-11-16T09:07:44.310Z',
} satisfies AbTest;

const endedTest = {
  ...abTest,
  campaigns: [{ ...variant, ...campaign }],
  status: 'completed',
  ended_at: '2026-11-16T09:08:06.420Z',
  updated_at: '2026-11-16T09:08:06.420Z',
} satisfies AbTest;

const nothingYet = { orders: 0, orders_observed: 0, shown: 0, clicked: 0, reordered: 0 };
const unknownRates = { clicked: null, reordered: null };

export const abTestExamples = {
  createAbTest: {
    body: {
      name: 'Does the promotion sell?',
      segment: 'newsletter',
      campaign_type: 'product',
      campaigns: [variant],
      has_holdout: true,
      holdout_percentage: 20,
      start_date: '2026-11-16T08:00:00Z',
      end_date: '2026-11-30T08:00:00Z',
    },
    response: abTest,
  },
  listAbTests: { query: { per_page: 10 }, response: [abTest] },
  getAbTest: {
    params: { uuid: ids.abTest },
    response: {
      ...abTest,
      campaigns: abTest.campaigns.map((one) => ({ ...one, counts: { shown: 0, clicked: 0 } })),
    },
  },
  getAbTestResults: {
    params: { uuid: ids.abTest },
    response: {
      arms: [
        { campaign_id: null, ...nothingYet, rates: unknownRates },
        { campaign_id: ids.campaign, ...nothingYet, rates: unknownRates },
      ],
      comparisons: [
        {
          arm: ids.campaign,
          against: null,
          metric: 'reordered',
          difference: null,
          low: -1,
          high: 1,
          verdict: 'undecided',
        },
      ],
      srm: { p_value: 1, ok: true },
      decision: 'undecided',
      method: 'beta-binomial-mixture/1',
    },
  },
  endAbTest: { params: { uuid: ids.abTest }, response: endedTest },
} satisfies ExamplesOf<typeof abTests>;
