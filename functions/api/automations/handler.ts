import * as contract from 'contract:automations';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { automations } from '#schemas/families/automations.ts';
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
  contract,
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
