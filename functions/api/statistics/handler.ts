import * as contract from 'contract:statistics';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { statistics } from '#schemas/families/statistics.ts';
import { getAttention } from './attention.ts';
import { getStatistics } from './statistics.ts';

export const handler = serve<typeof statistics>(contract, { getStatistics, getAttention }, authentication);
