import Type, { type Static, type TProperties } from 'typebox';
import { Nothing, Nullable, paging, Shape, Text, Url, Uuid } from '../shapes/shapes.ts';
import { Discount } from './discounts.ts';
import { declare, shopPath } from './operation.ts';

const Translation = Shape('DealTranslation', {
  language: Text(35),
  data: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: Text(2000),
    propertyNames: { minLength: 1, maxLength: 100 },
    maxProperties: 20,
  }),
});

/** What a caller may say of a deal, beside its discount. */
const details = {
  brand_image_url: Nullable(Url()),
  brand_logo_url: Nullable(Url()),
  cta_url: Nullable(Url()),
  title: Nullable(Text(500)),
  description: Nullable(Text(5000)),
} satisfies TProperties;

const Translations = Type.Array(Translation, {
  maxItems: 50,
  description: 'Texts by language: `Accept-Language` picks what `title` and `description` show.',
});

const Deal = Shape('Deal', {
  uuid: Uuid(),
  shop_slug: Type.String(),
  shop_name: Nullable(Type.String()),
  discount_id: Uuid(),
  ...details,
  rank: Type.Integer({ description: 'Counts up in the order of creation, until it is set.' }),
  discount: Nullable(Discount),
  translations: Translations,
});

const optional = Type.Partial(Type.Object({ ...details, translations: Translations })).properties;

const DealCreate = Shape('DealCreate', { discount_id: Uuid(), ...optional });
const DealUpdate = Shape(
  'DealUpdate',
  {
    discount_id: Type.Optional(Uuid()),
    ...optional,
    rank: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  },
  { description: 'What is absent stays as it is.' },
);

const dealsPath = `${shopPath}/deals` as const;
const dealPath = `${dealsPath}/{deal_id}` as const;
const dealParams = Type.Object({ deal_id: Uuid() });
const Pages = Type.Object({ ...paging });

export const deals = declare({
  listAllDeals: {
    method: 'GET',
    path: '/v1/deals',
    role: 'viewer',
    summary: 'List the deals of all shops',
    description: 'Newest first.',
    query: Pages,
    response: Type.Array(Deal),
  },
  listDeals: {
    method: 'GET',
    path: dealsPath,
    role: 'viewer',
    summary: 'List the deals of a shop',
    description: 'By rank; of equal rank the older one first.',
    query: Pages,
    response: Type.Array(Deal),
  },
  createDeal: {
    method: 'POST',
    path: dealsPath,
    role: 'editor',
    summary: 'Create a deal',
    description: 'A shop has 500 deals at most.',
    body: DealCreate,
    response: Deal,
    errors: ['discount_not_found'],
  },
  updateDeal: {
    method: 'PATCH',
    path: dealPath,
    role: 'editor',
    summary: 'Update a deal',
    params: dealParams,
    body: DealUpdate,
    response: Deal,
    errors: ['deal_not_found', 'discount_not_found'],
  },
  deleteDeal: {
    method: 'DELETE',
    path: dealPath,
    role: 'editor',
    summary: 'Delete a deal',
    params: dealParams,
    response: Nothing,
    errors: ['deal_not_found'],
  },
});

export type Deal = Static<typeof Deal>;
export type DealCreate = Static<typeof DealCreate>;
export type DealUpdate = Static<typeof DealUpdate>;
