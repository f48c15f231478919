import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { type ShopRole, shopRoles } from '#schemas/catalogues/enumerations.ts';
import type { KeyRole } from '#schemas/families/operation.ts';
import type { Shop } from '#schemas/families/shops.ts';
import type { ApiKeyItem } from './api-key.ts';

/** The owner of the API key of a request. */
export interface Caller {
  username: string;
  tokenId: string;
  superAdmin: boolean;
  shops: { shop_slug: string; role: ShopRole }[];
}

/** Whether the caller has the needed `role`, in the shop `slug` if the operation has one. */
export function isAllowed(caller: Caller, role: KeyRole, slug: string | undefined): boolean {
  if (caller.superAdmin) return true;
  if (role === 'superadmin') return false;
  const needed = shopRoles.indexOf(role);
  return caller.shops.some(
    (shop) => (slug === undefined || shop.shop_slug === slug) && shopRoles.indexOf(shop.role) >= needed,
  );
}

export interface Access {
  key: ApiKeyItem | undefined;
  shop: ShopItem | undefined;
}

/**
 * Reads the caller's key and the shop of the path in one request. The read is consistent, so a key works as soon as it
 * is created and fails as soon as it is deleted.
 */
export async function readAccess(username: string, tokenId: string, slug: string | undefined): Promise<Access> {
  const keys = [keyOf.apiKey(username, tokenId), ...(slug === undefined ? [] : [keyOf.shop(slug)])];
  const [key, shop] = await batchGet(keys);
  return { key: key as ApiKeyItem | undefined, shop: shop as ShopItem | undefined };
}

/** A shop as it is stored: the fields of a response, and internal fields. */
export interface ShopItem extends Shop {
  contact_email?: string | null;
  shop_admin_url?: string | null;
  shop_url?: string | null;
  logo_url?: string | null;
}
