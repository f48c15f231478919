import * as contract from 'contract:statistics';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { statistics } from '#schemas/families/statistics.ts';
import { getAttention } from './attention.ts';
import { getStatistics, getTargetStatistics } from './statistics.ts';

export const handler = serve<typeof statistics>(
  contract,
  { getStatistics, getTargetStatistics, getAttention },
  authentication,
);
