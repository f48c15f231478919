import { methods, operations } from 'contract:deals';
import type { deals } from '#schemas/deals.ts';
import { authentication } from '#shared/request-path/authentication.ts';
import { serve } from '#shared/serve.ts';
import { createDeal, deleteDeal, updateDeal } from './deals.ts';
import { listAllDeals, listDeals } from './lists.ts';

export const handler = serve<typeof deals>(
  { operations, methods },
  { listAllDeals, listDeals, createDeal, updateDeal, deleteDeal },
  authentication,
);
