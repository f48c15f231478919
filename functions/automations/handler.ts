import { methods, operations } from 'contract:automations';
import type { automations } from '#schemas/automations.ts';
import { authentication } from '#shared/request-path/authentication.ts';
import { serve } from '#shared/serve.ts';
import {
  createAutomation,
  deleteAutomation,
  getAutomation,
  listAutomations,
  replaceAutomation,
} from './automations.ts';
import { dryRunAutomation } from './dry-run.ts';
import { listAutomationRuns } from './runs.ts';

export const handler = serve<typeof automations>(
  { operations, methods },
  {
    listAutomations,
    createAutomation,
    getAutomation,
    replaceAutomation,
    deleteAutomation,
    listAutomationRuns,
    dryRunAutomation,
  },
  authentication,
);
