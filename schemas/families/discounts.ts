import Type, { type Static, type TProperties } from 'typebox';
import { Choice, DateTime, Nothing, Nullable, paging, Shape, Text, Uuid } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const targetSelections = ['all', 'group', 'specific'] as const;
const targetTypes = ['line_item', 'shipping_line'] as const;
const valueTypes = ['percentage', 'fixed_amount'] as const;
const discountTypes = ['product', 'order', 'shipping'] as const;

/** Negative values are allowed, because some shop systems write a discount with a minus sign. */
const Value = Type.Number({
  minimum: -1_000_000_000_000,
  maximum: 1_000_000_000_000,
  description: 'A percentage, or an amount in the currency of the shop, with up to four decimal places.',
});

/** The fields that an update can change. */
const changeable = {
  code: Nullable(Text(255, { description: 'The promotion code. Unique in the shop.' })),
  target_selection: Nullable(
    Choice(targetSelections, { description: 'Whether the discount applies to all, a group of, or specific targets.' }),
  ),
  target_type: Nullable(
    Choice(targetTypes, { description: 'Whether the discount applies to products or to shipping.' }),
  ),
  title: Nullable(Text(500, { description: 'The name that customers see.' })),
  value_type: Nullable(Choice(valueTypes, { description: 'Whether `value` is a percentage or a fixed amount.' })),
  value: Nullable(Value),
} satisfies TProperties;

const optional = Type.Partial(Type.Object(changeable)).properties;

/** Deals and campaigns contain it too. */
export const Discount = Shape('Discount', {
  uuid: Uuid(),
  shop_slug: Type.String(),
  ...changeable,
  type: Choice(discountTypes, { description: 'What the discount is for.' }),
  created_at: DateTime(),
  updated_at: DateTime(),
});

const DiscountCreate = Shape('DiscountCreate', {
  ...optional,
  type: Choice(discountTypes, { description: 'What the discount is for. You cannot change it later.' }),
});
const DiscountUpdate = Shape('DiscountUpdate', optional, {
  description: 'Fields that you leave out keep their values.',
});

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
    description: 'Creates a discount. Use it in deals and campaigns.',
    body: DiscountCreate,
    response: Nothing,
    errors: ['discount_exists'],
  },
  searchDiscounts: {
    method: 'GET',
    path: discountsPath,
    role: 'viewer',
    summary: 'Search discounts',
    description: 'Returns the discounts that match all given filters, newest first.',
    query: DiscountFilters,
    response: Type.Array(Discount),
  },
  updateDiscount: {
    method: 'PATCH',
    path: discountPath,
    role: 'editor',
    summary: 'Update a discount',
    description: 'Changes the given fields of a discount. You cannot change its `type`.',
    ifMatch: true,
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
    description: 'Deletes a discount. Deals and campaigns that show it continue without it.',
    ifMatch: true,
    params: discountParams,
    response: Nothing,
    errors: ['discount_not_found'],
  },
});

export type Discount = Static<typeof Discount>;
