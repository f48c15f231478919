import type { ShopItem } from '#platform/access/shop-item.ts';
import { ApiError } from '#platform/http/api-error.ts';
import { chooseLanguage } from '#platform/http/language.ts';
import type { Middleware } from '#platform/http/middleware.ts';
import type { GatewayEvent } from '#platform/http/request.ts';
import { batchGet } from '#platform/table/batch-get.ts';
import { keyOf } from '#platform/table/keys.ts';
import { slugPattern } from '#schemas/catalogues/slug.ts';
import { isSignedWith } from './signature.ts';
import { type SecretItem, secretOf } from './webhook-secret.ts';

const slugs = new RegExp(slugPattern);

/**
 * The shop's own system proves itself by its signature of the body, before anybody reads what the body says. A shop that
 * does not exist, one that has no secret and a wrong signature are the same to the caller.
 */
export function shopSignature(): Middleware {
  return {
    before: async ({ event, context: { progress } }) => {
      const { headers, pathParameters } = event;
      const signature = headers['x-shopify-hmac-sha256'];
      const slug = pathParameters?.slug ?? '';
      if (!signature || !slugs.test(slug)) throw refused();
      const [shop, secret, settings] = await batchGet([
        keyOf.shop(slug),
        keyOf.shopSystemSecret(slug),
        keyOf.settings(slug),
      ]);
      const isShops = await isSigned(shop as ShopItem | undefined, secret as SecretItem | undefined, signature, event);
      if (!isShops) throw refused();
      progress.shop = shop as unknown as ShopItem;
      progress.signed = { headers, settings: settings ?? {} };
      progress.language = chooseLanguage(headers['accept-language'], progress.shop.language);
    },
  };
}

async function isSigned(
  shop: ShopItem | undefined,
  item: SecretItem | undefined,
  signature: string,
  { body, isBase64Encoded }: GatewayEvent,
): Promise<boolean> {
  if (!shop || !item) return false;
  const bytes = Buffer.from(typeof body === 'string' ? body : '', isBase64Encoded ? 'base64' : 'utf8');
  return isSignedWith(await secretOf(shop, item), bytes, signature);
}

const refused = () =>
  new ApiError('invalid_merchant_or_key', {
    status: 401,
    message: 'Sign the body with the webhook_secret of the shop: X-Shopify-Hmac-Sha256.',
  });
