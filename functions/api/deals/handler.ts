import { methods, operations } from 'contract:deals';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { deals } from '#schemas/families/deals.ts';
import { createDeal, deleteDeal, updateDeal } from './deals.ts';
import { listAllDeals, listDeals } from './lists.ts';

export const handler = serve<typeof deals>(
  { operations, methods },
  { listAllDeals, listDeals, createDeal, updateDeal, deleteDeal },
  authentication,
);
