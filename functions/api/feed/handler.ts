import * as contract from 'contract:feed';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { feed } from '#schemas/families/feed.ts';
import { getEventLedger } from './ledger.ts';
import { listEvents } from './list-events.ts';
import { getEventSettings, updateEventSettings } from './settings.ts';

export const handler = serve<typeof feed>(
  contract,
  { getEventSettings, updateEventSettings, listEvents, getEventLedger },
  authentication,
);
