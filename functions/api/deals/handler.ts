import * as contract from 'contract:deals';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { deals } from '#schemas/families/deals.ts';
import { createDeal, deleteDeal, listAllDeals, listDeals, updateDeal } from './deals.ts';

export const handler = serve<typeof deals>(
  contract,
  { listAllDeals, listDeals, createDeal, updateDeal, deleteDeal },
  authentication,
);
