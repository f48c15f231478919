import Type, { type Static } from 'typebox';
import { Choice, DateTime, Nullable, paging, Shape, Text, Uuid } from '../shapes/shapes.ts';
import { Campaign, promotionTypes, Segment } from './campaigns.ts';
import { declare, shopPath } from './operation.ts';

export const abTestStatuses = ['scheduled', 'running', 'completed'] as const;

const Allocation = Type.Integer({ minimum: 0, maximum: 100, description: 'Percent of the customers.' });
const HoldoutPercentage = Nullable(
  Type.Integer({ minimum: 0, maximum: 100, description: 'Percent of the customers that see nothing.' }),
);

const AbTest = Shape('AbTest', {
  uuid: Uuid(),
  name: Type.String(),
  shop_slug: Type.String(),
  segment: Type.String(),
  campaign_type: Choice(promotionTypes),
  campaigns: Type.Array(
    Shape(
      'AbTestCampaign',
      { campaign_id: Uuid(), allocation: Allocation, ...Type.Partial(Campaign).properties },
      { description: 'Of a campaign that was deleted, only campaign_id and allocation.' },
    ),
  ),
  has_holdout: Type.Boolean(),
  holdout_percentage: HoldoutPercentage,
  start_date: Nullable(DateTime()),
  end_date: Nullable(DateTime()),
  status: Choice(abTestStatuses, {
    description: '`completed` from its end, or from when it was ended; `scheduled` before its start.',
  }),
  ended_at: Nullable(DateTime({ description: 'When it was ended by hand.' })),
  created_at: DateTime(),
  updated_at: DateTime(),
});

/** So many campaigns, each as large as may be, that one transaction still takes them. */
const maxVariants = 20;

const AbTestCreate = Shape('AbTestCreate', {
  name: Text(255, { minLength: 1 }),
  segment: Segment(),
  campaign_type: Choice(promotionTypes),
  campaigns: Type.Array(Shape('AbTestVariant', { campaign_id: Uuid(), allocation: Allocation }), {
    minItems: 1,
    maxItems: maxVariants,
    description: 'Their allocations and the holdout make 100 percent. Each campaign once.',
  }),
  has_holdout: Type.Boolean({ default: false, description: 'Without one, holdout_percentage is 0 or null.' }),
  holdout_percentage: Type.Optional(HoldoutPercentage),
  start_date: Type.Optional(Nullable(DateTime({ description: 'Now, if absent.' }))),
  end_date: Type.Optional(Nullable(DateTime({ description: 'Without one it runs until it is ended.' }))),
});

const testsPath = `${shopPath}/ab-tests` as const;
const testPath = `${testsPath}/{uuid}` as const;
const testParams = Type.Object({ uuid: Uuid() });

export const abTests = declare({
  createAbTest: {
    method: 'POST',
    path: testsPath,
    role: 'editor',
    summary: 'Create an A/B test',
    description:
      'While it runs, it decides what the customers of its segment see: one of its campaigns, whether or not that is ' +
      'enabled but only within its window, or nothing. Tests of one segment may neither overlap nor meet, unless one is ' +
      'completed.',
    body: AbTestCreate,
    response: AbTest,
    errors: ['campaign_not_found', 'campaign_type_invalid', 'a_b_test_overlap'],
  },
  listAbTests: {
    method: 'GET',
    path: testsPath,
    role: 'viewer',
    summary: 'List A/B tests',
    description: 'Newest first.',
    query: Type.Object({ ...paging }),
    response: Type.Array(AbTest),
  },
  getAbTest: {
    method: 'GET',
    path: testPath,
    role: 'superadmin',
    summary: 'Get an A/B test',
    params: testParams,
    response: AbTest,
    errors: ['a_b_test_not_found'],
  },
  endAbTest: {
    method: 'POST',
    path: `${testPath}/end-test`,
    role: 'editor',
    summary: 'End an A/B test',
    description: 'It is completed and gives no customer a variant any more. One that is completed stays as it is.',
    params: testParams,
    response: AbTest,
    errors: ['a_b_test_not_found'],
  },
});

export type AbTest = Static<typeof AbTest>;
export type AbTestCreate = Static<typeof AbTestCreate>;
export type AbTestStatus = (typeof abTestStatuses)[number];
