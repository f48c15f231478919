import { randomBytes } from 'node:crypto';
import type { ShopItem } from '#platform/access/caller.ts';
import type { Implementation } from '#platform/http/request.ts';
import { decryptOnce, encrypt } from '#platform/secrets/cipher.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { commit, insert, WriteConflict } from '#platform/table/writes.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';

export const getWebhookConfig: Implementation<typeof shopSystem.getWebhookConfig> = async ({ shop, now }) => ({
  webhook_secret: await webhookSecret(shop, now),
});

/** The stored secret with which the shop's own system signs. */
export interface SecretItem {
  ciphertext: Uint8Array;
  created_at: string;
}

type ShopKey = Pick<ShopItem, 'slug' | 'uuid'>;

const contextOf = ({ uuid }: ShopKey) => ({ shop: uuid, shop_system: 'webhook_secret' });

export const secretOf = (shop: ShopKey, { ciphertext }: SecretItem): Promise<string> =>
  decryptOnce(ciphertext, contextOf(shop));

/** The first request creates the shop's secret. Of several at once, one creates it and all return the same. */
async function webhookSecret(shop: ShopKey, now: Date): Promise<string> {
  const known = await readSecret(shop.slug);
  if (known) return secretOf(shop, known);
  const secret = randomBytes(32).toString('hex');
  const item: SecretItem = { ciphertext: await encrypt(secret, contextOf(shop)), created_at: now.toISOString() };
  try {
    await commit([insert({ ...keyOf.shopSystemSecret(shop.slug), ...item })]);
    return secret;
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    const first = await readSecret(shop.slug);
    if (!first) throw error;
    return secretOf(shop, first);
  }
}

const readSecret = (slug: string) => getItem<SecretItem>(keyOf.shopSystemSecret(slug));
