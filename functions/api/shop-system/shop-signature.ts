import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ShopItem } from '#platform/access/caller.ts';
import { ServiceError } from '#platform/errors.ts';
import { chooseLanguage } from '#platform/http/negotiation.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { CheckSignature } from '#platform/http/signature.ts';
import { decryptOnce, encrypt } from '#platform/secrets/cipher.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet, getItem } from '#platform/table/reads.ts';
import { commit, insert, WriteConflict } from '#platform/table/writes.ts';
import { slugPattern } from '#schemas/catalogues/slug.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';

const slugs = new RegExp(slugPattern);

/**
 * The shop's own system authenticates by its signature of the body. The caller cannot distinguish a shop that does not
 * exist, one that has no secret and a wrong signature.
 */
export const checkShopSignature: CheckSignature = async ({ headers, params, rawBody }) => {
  const signature = headers['x-shopify-hmac-sha256'];
  const slug = params.slug ?? '';
  if (!signature || !slugs.test(slug)) throw unauthorized();
  const items = await batchGet([keyOf.shop(slug), keyOf.shopSystemSecret(slug), keyOf.settings(slug)]);
  const [shop, secret, settings] = items as unknown as [ShopItem?, SecretItem?, object?];
  if (!shop || !secret || !isSignedWith(await secretOf(shop, secret), rawBody, signature)) throw unauthorized();
  return {
    shop,
    signed: { headers, settings: settings ?? {} },
    language: chooseLanguage(headers['accept-language'], shop.language),
  };
};

const unauthorized = () =>
  new ServiceError('invalid_merchant_or_key', {
    message:
      'The signature is missing or wrong. Sign the body with the webhook_secret of the shop and send the signature in the header X-Shopify-Hmac-Sha256.',
  });

/**
 * Whether the header is the base64 HMAC-SHA256 of exactly these bytes. The comparison takes the same time for every
 * signature, so it reveals nothing about the secret.
 */
export function isSignedWith(secret: string, bytes: Uint8Array, header: string): boolean {
  const expected = createHmac('sha256', secret).update(bytes).digest();
  const received = Buffer.from(header, 'base64');
  return received.length === expected.length && timingSafeEqual(received, expected);
}

export const getWebhookConfig: Implementation<typeof shopSystem.getWebhookConfig> = async ({ shop, now }) => ({
  webhook_secret: await webhookSecret(shop, now),
});

/** The stored secret with which the shop's own system signs. */
interface SecretItem {
  ciphertext: Uint8Array;
  created_at: string;
}

type ShopKey = Pick<ShopItem, 'slug' | 'uuid'>;

const contextOf = ({ uuid }: ShopKey) => ({ shop: uuid, shop_system: 'webhook_secret' });

const secretOf = (shop: ShopKey, { ciphertext }: SecretItem): Promise<string> =>
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
