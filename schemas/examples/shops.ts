import type { Shop, shops } from '../families/shops.ts';
import type { ExamplesOf } from './example.ts';
import { hosts, ids, keyName, secrets, slug } from './story.ts';

const shop = {
  uuid: ids.shop,
  created_at: '2026-11-16T09:00:07.370Z',
  updated_at: '2026-11-16T09:00:22.110Z',
  name: 'Nordlicht Outdoor',
  slug,
  description: 'Clothing and equipment for rainy days.',
  organization: null,
  language: 'en',
  contact_phone: '+49 40 5550100',
  industry: 'sports_and_recreation',
  shop_provider: 'shop_system_1',
  shop_faq_url: `${hosts.shop}/questions`,
  shop_service_url: `${hosts.shop}/contact`,
  shop_currency: 'EUR',
} satisfies Shop;

export const shopExamples = {
  createShop: {
    body: {
      name: 'Nordlicht Outdoor',
      slug,
      description: 'Clothing and equipment for rainy days.',
      industry: 'sports_and_recreation',
      shop_provider: 'shop_system_1',
      contact_email: 'service@nordlicht-outdoor.example',
      shop_url: hosts.shop,
      language: 'en',
      settings: { carriers_enabled: true },
    },
    response: null,
  },
  createApiKey: {
    body: { name: keyName, role: 'admin' },
    response: {
      id: ids.apiKey,
      name: keyName,
      secret: secrets.apiKey,
      username: slug,
      shops: [{ shop_slug: slug, role: 'admin' }],
      expiration: 0,
      created_at: '2026-11-16T09:00:12.000Z',
      last_used_at: null,
    },
  },
  updateShop: {
    body: {
      contact_phone: '+49 40 5550100',
      shop_faq_url: `${hosts.shop}/questions`,
      shop_service_url: `${hosts.shop}/contact`,
      shop_admin_url: `${hosts.shopSystem}/admin/`,
    },
    response: null,
  },
  getShop: { response: shop },
  getShopAddresses: {
    response: {
      contact_email: 'service@nordlicht-outdoor.example',
      shop_url: hosts.shop,
      shop_admin_url: `${hosts.shopSystem}/admin/`,
      logo_url: null,
      updated_at: shop.updated_at,
    },
  },
  searchShops: { query: { slug }, response: [shop] },
  listApiKeys: {
    response: {
      username: slug,
      tokens: [
        {
          id: ids.apiKey,
          name: keyName,
          secret: `****${secrets.apiKey.slice(-4)}`,
          shops: [{ shop_slug: slug, role: 'admin' }],
          expiration: 0,
          created_at: '2026-11-16T09:00:12.000Z',
          last_used_at: '2026-11-16',
        },
      ],
    },
  },
  setIntegrationKey: {
    params: { integration: 'integration_7' },
    body: { api_key: 'access-token-of-nordlicht' },
    response: null,
  },
  listIntegrationKeys: {
    response: {
      integration_1: null,
      integration_2: null,
      integration_3: null,
      integration_4: null,
      integration_5: { client_id: null, client_secret: null },
      integration_6: { username: null, password: null },
      integration_7: '****icht',
      shop_system_2: { client_id: null, client_secret: null },
      shop_system_3: { client_id: null, client_secret: null },
    },
  },
  deleteIntegrationKey: { params: { integration: 'integration_7' }, response: null },
  deleteApiKey: { params: { token_id: ids.apiKey }, response: { token_id: ids.apiKey } },
  deleteShop: { query: { confirm: slug }, response: null },
} satisfies ExamplesOf<typeof shops>;
