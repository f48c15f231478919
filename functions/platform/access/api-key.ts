import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { apiKeysOf, indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { itemsIn } from '#platform/table/reads.ts';
import type { ShopRole } from '#schemas/catalogues/enumerations.ts';

/** An API key as it is stored, without its secret. */
export interface ApiKeyItem {
  token_id: string;
  username: string;
  hash: string;
  masked_secret: string;
  shops: { shop_slug: string; role: ShopRole }[];
  expiration: number;
  superadmin: boolean;
  created_at: string;
  /** Absent if it got none, and in keys of before there were names. */
  name?: string;
}

export interface NewShopKey {
  role: ShopRole;
  expiration: number;
  name?: string | null | undefined;
}

export function shopKey(slug: string, { role, expiration, name }: NewShopKey, now: Date, secret = newSecret()) {
  const shops = [{ shop_slug: slug, role }];
  const rights = { shops, expiration, superadmin: false, ...(name && { name }) };
  return withKeys({ username: slug, secret }, rights, now);
}

export function superAdminKey(credentials: Credentials, now: Date) {
  const { secret, item } = withKeys(credentials, { shops: [], expiration: 0, superadmin: true }, now);
  return { secret, item: { ...item, ...indexKeyOf.superAdmins(item.username, item.token_id) } };
}

/** What people call a key: its name, else the end of its secret, by which its list shows it. A SuperAdmin is called by the username. */
export const keyLabel = ({ name, superadmin, username, masked_secret }: ApiKeyItem): string =>
  name ?? (superadmin ? username : masked_secret);

export const isExpired = (key: Pick<ApiKeyItem, 'expiration'>, now: Date) =>
  key.expiration !== 0 && key.expiration * 1000 <= now.getTime();

/** A shop must neither see nor end the key of a SuperAdmin whose username equals the shop's slug. */
export const isShopKey = 'superadmin = :no';

/** The query of the keys of a shop. */
export function shopKeysOf(slug: string) {
  const { ExpressionAttributeValues: values, ...all } = itemsIn(apiKeysOf(slug));
  const ExpressionAttributeValues = { ...values, ':no': false };
  return { ...all, FilterExpression: isShopKey, ExpressionAttributeValues, ConsistentRead: true };
}

function withKeys(
  credentials: Credentials,
  rights: Pick<ApiKeyItem, 'shops' | 'expiration' | 'superadmin' | 'name'>,
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

export interface Credentials {
  username: string;
  secret: string;
}

/** Longer than any username that we create, and well below the limit of a table key. */
export const maxUsernameLength = 255;

/** The username and secret of a Basic header, or undefined if it is missing or malformed. */
export function readBasicHeader(header: string | undefined): Credentials | undefined {
  const encoded = header?.match(/^Basic +([A-Za-z0-9+/]+={0,2}) *$/i)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const username = text.slice(0, Math.max(colon, 0));
  const secret = text.slice(colon + 1);
  if (username === '' || secret === '' || username.length > maxUsernameLength) return undefined;
  return { username, secret };
}

/**
 * The stored part of a key. A key has 32 random bytes, so nobody can guess it and a fast hash is enough. The token id
 * is the beginning of the hash, so one read finds the key of a request, and the secret needs no special format.
 */
export function digest({ username, secret }: Credentials): { tokenId: string; hash: string } {
  const hash = createHash('sha256').update(`${username}:${secret}`).digest('hex');
  const first80bits = BigInt(`0x${hash.slice(0, 20)}`);
  return { tokenId: first80bits.toString(32).padStart(16, '0'), hash };
}

export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

export const newSecret = () => randomBytes(32).toString('base64url');

/** The last four characters. A short value is masked completely, because four characters would be most of it. */
export const mask = (value: string) => `****${value.length >= 12 ? value.slice(-4) : ''}`;
