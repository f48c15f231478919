import type { shops } from '#schemas/families/shops.ts';
import type { Answer, Api } from './client.ts';

export const secrets = {
  api_key: 'plain-text-of-a-single-key',
  client_id: 'plain-text-of-a-client-id',
  client_secret: 'plain-text-of-a-client-secret',
  username: 'plain-text-of-a-username',
  password: 'plain-text-of-a-password',
};

export type Tour = Record<keyof typeof shops | 'farPage', Answer>;

/**
 * Every operation of the family once, on a shop of its own, in an order in which each finds what it needs. An operation
 * that fails does not keep the later ones from being called.
 */
export async function tourOfShops(api: Api, key: string, slug: string): Promise<Tour> {
  const shop = `/v1/shops/${slug}`;
  const createShop = await api('POST', '/v1/shops', { key, body: { name: 'A shop', slug } });
  // So that there is a second page.
  await api('POST', '/v1/shops', { key, body: { name: 'Another shop', slug: `${slug}-2` } });
  const createApiKey = await api('POST', `${shop}/api-keys`, { key, body: {} });
  const setIntegrationKey = await api('PUT', `${shop}/keys/integration_1`, { key, body: secrets });
  return {
    createShop,
    createApiKey,
    setIntegrationKey,
    searchShops: await api('GET', '/v1/shops?per_page=1', { key }),
    farPage: await api('GET', '/v1/shops?page=100', { key }),
    getShop: await api('GET', shop, { key }),
    getShopAddresses: await api('GET', `${shop}/addresses`, { key }),
    updateShop: await api('PATCH', shop, { key, body: { name: 'Another name' } }),
    listApiKeys: await api('GET', `${shop}/api-keys`, { key }),
    deleteApiKey: await api('DELETE', `${shop}/api-keys/${createApiKey.body?.id ?? 'none'}`, { key }),
    listIntegrationKeys: await api('GET', `${shop}/keys`, { key }),
    deleteIntegrationKey: await api('DELETE', `${shop}/keys/integration_1`, { key }),
    deleteShop: await api('DELETE', `${shop}?confirm=${slug}`, { key }),
  };
}
