import * as contract from 'contract:campaigns';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { campaigns } from '#schemas/families/campaigns.ts';
import { createCampaign, deleteCampaign, getCampaign, searchCampaigns, updateCampaign } from './campaigns.ts';
import { getPromotion } from './promotion.ts';

export const handler = serve<typeof campaigns>(
  contract,
  { createCampaign, searchCampaigns, getCampaign, updateCampaign, deleteCampaign, getPromotion },
  authentication,
);
