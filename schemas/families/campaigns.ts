import Type, { type Static, type TProperties } from 'typebox';
import { everybody } from '../catalogues/enumerations.ts';
import { Choice, DateTime, LanguageTag, Nothing, Nullable, paging, Shape, Text, Url, Uuid } from '../shapes/shapes.ts';
import { Discount } from './discounts.ts';
import { declare, shopPath } from './operation.ts';

export const promotionTypes = ['basic', 'product'] as const;
export const campaignStatuses = ['active', 'scheduled', 'inactive', 'paused'] as const;

/** Why a campaign or an A/B test is what an order's customer sees, or is not. */
export const promotionReasons = [
  'chosen',
  'other_segment',
  'disabled',
  'not_started',
  'ended',
  'in_ab_test',
  'segment_has_ab_test',
  'holdout',
  'variant_not_available',
  'lower_priority',
] as const;

const optional = <T extends TProperties>(fields: T) => Type.Partial(Type.Object(fields)).properties;

const Name = (options: object = {}) => Text(255, { minLength: 1, ...options });
export const Segment = (options: object = {}) =>
  Name({ description: `A segment of customers, as orders name it; \`${everybody}\` is every customer.`, ...options });

const texts = {
  title: Nullable(Text(500)),
  subtitle: Nullable(Text(1000)),
  cta_label: Nullable(Text(255)),
} satisfies TProperties;

const Translations = Type.Array(
  Shape('CampaignTranslation', {
    language: Text(35, { minLength: 1 }),
    values: Shape('CampaignTexts', optional(texts)),
  }),
  { maxItems: 50, description: 'Texts by language: `Accept-Language` picks what title, subtitle and cta_label show.' },
);

const productFields = {
  title: Text(500, { minLength: 1 }),
  image_url: Nullable(Url()),
  product_url: Nullable(Url()),
  price: Nullable(Type.Number({ minimum: 0, maximum: 1_000_000_000_000, description: 'To four decimals.' })),
  currency: Nullable(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' })),
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
  uuid: Type.Optional(Uuid({ description: 'A product of the campaign; without one the product is new.' })),
  ...optional(productFields),
});

const details = {
  ...texts,
  cta_url: Nullable(Url()),
  image_url: Nullable(Url()),
  discount_code: Nullable(Text(255)),
  translations: Translations,
} satisfies TProperties;

const Products = <T extends Parameters<typeof Type.Array>[0]>(product: T) =>
  Type.Array(product, { maxItems: 50, description: 'Of a `product` campaign; a `basic` one has none.' });

const PromotionProperties = Shape('PromotionProperties', { ...details, products: Products(CampaignProduct) });
const PromotionPropertiesCreate = Shape('PromotionPropertiesCreate', {
  ...optional(details),
  products: Type.Optional(Products(CampaignProductCreate)),
});
const PromotionPropertiesUpdate = Shape('PromotionPropertiesUpdate', {
  ...optional(details),
  products: Type.Optional(Products(CampaignProductUpdate)),
});

export const Campaign = Shape('Campaign', {
  uuid: Uuid(),
  shop_slug: Type.String(),
  enabled: Type.Boolean(),
  name: Type.String(),
  start_date: DateTime(),
  end_date: Nullable(DateTime()),
  segment: Type.String(),
  promotion_type: Choice(promotionTypes),
  status: Choice(campaignStatuses, {
    description:
      'Past its end: `inactive`. In a running A/B test: `paused`, because the test decides who sees it. Else disabled: ' +
      '`inactive`; before its start: `scheduled`; in its window: `active`.',
  }),
  promotion_properties: PromotionProperties,
  discount_id: Nullable(Uuid()),
  discount: Nullable(Discount),
  created_at: DateTime(),
  updated_at: DateTime(),
});

const CampaignCreate = Shape('CampaignCreate', {
  name: Name({ description: 'Unique in the shop.' }),
  segment: Segment(),
  promotion_type: Choice(promotionTypes),
  promotion_properties: PromotionPropertiesCreate,
  enabled: Type.Boolean({ default: false }),
  start_date: Type.Optional(Nullable(DateTime({ description: 'Now, if absent.' }))),
  end_date: Type.Optional(Nullable(DateTime({ description: 'The moment from which it is over; none, if absent.' }))),
  discount_id: Type.Optional(Nullable(Uuid())),
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
      'What is absent stays as it is, also within promotion_properties; the lists there are replaced as a whole, and a ' +
      'product with the uuid of one of the campaign keeps what is absent.',
  },
);

const CampaignFilters = Type.Object({
  ...paging,
  uuid: Type.Optional(Uuid()),
  name: Type.Optional(Name({ description: 'The whole name.' })),
  segment: Type.Optional(Segment()),
  promotion_type: Type.Optional(Choice(promotionTypes)),
  enabled: Type.Optional(Type.Boolean()),
  start_date: Type.Optional(DateTime({ description: 'Those that start at this time or later.' })),
  end_date: Type.Optional(DateTime({ description: 'Those that end at this time or before.' })),
});

const Considered = Shape('ConsideredPromotion', {
  kind: Choice(['campaign', 'ab_test']),
  uuid: Uuid(),
  name: Type.String(),
  segment: Type.String(),
  chosen: Type.Boolean(),
  reason: Choice(promotionReasons),
  message: Type.String({ description: 'The reason as a sentence.' }),
});

const Assigned = Shape('PromotionAssignment', {
  ab_test_id: Uuid(),
  campaign_id: Nullable(Uuid({ description: 'The variant of the customer; null in the holdout.' })),
  holdout: Type.Boolean(),
});

const Promotion = Shape('OrderPromotion', {
  promotion: Nullable(Campaign),
  language: LanguageTag({ description: 'What the texts were asked for in.' }),
  ab_test: Nullable(Assigned),
  explanation: Type.Optional(Type.Array(Considered, { description: 'With `explain` only.' })),
});

const campaignsPath = `${shopPath}/campaigns` as const;
const campaignPath = `${campaignsPath}/{uuid}` as const;
const campaignParams = Type.Object({ uuid: Uuid() });

const oneAtATime =
  'Of the enabled campaigns of a segment only one may run at a time: windows may meet, but not overlap. The variants of ' +
  'an A/B test share a segment, so all but one of them stay disabled: while the test runs, it shows them, and the ' +
  'enabled one goes on when the test has ended.';

export const campaigns = declare({
  createCampaign: {
    method: 'POST',
    path: campaignsPath,
    role: 'editor',
    summary: 'Create a campaign',
    description: oneAtATime,
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
    description: 'Newest first. Filters must all match.',
    query: CampaignFilters,
    response: Type.Array(Campaign),
  },
  getCampaign: {
    method: 'GET',
    path: campaignPath,
    role: 'viewer',
    summary: 'Get a campaign',
    params: campaignParams,
    response: Campaign,
    errors: ['campaign_not_found'],
  },
  updateCampaign: {
    method: 'PUT',
    path: campaignPath,
    role: 'editor',
    summary: 'Update a campaign',
    description: `${oneAtATime} A campaign keeps its type as long as it belongs to an A/B test that is not completed.`,
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
    description: 'An A/B test that it belongs to goes on; its customers then see nothing.',
    params: campaignParams,
    response: Nothing,
    errors: ['campaign_not_found'],
  },
  getPromotion: {
    method: 'GET',
    path: `${shopPath}/orders/{order_id}/promotion`,
    role: 'viewer',
    summary: 'The promotion to show for an order now',
    description:
      `Looks at the segments of the order, and at \`${everybody}\`. In each, a running A/B test stands in for the ` +
      'campaign that is active: it gives each customer a variant, or nothing in its holdout, and always the same one. ' +
      `A segment of the order comes before \`${everybody}\`, then what started last; nothing takes the place of a ` +
      'holdout. A customer is known by external_customer_id, else by e-mail address, else by the order. `explain` lists ' +
      'what was considered, with up to 100 of the newest campaigns of the shop, and why each was chosen or not.',
    params: Type.Object({ order_id: Uuid() }),
    query: Type.Object({ explain: Type.Boolean({ default: false }) }),
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
