import { type IntegrationKeyItem, isGivenFor } from '#domain/settings/integration-key.ts';
import type { AdminApi } from '#domain/shop-systems/shopify/admin-api.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { invalidValue, ServiceError } from '#platform/errors.ts';
import { decryptOnce } from '#platform/secrets/cipher.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';

/** The key of this integration gives access to the shop's own system. */
const integration = 'integration_7';

const givenForAnother =
  'The stored key was given before the shop_admin_url changed to another server. Set the key of integration_7 again.';

/** The admin API of the shop's own system, with the key that the merchant has stored. */
export async function adminApiOf({ slug, uuid, shop_admin_url: url }: ShopItem): Promise<AdminApi> {
  const key = await getItem<IntegrationKeyItem>(keyOf.integrationKey(slug, integration));
  if (!key) throw new ServiceError('partner_key_not_found');
  if (!url) {
    throw invalidValue(['path', 'slug'], 'must be a shop with a shop_admin_url; set the shop_admin_url first');
  }
  if (!isGivenFor(key, url)) throw new ServiceError('partner_key_not_found', { message: givenForAnother });
  const plaintext = await decryptOnce(key.ciphertext, { shop: uuid, integration });
  // Only the few requests that call the shop's system load this module, and not every incoming webhook.
  const { adminApi } = await import('#domain/shop-systems/shopify/admin-api.ts');
  return adminApi(url, (JSON.parse(plaintext) as { api_key: string }).api_key);
}
