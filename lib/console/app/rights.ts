import { type ShopRole, shopRoles } from '#schemas/catalogues/enumerations.ts';

/** Everybody who is logged in may do these. */
const open: readonly string[] = ['open', 'session', 'key'];

/** Whether a role in a shop is enough for what an operation needs. What only the operator may do, no role of a shop may. */
export function isEnough(own: ShopRole | undefined, needed: string): boolean {
  if (open.includes(needed)) return true;
  const rank = shopRoles.indexOf(needed as ShopRole);
  return own !== undefined && rank !== -1 && shopRoles.indexOf(own) >= rank;
}
