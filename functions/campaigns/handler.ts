import { methods, operations } from 'contract:campaigns';
import type { campaigns } from '#schemas/campaigns.ts';
import { authentication } from '#shared/request-path/authentication.ts';
import { serve } from '#shared/serve.ts';
import { createCampaign, deleteCampaign, getCampaign, searchCampaigns, updateCampaign } from './campaigns.ts';
import { getPromotion } from './promotion.ts';

export const handler = serve<typeof campaigns>(
  { operations, methods },
  { createCampaign, searchCampaigns, getCampaign, updateCampaign, deleteCampaign, getPromotion },
  authentication,
);
