import * as contract from 'contract:privacy';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { privacy } from '#schemas/families/privacy.ts';
import { createPrivacyRequest, getPrivacyRequest, listPrivacyRequests } from './requests.ts';
import { getRetention, updateRetention } from './retention.ts';

export const handler = serve<typeof privacy>(
  contract,
  { createPrivacyRequest, listPrivacyRequests, getPrivacyRequest, getRetention, updateRetention },
  authentication,
);
