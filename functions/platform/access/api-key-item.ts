import { keyOf, placeIn } from '#platform/table/keys.ts';
import type { ShopRole } from '#schemas/catalogues/enumerations.ts';
import { type Credentials, digest, mask, newSecret } from './credentials.ts';

/** An API key as it is stored: never its secret. */
export interface ApiKeyItem {
  token_id: string;
  username: string;
  hash: string;
  masked_secret: string;
  shops: { shop_slug: string; role: ShopRole }[];
  expiration: number;
  superadmin: boolean;
  created_at: string;
}

export function shopKey(slug: string, role: ShopRole, expiration: number, now: Date, secret = newSecret()) {
  const shops = [{ shop_slug: slug, role }];
  return withKeys({ username: slug, secret }, { shops, expiration, superadmin: false }, now);
}

export function superAdminKey(credentials: Credentials, now: Date) {
  const { secret, item } = withKeys(credentials, { shops: [], expiration: 0, superadmin: true }, now);
  return { secret, item: { ...item, ...placeIn.superAdmins(item.username, item.token_id) } };
}

export const isExpired = (key: Pick<ApiKeyItem, 'expiration'>, now: Date) =>
  key.expiration !== 0 && key.expiration * 1000 <= now.getTime();

function withKeys(
  credentials: Credentials,
  rights: Pick<ApiKeyItem, 'shops' | 'expiration' | 'superadmin'>,
  now: Date,
) {
  const { username, secret } = credentials;
  const { tokenId, hash } = digest(credentials);
  const key: ApiKeyItem = {
    token_id: tokenId,
    username,
    hash,
    masked_secret: mask(secret),
    ...rights,
    created_at: now.toISOString(),
  };
  return { secret, item: { ...keyOf.apiKey(username, tokenId), ...key } };
}
