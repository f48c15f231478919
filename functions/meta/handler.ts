import { methods, operations } from 'contract:meta';
import type { meta } from '#schemas/meta.ts';
import { serve } from '#shared/serve.ts';
import { getDescription, getDocs } from './documents.ts';

export const handler = serve<typeof meta>(
  { operations, methods },
  { getHealth: () => ({ status: 'ok' }), getDescription, getDocs },
);
