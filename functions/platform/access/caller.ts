import { type ShopRole, shopRoles } from '#schemas/catalogues/enumerations.ts';
import type { KeyRole } from '#schemas/families/operation.ts';

/** Whose API key a request came with. */
export interface Caller {
  username: string;
  tokenId: string;
  superAdmin: boolean;
  shops: { shop_slug: string; role: ShopRole }[];
}

/** Whether the caller may do what needs `role`, in the shop `slug` if the operation is about one. */
export function isAllowed(caller: Caller, role: KeyRole, slug: string | undefined): boolean {
  if (caller.superAdmin) return true;
  if (role === 'superadmin') return false;
  const needed = shopRoles.indexOf(role);
  return caller.shops.some(
    (shop) => (slug === undefined || shop.shop_slug === slug) && shopRoles.indexOf(shop.role) >= needed,
  );
}
