import * as contract from 'contract:meta';
import { serve } from '#platform/http/serve.ts';
import type { meta } from '#schemas/families/meta.ts';
import { getDescription, getDocs, getDocsPage } from './documents.ts';

export const handler = serve<typeof meta>(contract, {
  getHealth: () => ({ status: 'ok' }),
  getDescription,
  getDocs,
  getDocsPage,
});
