import * as contract from 'contract:shops';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { shops } from '#schemas/families/shops.ts';
import { createApiKey, deleteApiKey, listApiKeys } from './api-keys.ts';
import { deleteIntegrationKey, listIntegrationKeys, setIntegrationKey } from './integration-keys.ts';
import { createShop, deleteShop, getShop, getShopAddresses, searchShops, updateShop } from './shops.ts';

export const handler = serve<typeof shops>(
  contract,
  {
    createShop,
    searchShops,
    getShop,
    getShopAddresses,
    updateShop,
    deleteShop,
    listApiKeys,
    createApiKey,
    deleteApiKey,
    listIntegrationKeys,
    setIntegrationKey,
    deleteIntegrationKey,
  },
  authentication,
);
