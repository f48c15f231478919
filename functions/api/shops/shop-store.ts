import { unlessRemoved } from '#domain/privacy/shop-removal.ts';
import { storefrontChanged } from '#domain/settings/storefront-version.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { indexKeyOf, keyOf, partitionOf } from '#platform/table/keys.ts';
import { newestOfAllShops } from '#platform/table/newest-first.ts';
import { batchGet, itemsIn, queryAll } from '#platform/table/reads.ts';
import { commit, insert, put, setAttributes, update } from '#platform/table/writes.ts';

/** Stores the shop and its first settings. Throws `shop_exists` if the slug is taken. */
export function insertShop(shop: ShopItem, settings: object): Promise<void> {
  const item = { ...keyOf.shop(shop.slug), ...indexKeyOf.shops(shop.uuid), ...shop };
  return commit([
    { ...insert(item), refusal: 'shop_exists' },
    put({ ...keyOf.settings(shop.slug), ...settings }),
    unlessRemoved(shop.slug),
  ]);
}

/**
 * Sets only these fields, so that parallel updates of different fields do not overwrite each other.
 * @param unchangedSince Throws WriteConflict if the shop was changed after this `updated_at`, or is gone
 */
export function updateShopFields(
  slug: string,
  changes: Record<string, unknown>,
  unchangedSince: string,
): Promise<void> {
  const { ExpressionAttributeValues: values, ...set } = setAttributes(changes);
  const change = {
    ...set,
    ConditionExpression: 'updated_at = :known',
    ExpressionAttributeValues: { ...values, ':known': unchangedSince },
  };
  return commit([update(keyOf.shop(slug), change), storefrontChanged(slug)]);
}

export async function getShops(slugs: readonly string[]): Promise<ShopItem[]> {
  const items = await batchGet(slugs.map(keyOf.shop));
  return items.filter((item) => item !== undefined) as unknown as ShopItem[];
}

/** The shops that match, newest first. Without `matches` all of them do. */
export const shopReader = (matches?: (shop: ShopItem) => boolean) =>
  newestOfAllShops(partitionOf.shops(), {
    toEntry: (item) => {
      const shop = item as unknown as ShopItem;
      return !matches || matches(shop) ? shop : undefined;
    },
    filtered: matches !== undefined,
  });

export async function shopWithUuid(uuid: string): Promise<ShopItem[]> {
  return queryAll<ShopItem>(itemsIn(partitionOf.shops(), { index: 'lists', from: uuid, to: uuid }));
}
