import * as contract from 'contract:simulations';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { simulations } from '#schemas/families/simulations.ts';
import {
  advanceSimulation,
  getSimulation,
  listJourneys,
  listSimulations,
  removeSimulation,
  startSimulation,
} from './simulations.ts';

export const handler = serve<typeof simulations>(
  contract,
  { listJourneys, startSimulation, listSimulations, getSimulation, advanceSimulation, removeSimulation },
  authentication,
);
