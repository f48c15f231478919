import { type IntegrationKeyItem, isGivenFor } from '#domain/settings/integration-key.ts';
import type { AdminApi } from '#domain/shop-systems/admin-api.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { invalidValue, ServiceError } from '#platform/errors.ts';
import { decryptOnce } from '#platform/secrets/cipher.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import type { ShopSystem } from '#schemas/catalogues/shop-webhooks.ts';
import { integrationOf } from './registration-system.ts';
import { requireSecret, secretOf } from './shop-secret.ts';

/** The systems in which the service registers webhooks. Those of shop_system_2 come with its app. */
export type AdministeredSystem = Exclude<ShopSystem, 'shop_system_2'>;

/** The admin API of the shop's own system, with the key that the merchant has stored. */
export async function adminApiOf(shop: ShopItem, system: AdministeredSystem, now: Date): Promise<AdminApi> {
  const { slug, uuid, shop_admin_url: url } = shop;
  const integration = integrationOf[system];
  const key = await getItem<IntegrationKeyItem>(keyOf.integrationKey(slug, integration));
  if (!key) throw new ServiceError('partner_key_not_found');
  if (!url) {
    throw invalidValue(['path', 'slug'], 'must be a shop with a shop_admin_url; set the shop_admin_url first');
  }
  if (!isGivenFor(key, url)) throw keyNotFound(givenForAnother(integration));
  const credential = JSON.parse(await decryptOnce(key.ciphertext, { shop: uuid, integration }));
  return system === 'shop_system_1' ? shopify(url, credential) : wooCommerce(shop, url, credential, now);
}

const keyNotFound = (message: string) => new ServiceError('partner_key_not_found', { message });

const givenForAnother = (integration: string) =>
  `The stored key was given before the shop_admin_url changed to another server. Set the key of ${integration} again.`;

// Only the few requests that call the shop's system load these modules, and not every incoming webhook.

async function shopify(url: string, { api_key }: { api_key: string }): Promise<AdminApi> {
  const { adminApi } = await import('#domain/shop-systems/shopify/admin-api.ts');
  return adminApi(url, api_key);
}

interface ConsumerKey {
  client_id: string;
  client_secret?: string | null;
}

async function wooCommerce(shop: ShopItem, url: string, key: ConsumerKey, now: Date): Promise<AdminApi> {
  const { client_id, client_secret } = key;
  if (!client_secret)
    throw keyNotFound('The stored key of shop_system_3 has no client_secret. Set it with its secret.');
  const secret = await secretOf(shop, await requireSecret(shop, now));
  const { adminApi } = await import('#domain/shop-systems/woocommerce/admin-api.ts');
  return adminApi(url, { client_id, client_secret }, secret);
}
