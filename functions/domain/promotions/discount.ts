import { storefrontChanged } from '#domain/settings/storefront-version.ts';
import { tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { Recorded } from '#platform/table/record.ts';
import { records, toRecord } from '#platform/table/records.ts';
import type { Action } from '#platform/table/writes.ts';
import type { Discount } from '#schemas/families/discounts.ts';

export type DiscountFields = Omit<Discount, 'uuid' | 'shop_slug' | 'created_at' | 'updated_at'>;

export const discountRecords = records<DiscountFields>({
  name: 'discounts',
  notFound: 'discount_not_found',
  alsoOnChange: storefrontChanged,
  unique: [{ name: 'code', of: ({ code }) => code, taken: 'discount_exists' }],
});

export function toDiscount(record: Recorded<DiscountFields>): Discount {
  const { uuid, shop_slug, code, target_selection, target_type, title, value_type, value, type } = record;
  const { created_at, updated_at } = record;
  return {
    ...{ uuid, shop_slug, code, target_selection, target_type, title, value_type, value, type },
    ...{ created_at, updated_at },
  };
}

/** A condition for a record that refers to a discount: the discount must exist in the same transaction. */
export function discountExists(slug: string, uuid: string): Action {
  const Key = keyOf.record('discounts', slug, uuid);
  const ConditionCheck = { TableName: tableName(), Key, ConditionExpression: 'attribute_exists(pk)' };
  return { ConditionCheck, refusal: 'discount_not_found' };
}

interface Reference {
  shop_slug: string;
  discount_id: string | null;
}

/** The discounts that the records refer to, by uuid. Deleted discounts are missing. */
export async function discountsNamed(references: readonly Reference[]): Promise<Map<string, Discount>> {
  const named = references.flatMap(({ shop_slug, discount_id }) => (discount_id ? [[shop_slug, discount_id]] : []));
  const keys = new Map(named.map(([slug, uuid]) => [uuid, keyOf.record('discounts', slug!, uuid!)]));
  const found = (await batchGet([...keys.values()])).filter((item) => item !== undefined);
  return new Map(found.map((item) => toDiscount(toRecord(item))).map((discount) => [discount.uuid, discount]));
}
