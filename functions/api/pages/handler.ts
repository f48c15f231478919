import { methods, operations } from 'contract:pages';
import { authentication } from '#platform/http/authentication.ts';
import { ApiError } from '#platform/http/errors.ts';
import { multipartBody } from '#platform/http/multipart-body.ts';
import { serve } from '#platform/http/serve.ts';
import type { pages } from '#schemas/families/pages.ts';

const notYet = (): never => {
  throw new ApiError('page_not_found');
};

const defaults = {
  enabled: true,
  claims_enabled: true,
  show_products: true,
  support_url: null,
  privacy_url: null,
  imprint_url: null,
};

export const handler = serve<typeof pages>(
  { operations, methods },
  {
    getTrackingPage: notYet,
    getClaimForm: notYet,
    sendClaimForm: notYet,
    followPromotion: notYet,
    getLookup: notYet,
    sendLookup: notYet,
    getTrackingFacts: notYet,
    getTrackingPageSettings: () => defaults,
    updateTrackingPageSettings: () => defaults,
    previewTrackingPage: notYet,
  },
  authentication,
  multipartBody,
  async ({ key }) => ({ content: `<!doctype html>${key}`, headers: {} }),
);
