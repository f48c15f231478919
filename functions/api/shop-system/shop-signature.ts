import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ShopItem } from '#platform/access/caller.ts';
import { ServiceError } from '#platform/errors.ts';
import { chooseLanguage } from '#platform/http/negotiation.ts';
import type { CheckSignature } from '#platform/http/signature.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { slugPattern } from '#schemas/catalogues/slug.ts';
import { type SecretItem, secretOf } from './shop-secret.ts';

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
