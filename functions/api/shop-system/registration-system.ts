import type { ShopItem } from '#platform/access/caller.ts';
import type { IntegrationId } from '#schemas/catalogues/integrations.ts';
import type { ShopSystem } from '#schemas/catalogues/shop-webhooks.ts';
import type { Registration } from '#schemas/families/shop-system.ts';

/** Whose webhooks the service takes. */
export const systemOfShop = ({ shop_provider: provider }: Pick<ShopItem, 'shop_provider'>): ShopSystem =>
  provider === 'shop_system_2' || provider === 'shop_system_3' ? provider : 'shop_system_1';

/** Whose key gives access to the shop's own API. */
export const integrationOf = {
  shop_system_1: 'integration_7',
  shop_system_2: 'shop_system_2',
  shop_system_3: 'shop_system_3',
} as const satisfies Record<ShopSystem, IntegrationId>;

/** Who has the hook. It can be another system than the shop has now. Only the app's have their name as id. */
export function systemOfRegistration({ shopify_id, external_id, name }: Registration): ShopSystem {
  if (shopify_id !== null) return 'shop_system_1';
  return external_id === name ? 'shop_system_2' : 'shop_system_3';
}
