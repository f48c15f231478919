import Type, { type Static, type TProperties } from 'typebox';
import {
  DateTime,
  Nothing,
  Nullable,
  paging,
  Shape,
  Text,
  translated,
  Untranslated,
  Url,
  Uuid,
} from '../shapes/shapes.ts';
import { Discount } from './discounts.ts';
import { declare, shopPath } from './operation.ts';

const Translation = Shape('DealTranslation', {
  language: Text(35, { description: 'The language tag of the texts, such as `de` or `de-AT`.' }),
  data: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: Text(2000),
    propertyNames: { minLength: 1, maxLength: 100 },
    maxProperties: 20,
    description: 'The translated texts, by the name of the field. Example: `{ "title": "…" }`.',
  }),
});

/** The fields of a deal that a caller may set, in addition to its discount. */
const details = {
  brand_image_url: Nullable(Url({ description: 'The address of the brand image.' })),
  brand_logo_url: Nullable(Url({ description: 'The address of the brand logo.' })),
  cta_url: Nullable(Url({ description: 'The page that opens when a customer clicks the deal.' })),
  title: Nullable(Text(500, { description: 'The title that customers see.' })),
  description: Nullable(Text(5000, { description: 'The text that customers see.' })),
} satisfies TProperties;

const Translations = Type.Array(Translation, {
  maxItems: 50,
  description: 'Texts in other languages. The header `Accept-Language` selects the texts in `title` and `description`.',
});

const Deal = Shape(
  'Deal',
  {
    uuid: Uuid(),
    shop_slug: Type.String(),
    shop_name: Nullable(Type.String()),
    discount_id: Uuid(),
    ...details,
    rank: Type.Integer({
      description: 'The position in the list of deals. New deals get the next number. An update can change it.',
    }),
    discount: Nullable(Discount),
    translations: Translations,
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  translated,
);

/** Also what a preview shows of a deal that is not saved yet. */
export const optionalDealFields = Type.Partial(Type.Object({ ...details, translations: Translations })).properties;

const DealCreate = Shape('DealCreate', {
  discount_id: Uuid({ description: 'The discount of the deal. It must belong to the shop.' }),
  ...optionalDealFields,
});
const DealUpdate = Shape(
  'DealUpdate',
  {
    discount_id: Type.Optional(Uuid()),
    ...optionalDealFields,
    rank: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'The position in the list of deals.' }),
    ),
  },
  { description: 'Fields that you leave out keep their values.' },
);

const dealsPath = `${shopPath}/deals` as const;
const dealPath = `${dealsPath}/{deal_id}` as const;
const dealParams = Type.Object({ deal_id: Uuid() });
const Pages = Type.Object({ ...paging });
const DealFilters = Type.Object({ ...paging, uuid: Type.Optional(Uuid()), untranslated: Untranslated });

export const deals = declare({
  listAllDeals: {
    method: 'GET',
    path: '/v1/deals',
    role: 'viewer',
    summary: 'List the deals of all shops',
    description: 'Returns the deals of all shops, newest first.',
    query: Pages,
    response: Type.Array(Deal),
    errors: ['payload_too_large'],
  },
  listDeals: {
    method: 'GET',
    path: dealsPath,
    role: 'viewer',
    summary: 'List the deals of a shop',
    description:
      'Returns the deals of one shop, lowest `rank` first. If two deals have the same rank, the older one comes first.',
    query: DealFilters,
    response: Type.Array(Deal),
    errors: ['payload_too_large'],
  },
  createDeal: {
    method: 'POST',
    path: dealsPath,
    role: 'editor',
    summary: 'Create a deal',
    description: 'Creates a deal from a discount of the shop. A shop can have up to 500 deals.',
    body: DealCreate,
    response: Deal,
    errors: ['discount_not_found'],
  },
  updateDeal: {
    method: 'PATCH',
    path: dealPath,
    role: 'editor',
    summary: 'Update a deal',
    description: 'Changes the given fields of a deal. Fields that you leave out keep their values.',
    ifMatch: true,
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
    description: 'Deletes a deal. Its discount stays.',
    ifMatch: true,
    params: dealParams,
    response: Nothing,
    errors: ['deal_not_found'],
  },
});

export type Deal = Static<typeof Deal>;
