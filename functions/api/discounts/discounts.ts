import { type DiscountFields, discountRecords, toDiscount } from '#domain/promotions/discount.ts';
import { roundToFourDecimals } from '#domain/promotions/money.ts';
import type { Implementation } from '#platform/http/request.ts';
import { equalsOf } from '#platform/table/record.ts';
import type { discounts } from '#schemas/families/discounts.ts';

const emptyFields = {
  code: null,
  target_selection: null,
  target_type: null,
  title: null,
  value_type: null,
  value: null,
} satisfies Omit<DiscountFields, 'type'>;

export const createDiscount: Implementation<typeof discounts.createDiscount> = async ({ shop, body, now }) => {
  await discountRecords.create(shop.slug, now, () => ({ fields: mergedFields(emptyFields, body) }));
  return null;
};

export const searchDiscounts: Implementation<typeof discounts.searchDiscounts> = async (request) => {
  const found = await discountRecords.page(request, equalsOf(request.query));
  return found.map(toDiscount);
};

export const updateDiscount: Implementation<typeof discounts.updateDiscount> = async (request) => {
  const { shop, params, body } = request;
  await discountRecords.change(shop.slug, params.uuid, request, (before) => ({ fields: mergedFields(before, body) }));
  return null;
};

export const deleteDiscount: Implementation<typeof discounts.deleteDiscount> = async (request) => {
  await discountRecords.remove(request.shop.slug, request.params.uuid, request);
  return null;
};

function mergedFields<B extends { value: number | null }, G extends { value?: number | null }>(before: B, changes: G) {
  const { value = before.value } = changes;
  return { ...before, ...changes, value: roundToFourDecimals(value) };
}
