import Type, { type Static, type TProperties } from 'typebox';
import { everybody } from '../catalogues/enumerations.ts';
import {
  Choice,
  DateTime,
  Defaulted,
  LanguageTag,
  Nothing,
  Nullable,
  paging,
  Shape,
  Text,
  TimeFrom,
  TimeTo,
  translated,
  Untranslated,
  Url,
  Uuid,
} from '../shapes/shapes.ts';
import { Discount } from './discounts.ts';
import { declare, shopPath } from './operation.ts';

export const promotionTypes = ['basic', 'product'] as const;
const campaignStatuses = ['active', 'scheduled', 'inactive', 'paused'] as const;

/** The reasons why the customer of an order sees, or does not see, a campaign or an A/B test. */
const promotionReasons = [
  'chosen',
  'other_segment',
  'disabled',
  'not_started',
  'ended',
  'product_recommendations_off',
  'in_ab_test',
  'segment_has_ab_test',
  'holdout',
  'variant_not_available',
  'lower_priority',
] as const;

const optional = <T extends TProperties>(fields: T) => Type.Partial(Type.Object(fields)).properties;

const Name = (options: object = {}) => Text(255, { minLength: 1, ...options });
export const Segment = (options: object = {}) =>
  Name({
    description: `A segment of customers, as in the \`segments\` of an order. \`${everybody}\` means every customer.`,
    ...options,
  });

const texts = {
  title: Nullable(Text(500, { description: 'The title that customers see.' })),
  subtitle: Nullable(Text(1000, { description: 'The text below the title.' })),
  cta_label: Nullable(Text(255, { description: 'The text on the button.' })),
} satisfies TProperties;

const Translations = Type.Array(
  Shape('CampaignTranslation', {
    language: Text(35, { minLength: 1 }),
    values: Shape('CampaignTexts', optional(texts)),
  }),
  {
    maxItems: 50,
    description:
      'Texts in other languages. The header `Accept-Language` selects the texts in `title`, `subtitle` and `cta_label`.',
  },
);

const productFields = {
  title: Text(500, { minLength: 1 }),
  image_url: Nullable(Url()),
  product_url: Nullable(Url()),
  price: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000_000_000,
      description: 'The price in `currency`, with up to four decimal places.',
    }),
  ),
  currency: Nullable(Type.String({ pattern: '^[A-Z]{3}$', description: 'The currency as an ISO 4217 code.' })),
  sku: Nullable(Text(255)),
  translations: Type.Array(
    Shape('CampaignProductTranslation', {
      language: Text(35, { minLength: 1 }),
      values: Shape('CampaignProductTexts', optional({ title: Nullable(Text(500)) })),
    }),
    { maxItems: 50 },
  ),
} satisfies TProperties;

const CampaignProduct = Shape('CampaignProduct', { uuid: Uuid(), ...productFields });
const CampaignProductCreate = Shape('CampaignProductCreate', {
  ...optional(productFields),
  title: productFields.title,
});
const CampaignProductUpdate = Shape('CampaignProductUpdate', {
  uuid: Type.Optional(Uuid({ description: 'The uuid of a product of the campaign. Without it, the product is new.' })),
  ...optional(productFields),
});

const details = {
  ...texts,
  cta_url: Nullable(Url({ description: 'The page that the button opens.' })),
  image_url: Nullable(Url({ description: 'The address of the image.' })),
  discount_code: Nullable(Text(255, { description: 'The promotion code that customers see.' })),
  translations: Translations,
} satisfies TProperties;

const Products = <T extends Parameters<typeof Type.Array>[0]>(product: T) =>
  Type.Array(product, {
    maxItems: 50,
    description: 'The products of a campaign of the type `product`. A campaign of the type `basic` has no products.',
  });

const PromotionProperties = Shape(
  'PromotionProperties',
  { ...details, products: Products(CampaignProduct) },
  translated,
);
const PromotionPropertiesCreate = Shape('PromotionPropertiesCreate', {
  ...optional(details),
  products: Type.Optional(Products(CampaignProductCreate)),
});
export const PromotionPropertiesUpdate = Shape('PromotionPropertiesUpdate', {
  ...optional(details),
  products: Type.Optional(Products(CampaignProductUpdate)),
});

export const Campaign = Shape('Campaign', {
  uuid: Uuid(),
  shop_slug: Type.String(),
  enabled: Type.Boolean({ description: 'Whether the campaign is enabled.' }),
  name: Type.String(),
  start_date: DateTime(),
  end_date: Nullable(DateTime({ description: 'Null: the campaign has no end.' })),
  segment: Type.String(),
  promotion_type: Choice(promotionTypes),
  status: Choice(campaignStatuses, {
    description:
      '`inactive`: the campaign has ended or is disabled. `paused`: a running A/B test decides who sees the campaign in ' +
      'the segment of the test, enabled or not; customers outside that segment see it as before. `scheduled`: the campaign ' +
      'is enabled and has not started yet. `active`: the campaign is enabled and running.',
  }),
  promotion_properties: PromotionProperties,
  discount_id: Nullable(Uuid()),
  discount: Nullable(Discount),
  created_at: DateTime(),
  updated_at: DateTime(),
});

export const PromotionCounts = Shape('PromotionCounts', {
  shown: Type.Integer({ description: 'How many orders saw the campaign on their tracking page.' }),
  clicked: Type.Integer({ description: 'How many orders followed its link.' }),
});

const CampaignInList = Shape('CampaignInList', {
  ...Campaign.properties,
  counts: Type.Optional(PromotionCounts),
});

const CountedCampaign = Shape('CountedCampaign', { ...Campaign.properties, counts: PromotionCounts });

const CampaignCreate = Shape('CampaignCreate', {
  name: Name({ description: 'The name of the campaign. Unique in the shop.' }),
  segment: Segment(),
  promotion_type: Choice(promotionTypes),
  promotion_properties: PromotionPropertiesCreate,
  enabled: Defaulted(Type.Boolean({ description: 'Whether the campaign is enabled.' }), false),
  start_date: Type.Optional(
    Nullable(DateTime({ description: 'When the campaign starts. Default: the current time.' })),
  ),
  end_date: Type.Optional(
    Nullable(DateTime({ description: 'When the campaign ends. Default: the campaign has no end.' })),
  ),
  discount_id: Type.Optional(Nullable(Uuid({ description: 'The discount that the campaign shows.' }))),
});

const CampaignUpdate = Shape(
  'CampaignUpdate',
  {
    name: Type.Optional(Name()),
    segment: Type.Optional(Segment()),
    promotion_type: Type.Optional(Choice(promotionTypes)),
    promotion_properties: Type.Optional(PromotionPropertiesUpdate),
    enabled: Type.Optional(Type.Boolean()),
    start_date: Type.Optional(DateTime()),
    end_date: Type.Optional(Nullable(DateTime())),
    discount_id: Type.Optional(Nullable(Uuid())),
  },
  {
    description:
      'Fields that you leave out keep their values, also within `promotion_properties`. A list in `promotion_properties` ' +
      'replaces the whole old list. A product with the uuid of an existing product keeps the fields that you leave out.',
  },
);

const CampaignFilters = Type.Object({
  ...paging,
  uuid: Type.Optional(Uuid()),
  name: Type.Optional(Name({ description: 'The complete name of the campaign.' })),
  segment: Type.Optional(Segment()),
  promotion_type: Type.Optional(Choice(promotionTypes)),
  enabled: Type.Optional(Type.Boolean()),
  status: Type.Optional(
    Choice(campaignStatuses, { description: 'The status of the campaign at the time of the request.' }),
  ),
  start_date: Type.Optional(TimeFrom('Only campaigns that start at this time or later.')),
  end_date: Type.Optional(TimeTo('Only campaigns that end at this time or earlier.')),
  counts: Type.Optional(
    Type.Boolean({ description: 'Whether to return the `counts` of each campaign. Default: false.' }),
  ),
});

const Considered = Shape('ConsideredPromotion', {
  kind: Choice(['campaign', 'ab_test']),
  uuid: Uuid(),
  name: Type.String(),
  segment: Type.String(),
  chosen: Type.Boolean({
    description: 'Whether the customer sees it. For an A/B test: whether it chose what they see.',
  }),
  reason: Choice(promotionReasons, { description: 'Why it was chosen or not.' }),
  message: Type.String({ description: 'The reason as a sentence.' }),
});

const Assigned = Shape('PromotionAssignment', {
  ab_test_id: Uuid(),
  campaign_id: Nullable(
    Uuid({ description: 'The campaign that the test gives the customer. Null if the customer is in the holdout.' }),
  ),
  holdout: Type.Boolean({ description: 'Whether the customer is in the holdout and sees nothing.' }),
});

const Promotion = Shape('OrderPromotion', {
  promotion: Nullable(Campaign),
  language: LanguageTag({ description: 'The requested language of the texts.' }),
  ab_test: Nullable(Assigned),
  explanation: Type.Optional(
    Type.Array(Considered, { description: 'The considered campaigns and A/B tests. Only with `explain=true`.' }),
  ),
});

const campaignsPath = `${shopPath}/campaigns` as const;
const campaignPath = `${campaignsPath}/{uuid}` as const;
const campaignParams = Type.Object({ uuid: Uuid() });

const oneAtATime =
  'A segment can have only one enabled campaign at a time: the periods of its enabled campaigns must not overlap. One may ' +
  'start at the moment when another ends. This also holds while an A/B test runs. Because of this rule, only one variant of ' +
  'a segment can be enabled. The test shows all its variants in its segment while it runs, and the enabled variant ' +
  'continues when the test has ended.';

export const campaigns = declare({
  createCampaign: {
    method: 'POST',
    path: campaignsPath,
    role: 'editor',
    summary: 'Create a campaign',
    description: `Creates a campaign. ${oneAtATime}`,
    body: CampaignCreate,
    response: Campaign,
    errors: [
      'campaign_type_invalid',
      'campaign_exists',
      'campaign_active_segment_exists',
      'discount_not_found',
      'payload_too_large',
    ],
  },
  searchCampaigns: {
    method: 'GET',
    path: campaignsPath,
    role: 'viewer',
    summary: 'Search campaigns',
    description: 'Returns the campaigns that match all given filters, newest first.',
    query: CampaignFilters,
    response: Type.Array(CampaignInList),
  },
  getCampaign: {
    method: 'GET',
    path: campaignPath,
    role: 'viewer',
    summary: 'Get a campaign',
    description:
      'Returns one campaign with its counts: how many orders saw it on their tracking page and followed its link, each ' +
      'order once.',
    params: campaignParams,
    query: Type.Object({ untranslated: Untranslated }),
    response: CountedCampaign,
    errors: ['campaign_not_found'],
  },
  updateCampaign: {
    method: 'PUT',
    path: campaignPath,
    role: 'editor',
    summary: 'Update a campaign',
    description: `Changes the given fields of a campaign. ${oneAtATime} You cannot change the type of a campaign while it belongs to an A/B test that is not completed.`,
    ifMatch: true,
    params: campaignParams,
    body: CampaignUpdate,
    response: Campaign,
    errors: [
      'campaign_not_found',
      'campaign_product_not_found',
      'campaign_type_invalid',
      'campaign_exists',
      'campaign_active_segment_exists',
      'discount_not_found',
      'payload_too_large',
    ],
  },
  deleteCampaign: {
    method: 'DELETE',
    path: campaignPath,
    role: 'editor',
    summary: 'Delete a campaign',
    description:
      'Deletes a campaign. If it belongs to an A/B test, the test continues, and the customers of this variant see nothing.',
    ifMatch: true,
    params: campaignParams,
    response: Nothing,
    errors: ['campaign_not_found'],
  },
  getPromotion: {
    method: 'GET',
    path: `${shopPath}/orders/{order_id}/promotion`,
    role: 'viewer',
    summary: 'Get the promotion for an order',
    description:
      'Returns the promotion to show to the customer of an order now. The service considers the segments of the order and ' +
      `\`${everybody}\`. In a segment with a running A/B test, the test alone decides about the active campaign and about its ` +
      'variants, enabled or not; outside that segment its variants are shown as if there were no test. The test gives each ' +
      'customer one variant, or nothing in its holdout, and always gives the same customer the same one. A segment of the ' +
      `order has priority over \`${everybody}\`. Among several, the one that started last has priority. A customer in a ` +
      'holdout sees no other promotion instead. While `product_recommendations_enabled` in `settings/campaigns` is false, ' +
      'campaigns and A/B tests of the type `product` are left out. The service identifies a customer by `external_customer_id`, or by e-mail ' +
      'address, or by the order. With `explain=true`, the response lists what was considered and why each was chosen or ' +
      'not, including up to 100 of the newest campaigns of the shop.',
    params: Type.Object({ order_id: Uuid() }),
    query: Type.Object({
      explain: Defaulted(Type.Boolean({ description: 'Whether to explain the choice in `explanation`.' }), false),
    }),
    response: Promotion,
    errors: ['order_not_found'],
  },
});

export type Campaign = Static<typeof Campaign>;
export type CampaignCreate = Static<typeof CampaignCreate>;
export type CampaignUpdate = Static<typeof CampaignUpdate>;
export type CampaignFilters = Static<typeof CampaignFilters>;
export type CampaignStatus = (typeof campaignStatuses)[number];
export type PromotionProperties = Static<typeof PromotionProperties>;
export type CampaignProduct = Static<typeof CampaignProduct>;
export type Considered = Static<typeof Considered>;
export type PromotionReason = (typeof promotionReasons)[number];
export type OrderPromotion = Static<typeof Promotion>;
