import { methods, operations } from 'contract:shops';
import type { shops } from '#schemas/shops.ts';
import { authentication } from '#shared/request-path/authentication.ts';
import { serve } from '#shared/serve.ts';
import { createApiKey, deleteApiKey, listApiKeys } from './api-keys.ts';
import { deleteIntegrationKey, listIntegrationKeys, setIntegrationKey } from './integration-keys.ts';
import { createShop, getShop, searchShops, updateShop } from './shops.ts';

export const handler = serve<typeof shops>(
  { operations, methods },
  {
    createShop,
    searchShops,
    getShop,
    updateShop,
    listApiKeys,
    createApiKey,
    deleteApiKey,
    listIntegrationKeys,
    setIntegrationKey,
    deleteIntegrationKey,
  },
  authentication,
);
