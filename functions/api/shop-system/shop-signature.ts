import type { ShopItem } from '#platform/access/caller.ts';
import { ServiceError } from '#platform/errors.ts';
import { chooseLanguage } from '#platform/http/negotiation.ts';
import type { CheckSignature } from '#platform/http/signature.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { ShopSystem } from '#schemas/catalogues/shop-webhooks.ts';
import { slugPattern } from '#schemas/catalogues/slug.ts';
import { type Encoding, isSignedWith } from './hmac.ts';
import { systemOfShop } from './registration-system.ts';
import { type SecretItem, secretsOf } from './shop-secret.ts';

const slugs = new RegExp(slugPattern);

/** Where each system sends its HMAC-SHA256 of the body, and how it writes it. */
const signatures: Record<ShopSystem, { header: string; encoding: Encoding }> = {
  shop_system_1: { header: 'x-shopify-hmac-sha256', encoding: 'base64' },
  shop_system_2: { header: 'shopware-shop-signature', encoding: 'hex' },
  shop_system_3: { header: 'x-wc-webhook-signature', encoding: 'base64' },
};

const signatureHeaders = [...Object.values(signatures).map(({ header }) => header), 'shopware-app-signature'];

const isSigned = (headers: Headers): boolean => signatureHeaders.some((name) => headers[name]);

type Headers = Record<string, string | undefined>;
type SignedRequest = Parameters<CheckSignature>[0];

/**
 * The shop's own system authenticates by its signature of the body. The caller cannot distinguish a shop that does not
 * exist, one that has no secret and a wrong signature.
 */
export const checkShopSignature: CheckSignature = async (request) => {
  const { operationId, headers, params, rawBody } = request;
  if (operationId === 'receiveShopWebhook' && isPing(request)) return { signed: { headers, settings: {}, rawBody } };
  const slug = params.slug ?? '';
  if (!isSigned(headers) || !slugs.test(slug)) throw unauthorized();
  const items = await batchGet([keyOf.shop(slug), keyOf.shopSystemSecret(slug), keyOf.settings(slug)]);
  const [shop, secret, settings] = items as unknown as [ShopItem?, SecretItem?, object?];
  const signed = shop && secret && (await checked(request, shop, secret, settings ?? {}));
  if (!signed) throw unauthorized();
  return { shop, signed, language: chooseLanguage(headers['accept-language'], shop.language) };
};

/** What the operation gets. Undefined if the signature is missing or wrong. */
async function checked(request: SignedRequest, shop: ShopItem, secret: SecretItem, settings: object) {
  const { operationId, headers, rawBody } = request;
  if (appOperations.has(operationId)) {
    const { checkAppRequest } = await import('./app-signature.ts');
    const app = await checkAppRequest(request, shop, secret);
    return app && { headers, settings: app };
  }
  // Only shop_system_1 asks about personal data.
  const system = operationId === 'receiveShopWebhook' ? systemOfShop(shop) : 'shop_system_1';
  const { header, encoding } = signatures[system];
  const signature = headers[header];
  if (!signature) return undefined;
  const secrets = await secretsOf(shop, secret, new Date());
  if (!secrets.some((one) => isSignedWith(one, rawBody, signature, encoding))) return undefined;
  return { headers, settings, ...(system !== 'shop_system_1' && { rawBody }) };
}

const appOperations: ReadonlySet<string> = new Set(['registerApp', 'confirmApp', 'receiveAppEvent']);

/**
 * Before WooCommerce activates a hook it tests the address, without a signature (`deliver_ping` of its class WC_Webhook).
 * The answer is the same for all shops and costs no read, so it reveals nothing.
 */
export const isPing = ({ headers, rawBody }: { headers: Headers; rawBody?: Uint8Array }): boolean =>
  rawBody !== undefined &&
  rawBody.length <= maxPingBytes &&
  !isSigned(headers) &&
  ping.test(Buffer.from(rawBody).toString());

const ping = /^webhook_id=\d+$/;
const maxPingBytes = 40;

const unauthorized = () =>
  new ServiceError('invalid_merchant_or_key', {
    message:
      'The signature is missing or wrong. Sign the body with the webhook_secret of the shop and send the signature in the header of its system: X-Shopify-Hmac-Sha256, shopware-shop-signature or X-WC-Webhook-Signature.',
  });
