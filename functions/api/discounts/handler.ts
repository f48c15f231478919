import * as contract from 'contract:discounts';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { discounts } from '#schemas/families/discounts.ts';
import { createDiscount, deleteDiscount, searchDiscounts, updateDiscount } from './discounts.ts';

export const handler = serve<typeof discounts>(
  contract,
  { createDiscount, searchDiscounts, updateDiscount, deleteDiscount },
  authentication,
);
