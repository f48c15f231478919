import { randomBytes } from 'node:crypto';
import type { ShopItem } from '#platform/access/caller.ts';
import type { Implementation } from '#platform/http/request.ts';
import { decryptOnce, encrypt } from '#platform/secrets/cipher.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { commit, insert, WriteConflict } from '#platform/table/writes.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';

export const getWebhookConfig: Implementation<typeof shopSystem.getWebhookConfig> = async ({ shop, now }) => ({
  webhook_secret: await secretOf(shop, await requireSecret(shop, now)),
});

/**
 * The stored secret with which the shop's own system signs. All but the first two are of the app of shop_system_2, and an
 * older version of the service does not know them.
 */
export interface SecretItem {
  ciphertext: Uint8Array;
  created_at: string;
  /** The secret in the manifest of the app. It signs the first request of an installation, and nothing else. */
  app?: Uint8Array;
  pending?: PendingSecret;
  previous?: PreviousSecret;
  installation?: Installation;
}

/** The shop that has installed the app. */
interface Installation {
  shop_id: string;
  shop_url: string;
}

/** Given to a shop that registers. It signs nothing but the confirmation, until that has come. */
export interface PendingSecret extends Installation {
  ciphertext: Uint8Array;
}

/** Webhooks that are under way when the secret changes are signed with the one before. */
export interface PreviousSecret {
  ciphertext: Uint8Array;
  until: string;
}

export type ShopKey = Pick<ShopItem, 'slug' | 'uuid'>;

const contextOf = ({ uuid }: ShopKey) => ({ shop: uuid, shop_system: 'webhook_secret' });
const appContextOf = ({ uuid }: ShopKey) => ({ shop: uuid, shop_system: 'app_secret' });

export const newSecret = (): string => randomBytes(32).toString('hex');

export const secretOf = (shop: ShopKey, { ciphertext }: { ciphertext: Uint8Array }): Promise<string> =>
  decryptOnce(ciphertext, contextOf(shop));

/** The secrets with which a webhook of this moment may be signed: the current one first. */
export function secretsOf(shop: ShopKey, item: SecretItem, now: Date): Promise<string[]> {
  const { previous } = item;
  const isUnderWay = previous !== undefined && now.toISOString() < previous.until;
  return Promise.all([item, ...(isUnderWay ? [previous] : [])].map((secret) => secretOf(shop, secret)));
}

export const encryptSecret = (shop: ShopKey, secret: string): Promise<Uint8Array> => encrypt(secret, contextOf(shop));

export const appSecretOf = (shop: ShopKey, app: Uint8Array): Promise<string> => decryptOnce(app, appContextOf(shop));

export const encryptAppSecret = (shop: ShopKey, secret: string): Promise<Uint8Array> =>
  encrypt(secret, appContextOf(shop));

/** The first request creates the shop's secret. Of several at once, one creates it and all return the same. */
export async function requireSecret(shop: ShopKey, now: Date): Promise<SecretItem> {
  const known = await readSecret(shop.slug);
  if (known) return known;
  const item: SecretItem = { ciphertext: await encryptSecret(shop, newSecret()), created_at: now.toISOString() };
  try {
    await commit([insert({ ...keyOf.shopSystemSecret(shop.slug), ...item })]);
    return item;
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    const first = await readSecret(shop.slug);
    if (!first) throw error;
    return first;
  }
}

export const readSecret = (slug: string) => getItem<SecretItem>(keyOf.shopSystemSecret(slug));
