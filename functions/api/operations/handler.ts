import * as contract from 'contract:operations';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { operations } from '#schemas/families/operations.ts';
import { getOperations } from './operations.ts';

export const handler = serve<typeof operations>(contract, { getOperations }, authentication);
