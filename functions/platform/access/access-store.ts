import { batchGet } from '#platform/table/batch-get.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { ApiKeyItem } from './api-key-item.ts';
import type { ShopItem } from './shop-item.ts';

export interface Access {
  key: ApiKeyItem | undefined;
  shop: ShopItem | undefined;
}

/**
 * The caller's key and the shop of the path in one read. Consistent, so that a key works as soon as it is created and
 * fails as soon as it is deleted.
 */
export async function readAccess(username: string, tokenId: string, slug: string | undefined): Promise<Access> {
  const keys = [keyOf.apiKey(username, tokenId), ...(slug === undefined ? [] : [keyOf.shop(slug)])];
  const [key, shop] = await batchGet(keys);
  return { key: key as ApiKeyItem | undefined, shop: shop as ShopItem | undefined };
}
