import type { ShopSystem } from '#schemas/catalogues/shop-webhooks.ts';
import { startFakeShopSystem } from '#test/kit/fake-shop-system.ts';
import { startFakeShopware } from '#test/kit/fake-shopware.ts';
import { startFakeWooCommerce } from '#test/kit/fake-woocommerce.ts';
import { shopwareId, shopwareStages } from '#test/kit/shopware-payloads.ts';

/** Where the service finds the shop of each system. The real addresses have other ports in each run. */
export const shopAddresses = {
  shop_system_1: 'http://shop.example.com/admin/',
  shop_system_2: 'http://shopware.example.com',
  shop_system_3: 'http://woocommerce.example.com/',
} as const satisfies Record<ShopSystem, string>;

/** What the shop of shop_system_2 gives to the app that it installs. */
export const appCredentials = { apiKey: 'SWIAKEYOFTHEFAKESHOP', secretKey: 'secret-of-the-fake-shop' };

/** A shop of each system, which has what the fuzzed webhooks name. */
export interface FakeShops extends AsyncDisposable {
  /** By the names in their addresses. */
  ports: Record<string, number>;
  /** Forgets the webhooks that were registered. */
  renew(): void;
}

export async function startFakeShops(): Promise<FakeShops> {
  const [shopify, shopware, wooCommerce] = await Promise.all([
    startFakeShopSystem(),
    startFakeShopware(),
    startFakeWooCommerce(),
  ]);
  shopware.clients.set(appCredentials.apiKey, appCredentials.secretKey);
  shopware.put(...[1, 2].map((n) => shopwareStages.shipped({ id: shopwareId(n), orderNumber: `1000${n}` })));
  const real = [shopify.adminUrl, shopware.url, wooCommerce.shopUrl];
  const ports = Object.values(shopAddresses).map((url, i) => [new URL(url).hostname, Number(new URL(real[i]!).port)]);
  return {
    ports: Object.fromEntries(ports),
    renew: () => {
      shopify.hooks.length = 0;
      wooCommerce.hooks.length = 0;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([shopify.stop(), shopware.stop(), wooCommerce.stop()]);
    },
  };
}
