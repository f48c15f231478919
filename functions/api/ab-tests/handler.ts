import * as contract from 'contract:ab-tests';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { abTests } from '#schemas/families/ab-tests.ts';
import { createAbTest, endAbTest, getAbTest, listAbTests } from './ab-tests.ts';
import { getAbTestResults } from './results.ts';

export const handler = serve<typeof abTests>(
  contract,
  { createAbTest, listAbTests, getAbTest, getAbTestResults, endAbTest },
  authentication,
);
