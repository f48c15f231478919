import * as contract from 'contract:analytics';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { analytics } from '#schemas/families/analytics.ts';
import { getArrivalCalibration } from './arrival-calibration.ts';
import { getDeliveryTimes } from './delivery-times.ts';
import { getOverview } from './overview.ts';

export const handler = serve<typeof analytics>(
  contract,
  { getDeliveryTimes, getOverview, getArrivalCalibration },
  authentication,
);
