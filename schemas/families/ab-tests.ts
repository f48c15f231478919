import Type, { type Static } from 'typebox';
import { Choice, DateTime, Defaulted, Nullable, paging, Shape, Text, Uuid } from '../shapes/shapes.ts';
import { Campaign, PromotionCounts, promotionTypes, Segment } from './campaigns.ts';
import { declare, shopPath } from './operation.ts';

const abTestStatuses = ['scheduled', 'running', 'completed'] as const;

const Allocation = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'The percentage of customers that see this campaign.',
});
const HoldoutPercentage = Nullable(
  Type.Integer({ minimum: 0, maximum: 100, description: 'The percentage of customers that see nothing.' }),
);

const variantFields = { campaign_id: Uuid(), allocation: Allocation, ...Type.Partial(Campaign).properties };
const deletedVariant = 'A deleted campaign has only `campaign_id` and `allocation`.';

const AbTest = Shape('AbTest', {
  uuid: Uuid(),
  name: Type.String(),
  shop_slug: Type.String(),
  segment: Type.String(),
  campaign_type: Choice(promotionTypes),
  campaigns: Type.Array(Shape('AbTestCampaign', variantFields, { description: deletedVariant })),
  has_holdout: Type.Boolean({ description: 'Whether a part of the customers sees nothing.' }),
  holdout_percentage: HoldoutPercentage,
  start_date: Nullable(DateTime()),
  end_date: Nullable(DateTime()),
  status: Choice(abTestStatuses, {
    description:
      '`scheduled`: the test has not started yet. `running`: the test has started. `completed`: its end date has passed, or somebody ended it.',
  }),
  ended_at: Nullable(DateTime({ description: 'When somebody ended the test. Null if nobody did.' })),
  created_at: DateTime(),
  updated_at: DateTime(),
});

const CountedAbTest = Shape('CountedAbTest', {
  ...AbTest.properties,
  campaigns: Type.Array(
    Shape(
      'CountedAbTestCampaign',
      { ...variantFields, counts: PromotionCounts },
      { description: `${deletedVariant} Both have counts.` },
    ),
  ),
});

const AbTestInList = Shape('AbTestInList', {
  ...AbTest.properties,
  campaigns: Type.Array(
    Shape(
      'AbTestCampaignInList',
      { ...variantFields, counts: Type.Optional(PromotionCounts) },
      { description: deletedVariant },
    ),
  ),
});

const AbTestFilters = Type.Object({
  ...paging,
  uuid: Type.Optional(Uuid()),
  counts: Type.Optional(
    Type.Boolean({ description: 'Whether to return the `counts` of each variant in its test. Default: false.' }),
  ),
});

/** One transaction can still write this many campaigns of the largest size. */
const maxVariants = 20;

const AbTestCreate = Shape('AbTestCreate', {
  name: Text(255, { minLength: 1, description: 'The name of the test.' }),
  segment: Segment(),
  campaign_type: Choice(promotionTypes),
  campaigns: Type.Array(Shape('AbTestVariant', { campaign_id: Uuid(), allocation: Allocation }), {
    minItems: 1,
    maxItems: maxVariants,
    description:
      'The campaigns to compare. Their allocations and the holdout percentage must add up to 100. Each campaign can appear only once.',
  }),
  has_holdout: Defaulted(
    Type.Boolean({
      description: 'Whether a part of the customers sees nothing. If false, `holdout_percentage` must be 0 or null.',
    }),
    false,
  ),
  holdout_percentage: Type.Optional(HoldoutPercentage),
  start_date: Type.Optional(Nullable(DateTime({ description: 'When the test starts. Default: the current time.' }))),
  end_date: Type.Optional(
    Nullable(DateTime({ description: 'When the test ends. Default: it runs until somebody ends it.' })),
  ),
});

const comparedMetrics = ['clicked', 'reordered'] as const;
export const abTestVerdicts = ['undecided', 'better', 'worse'] as const;

const ArmId = (description: string) => Nullable(Uuid({ description }));
const RateOf = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 1, description }));
const Difference = (description: string) => Type.Number({ minimum: -1, maximum: 1, description });

const AbTestResults = Shape('AbTestResults', {
  arms: Type.Array(
    Shape('AbTestArm', {
      campaign_id: ArmId('The campaign that its customers see. Null for the control, which sees nothing.'),
      orders: Type.Integer({
        minimum: 0,
        description:
          'Customers of the arm, each by their first order while the test runs. An order without e-mail address and ' +
          'customer id is a customer of its own.',
      }),
      orders_observed: Type.Integer({
        minimum: 0,
        description: 'Those of them that had 30 days to order again. `reordered` is of these.',
      }),
      shown: Type.Integer({ minimum: 0, description: 'Orders whose tracking page showed the campaign.' }),
      clicked: Type.Integer({ minimum: 0, description: 'Orders whose customer followed it.' }),
      reordered: Type.Integer({
        minimum: 0,
        description: 'Of `orders_observed`: customers who ordered again within 30 days, whatever they saw.',
      }),
      rates: Shape(
        'AbTestRates',
        {
          clicked: RateOf('`clicked` of `shown`. Null for the control, and while nothing was shown.'),
          reordered: RateOf('`reordered` of `orders_observed`. Null while there are none.'),
        },
        { description: 'The shares of customers who did so.' },
      ),
    }),
    { description: 'The control first, if the test has one, then the campaigns in the order of the test.' },
  ),
  comparisons: Type.Array(
    Shape('AbTestComparison', {
      arm: ArmId('The campaign that is compared.'),
      against: ArmId('What it is compared with: the control (null), or the first campaign.'),
      metric: Choice(comparedMetrics, {
        description:
          'Which rates are compared. Pages of one customer are clicked alike, so for `clicked` an arm has at most as much weight as it has customers.',
      }),
      difference: Nullable(
        Difference('The rate of `arm` less that of `against`. Null while one of them has none, or no customers.'),
      ),
      low: Difference(
        'The difference is between `low` and `high`, at 95 % for all comparisons of the test together, however often one looks.',
      ),
      high: Difference('See `low`.'),
      verdict: Choice(abTestVerdicts, {
        description: '`better` or `worse` once zero is outside of `low` and `high`, else `undecided`: keep it running.',
      }),
    }),
    {
      description:
        'How the arms differ: `reordered` of each campaign against the control (without one: against the first campaign), ' +
        '`clicked` of each campaign against the first. Campaigns with an allocation of 0 are compared with nothing.',
    },
  ),
  srm: Shape(
    'SampleRatio',
    {
      p_value: Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'How well the customers of the arms fit their allocations. Valid however often one looks.',
      }),
      ok: Type.Boolean({ description: 'False: the split is not the one that was planned, so nothing is decided.' }),
    },
    { description: 'Whether customers fall into the arms as the allocations say (sample ratio mismatch).' },
  ),
  decision: Choice(abTestVerdicts, {
    description: 'The verdict on `reordered` against the control; without a control that on `clicked`.',
  }),
  method: Type.String({
    description:
      'How `low`, `high` and `p_value` are computed, with its version. `beta-binomial-mixture/1`: `low` and `high` enclose ' +
      'all differences under which what was seen is less than 20 times (for each comparison of the test) as unlikely as on ' +
      'average over possible rates. By the inequality of Ville, the true difference leaves that range at any time in at most 5 of 100 tests. ' +
      '`p_value` compares customers and allocations in the same way.',
  }),
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
      'Creates an A/B test. While it runs, it decides what each customer of its segment sees: one of its campaigns, or ' +
      'nothing. A campaign does not need to be enabled, but its own period must include the current time. Customers outside ' +
      'the segment go on seeing its enabled campaigns, each in its own segment. The periods of two tests of a segment must not overlap or touch, unless one of the tests is completed.',
    body: AbTestCreate,
    response: AbTest,
    errors: ['campaign_not_found', 'campaign_type_invalid', 'a_b_test_overlap'],
  },
  listAbTests: {
    method: 'GET',
    path: testsPath,
    role: 'viewer',
    summary: 'List A/B tests',
    description: 'Returns the A/B tests of the shop, newest first.',
    query: AbTestFilters,
    response: Type.Array(AbTestInList),
  },
  getAbTest: {
    method: 'GET',
    path: testPath,
    role: 'superadmin',
    summary: 'Get an A/B test',
    description:
      'Returns one A/B test with the counts of each variant: how many orders of this test saw it on their tracking page ' +
      'and followed its link. Only SuperAdmin keys can call it.',
    params: testParams,
    response: CountedAbTest,
    errors: ['a_b_test_not_found'],
  },
  getAbTestResults: {
    method: 'GET',
    path: `${testPath}/results`,
    role: 'viewer',
    summary: 'Get the results of an A/B test',
    description:
      'Returns how the campaigns of a test did. The differences have a confidence sequence: they are valid at every look, ' +
      'so a test can be watched and ended at any time. Counts follow a change within a minute. The customers of a test that was ' +
      'made before results existed are not counted: it has no `orders`, and stays undecided.',
    params: testParams,
    response: AbTestResults,
    errors: ['a_b_test_not_found'],
  },
  endAbTest: {
    method: 'POST',
    path: `${testPath}/end-test`,
    role: 'editor',
    summary: 'End an A/B test',
    description:
      'Completes an A/B test. From now on, it gives no customer a variant. A test that is already completed does not change.',
    ifMatch: true,
    params: testParams,
    response: AbTest,
    errors: ['a_b_test_not_found'],
  },
});

export type AbTest = Static<typeof AbTest>;
export type AbTestCreate = Static<typeof AbTestCreate>;
export type AbTestStatus = (typeof abTestStatuses)[number];
export type AbTestResults = Static<typeof AbTestResults>;
export type AbTestVerdict = (typeof abTestVerdicts)[number];
export type ComparedMetric = (typeof comparedMetrics)[number];
