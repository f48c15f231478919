import type { World } from './world.ts';

/** A request whose cost is part of the contract. `access` says in words what `code` does to the table. */
export interface Scenario {
  operation: string;
  case?: string;
  access: string;
  code: string;
  run: (world: World) => Promise<{ status: number }>;
}

const shops = 'functions/shops/shop-store.ts';
const apiKeys = 'functions/shops/api-key-store.ts';
const integrationKeys = 'functions/shops/integration-key-store.ts';
const access = 'functions/shared/access-store.ts';

const key = '`KEYS#username` / token id';
const shop = '`SHOP#slug` / `SHOP`';

export const scenarios: Scenario[] = [
  {
    operation: 'getHealth',
    access: 'nothing',
    code: 'functions/meta/handler.ts',
    run: ({ call }) => call('GET', '/health'),
  },
  {
    operation: 'getDescription',
    access: 'nothing',
    code: 'functions/meta/documents.ts',
    run: ({ call }) => call('GET', '/v1/openapi.json'),
  },
  {
    operation: 'getDocs',
    access: 'nothing',
    code: 'functions/meta/documents.ts',
    run: ({ call }) => call('GET', '/docs'),
  },
  {
    operation: 'createShop',
    access: `${key}; then ${shop} and \`SHOP#slug\` / \`SETTINGS\` in one transaction`,
    code: shops,
    run: ({ call, fresh }) => call('POST', '/v1/shops', { name: 'A shop of costs', slug: fresh() }),
  },
  {
    operation: 'searchShops',
    case: 'SuperAdmin, first page of 30',
    access: `${key}; index \`lists\`: \`SHOPS\`, newest first`,
    code: shops,
    run: ({ call }) => call('GET', '/v1/shops'),
  },
  {
    operation: 'searchShops',
    case: 'SuperAdmin, by uuid',
    access: `${key}; index \`lists\`: \`SHOPS\` / uuid`,
    code: shops,
    run: ({ call, uuid }) => call('GET', `/v1/shops?uuid=${uuid}`),
  },
  {
    operation: 'searchShops',
    case: 'SuperAdmin, by slug',
    access: `${key}; ${shop}`,
    code: shops,
    run: ({ call, slug }) => call('GET', `/v1/shops?slug=${slug}`),
  },
  {
    operation: 'searchShops',
    case: 'SuperAdmin, another filter, over 40 shops',
    access: `${key}; index \`lists\`: \`SHOPS\`, until the page is full`,
    code: shops,
    run: ({ call }) => call('GET', '/v1/shops?language=fi'),
  },
  {
    operation: 'searchShops',
    case: "a shop's key",
    access: `${key}; ${shop} of the key's shops`,
    code: shops,
    run: ({ callAsShop }) => callAsShop('GET', '/v1/shops'),
  },
  {
    operation: 'getShop',
    access: `${key}; ${shop}`,
    code: access,
    run: ({ call, slug }) => call('GET', `/v1/shops/${slug}`),
  },
  {
    operation: 'updateShop',
    access: `${key}; ${shop}, read and updated`,
    code: shops,
    run: ({ call, slug }) => call('PATCH', `/v1/shops/${slug}`, { description: 'An updated shop' }),
  },
  {
    operation: 'listApiKeys',
    access: `${key}; ${shop}; all of \`KEYS#slug\``,
    code: apiKeys,
    run: ({ call, slug }) => call('GET', `/v1/shops/${slug}/api-keys`),
  },
  {
    operation: 'createApiKey',
    access: `${key}; ${shop}; put \`KEYS#slug\` / token id`,
    code: apiKeys,
    run: ({ call, slug }) => call('POST', `/v1/shops/${slug}/api-keys`),
  },
  {
    operation: 'deleteApiKey',
    access: `${key}; ${shop}; delete \`KEYS#slug\` / token id`,
    code: apiKeys,
    run: ({ call, slug, tokenId }) => call('DELETE', `/v1/shops/${slug}/api-keys/${tokenId}`),
  },
  {
    operation: 'setIntegrationKey',
    access: `${key}; ${shop}; put \`SHOP#slug\` / \`INTEGRATION#id\``,
    code: integrationKeys,
    run: ({ call, slug }) => call('PUT', `/v1/shops/${slug}/keys/integration_1`, { api_key: '0123456789abcdef' }),
  },
  {
    operation: 'listIntegrationKeys',
    access: `${key}; ${shop}; \`SHOP#slug\` / \`INTEGRATION#…\``,
    code: integrationKeys,
    run: ({ call, slug }) => call('GET', `/v1/shops/${slug}/keys`),
  },
  {
    operation: 'deleteIntegrationKey',
    access: `${key}; ${shop}; delete \`SHOP#slug\` / \`INTEGRATION#id\``,
    code: integrationKeys,
    run: ({ call, slug }) => call('DELETE', `/v1/shops/${slug}/keys/integration_1`),
  },
];
