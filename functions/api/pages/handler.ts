import { methods, operations } from 'contract:pages';
import { authentication } from '#platform/http/authentication.ts';
import { ApiError } from '#platform/http/errors.ts';
import { multipartBody } from '#platform/http/multipart-body.ts';
import { serve } from '#platform/http/serve.ts';
import type { pages } from '#schemas/families/pages.ts';
import { errorPage } from './error-page.ts';
import { followPromotion } from './go.ts';
import { previewTrackingPage } from './preview.ts';
import { getTrackingPageSettings, updateTrackingPageSettings } from './settings.ts';
import { getTrackingFacts, getTrackingPage } from './tracking-page.ts';

const notYet = (): never => {
  throw new ApiError('page_not_found');
};

export const handler = serve<typeof pages>(
  { operations, methods },
  {
    getTrackingPage,
    getClaimForm: notYet,
    sendClaimForm: notYet,
    followPromotion,
    getLookup: notYet,
    sendLookup: notYet,
    getTrackingFacts,
    getTrackingPageSettings,
    updateTrackingPageSettings,
    previewTrackingPage,
  },
  authentication,
  multipartBody,
  errorPage,
);
