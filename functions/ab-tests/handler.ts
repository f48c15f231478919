import { methods, operations } from 'contract:ab-tests';
import type { abTests } from '#schemas/ab-tests.ts';
import { authentication } from '#shared/request-path/authentication.ts';
import { serve } from '#shared/serve.ts';
import { createAbTest, endAbTest, getAbTest, listAbTests } from './ab-tests.ts';

export const handler = serve<typeof abTests>(
  { operations, methods },
  { createAbTest, listAbTests, getAbTest, endAbTest },
  authentication,
);
