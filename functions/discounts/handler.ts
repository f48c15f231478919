import { methods, operations } from 'contract:discounts';
import type { discounts } from '#schemas/discounts.ts';
import { authentication } from '#shared/request-path/authentication.ts';
import { serve } from '#shared/serve.ts';
import { createDiscount, deleteDiscount, searchDiscounts, updateDiscount } from './discounts.ts';

export const handler = serve<typeof discounts>(
  { operations, methods },
  { createDiscount, searchDiscounts, updateDiscount, deleteDiscount },
  authentication,
);
