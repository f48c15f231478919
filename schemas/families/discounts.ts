import Type, { type Static, type TProperties } from 'typebox';
import { Choice, Nothing, Nullable, paging, Shape, Text, Uuid } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const targetSelections = ['all', 'group', 'specific'] as const;
const targetTypes = ['line_item', 'shipping_line'] as const;
const valueTypes = ['percentage', 'fixed_amount'] as const;
const discountTypes = ['product', 'order', 'shipping'] as const;

/** Some shop systems write what is taken off with a minus. */
const Value = Type.Number({
  minimum: -1_000_000_000_000,
  maximum: 1_000_000_000_000,
  description: 'Percent, or an amount in the currency of the shop; to four decimals.',
});

/** What can be updated. */
const changeable = {
  code: Nullable(Text(255, { description: 'The promotion code; unique in the shop.' })),
  target_selection: Nullable(Choice(targetSelections)),
  target_type: Nullable(Choice(targetTypes)),
  title: Nullable(Text(500, { description: 'The name that customers see.' })),
  value_type: Nullable(Choice(valueTypes)),
  value: Nullable(Value),
} satisfies TProperties;

const optional = Type.Partial(Type.Object(changeable)).properties;

/** Also part of deals and campaigns. */
export const Discount = Shape('Discount', {
  uuid: Uuid(),
  shop_slug: Type.String(),
  ...changeable,
  type: Choice(discountTypes),
});

const DiscountCreate = Shape('DiscountCreate', { ...optional, type: Choice(discountTypes) });
const DiscountUpdate = Shape('DiscountUpdate', optional, { description: 'What is absent stays as it is.' });

const DiscountFilters = Type.Object({
  ...paging,
  uuid: Type.Optional(Uuid()),
  code: Type.Optional(Text(255)),
  target_selection: Type.Optional(Choice(targetSelections)),
  target_type: Type.Optional(Choice(targetTypes)),
  title: Type.Optional(Text(500)),
  value_type: Type.Optional(Choice(valueTypes)),
  value: Type.Optional(Type.Number()),
  type: Type.Optional(Choice(discountTypes)),
});

const discountsPath = `${shopPath}/discounts` as const;
const discountPath = `${discountsPath}/{uuid}` as const;
const discountParams = Type.Object({ uuid: Uuid() });

export const discounts = declare({
  createDiscount: {
    method: 'POST',
    path: discountsPath,
    role: 'editor',
    summary: 'Create a discount',
    body: DiscountCreate,
    response: Nothing,
    errors: ['discount_exists'],
  },
  searchDiscounts: {
    method: 'GET',
    path: discountsPath,
    role: 'viewer',
    summary: 'Search discounts',
    description: 'Newest first. Filters must all match.',
    query: DiscountFilters,
    response: Type.Array(Discount),
  },
  updateDiscount: {
    method: 'PATCH',
    path: discountPath,
    role: 'editor',
    summary: 'Update a discount',
    params: discountParams,
    body: DiscountUpdate,
    response: Nothing,
    errors: ['discount_not_found', 'discount_exists'],
  },
  deleteDiscount: {
    method: 'DELETE',
    path: discountPath,
    role: 'editor',
    summary: 'Delete a discount',
    description: 'Deals and campaigns that show it go on without it.',
    params: discountParams,
    response: Nothing,
    errors: ['discount_not_found'],
  },
});

export type Discount = Static<typeof Discount>;
export type DiscountCreate = Static<typeof DiscountCreate>;
export type DiscountUpdate = Static<typeof DiscountUpdate>;
