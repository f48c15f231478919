import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { type ShopRole, shopRoles } from '#schemas/catalogues/enumerations.ts';
import type { KeyRole } from '#schemas/families/operation.ts';
import type { Shop } from '#schemas/families/shops.ts';
import type { ApiKeyItem } from './api-key.ts';
import type { SessionItem } from './session.ts';

/** The owner of the API key of a request. */
export interface Caller {
  username: string;
  tokenId: string;
  /** What histories call the key. */
  keyLabel: string;
  superAdmin: boolean;
  shops: { shop_slug: string; role: ShopRole }[];
  /** Of the key, in Unix seconds. 0: never. */
  expiration: number;
  /** Set if the request came with the cookie of a session. */
  session?: CallersSession;
}

export interface CallersSession extends SessionItem {
  hash: string;
}

/**
 * Whose rate the caller uses up. The keys of a shop share one, because a shop makes as many keys as it likes. Their
 * username is its slug. The prefix is there because a slug may look like a token id.
 */
export const rateSubjectOf = ({ superAdmin, username, tokenId }: Caller): string =>
  superAdmin ? tokenId : `SHOP#${username}`;

/** Whether the caller has the needed `role`, in the shop `slug` if the operation has one. */
export function isAllowed(caller: Caller, role: KeyRole, slug: string | undefined): boolean {
  if (caller.superAdmin || role === 'key' || role === 'session') return true;
  if (role === 'superadmin') return false;
  const needed = shopRoles.indexOf(role);
  return caller.shops.some(
    (shop) => (slug === undefined || shop.shop_slug === slug) && shopRoles.indexOf(shop.role) >= needed,
  );
}

export interface Access {
  key: ApiKeyItem | undefined;
  shop: ShopItem | undefined;
  session: SessionItem | undefined;
}

/** What to read. `session` is the hash of the session's token, if the request has one. */
export interface AccessKeys {
  username: string;
  tokenId: string;
  slug: string | undefined;
  session?: string;
}

/**
 * Reads the caller's key, the shop of the path and the session in one request. The read is consistent, so a key works as
 * soon as it is created and fails as soon as it is deleted, together with its sessions.
 */
export async function readAccess({ username, tokenId, slug, session }: AccessKeys): Promise<Access> {
  const wanted = {
    key: keyOf.apiKey(username, tokenId),
    ...(slug !== undefined && { shop: keyOf.shop(slug) }),
    ...(session !== undefined && { session: keyOf.session(tokenId, session) }),
  };
  const items = await batchGet(Object.values(wanted));
  return Object.fromEntries(Object.keys(wanted).map((name, i) => [name, items[i]])) as unknown as Access;
}

/** A shop as it is stored: the fields of a response, and internal fields. */
export interface ShopItem extends Shop {
  contact_email?: string | null;
  shop_admin_url?: string | null;
  shop_url?: string | null;
  logo_url?: string | null;
}
