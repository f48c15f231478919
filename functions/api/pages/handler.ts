import { methods, operations } from 'contract:pages';
import { authentication } from '#platform/http/authentication.ts';
import { multipartBody } from '#platform/http/multipart-body.ts';
import { serve } from '#platform/http/serve.ts';
import type { pages } from '#schemas/families/pages.ts';
import { getClaimForm, sendClaimForm } from './claim-form.ts';
import { errorPage } from './error-page.ts';
import { followPromotion } from './go.ts';
import { getLookup, sendLookup } from './lookup.ts';
import { previewTrackingPage } from './preview.ts';
import { getTrackingPageSettings, updateTrackingPageSettings } from './settings.ts';
import { getTrackingFacts, getTrackingPage } from './tracking-page.ts';

export const handler = serve<typeof pages>(
  { operations, methods },
  {
    getTrackingPage,
    getClaimForm,
    sendClaimForm,
    followPromotion,
    getLookup,
    sendLookup,
    getTrackingFacts,
    getTrackingPageSettings,
    updateTrackingPageSettings,
    previewTrackingPage,
  },
  authentication,
  multipartBody,
  errorPage,
);
