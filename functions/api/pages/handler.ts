import * as contract from 'contract:pages';
import { authentication } from '#platform/http/authentication.ts';
import { multipartBody } from '#platform/http/multipart-body.ts';
import type { Implementation } from '#platform/http/request.ts';
import { serve } from '#platform/http/serve.ts';
import type { Operation } from '#schemas/families/operation.ts';
import type { pages } from '#schemas/families/pages.ts';

/** The first request of a kind loads its code, so that a page does not wait for forms. */
const lazily =
  <O extends Operation>(load: () => Promise<Implementation<O>>): Implementation<O> =>
  async (request) =>
    (await load())(request);

const page = () => import('./tracking-page.ts');
const forms = () => import('./claim-form.ts');
const withdrawal = () => import('./withdrawal-form.ts');
const lookup = () => import('./lookup.ts');
const unsubscribe = () => import('./unsubscribe.ts');
const preview = () => import('./preview.ts');

export const handler = serve<typeof pages>(
  contract,
  {
    getTrackingPage: lazily(async () => (await page()).getTrackingPage),
    getClaimForm: lazily(async () => (await forms()).getClaimForm),
    sendClaimForm: lazily(async () => (await forms()).sendClaimForm),
    sendMessageForm: lazily(async () => (await import('./message-form.ts')).sendMessageForm),
    sendRating: lazily(async () => (await import('./rating-form.ts')).sendRating),
    getWithdrawalForm: lazily(async () => (await withdrawal()).getWithdrawalForm),
    sendWithdrawalForm: lazily(async () => (await withdrawal()).sendWithdrawalForm),
    followPromotion: lazily(async () => (await import('./go.ts')).followPromotion),
    getLookup: lazily(async () => (await lookup()).getLookup),
    sendLookup: lazily(async () => (await lookup()).sendLookup),
    getUnsubscribePage: lazily(async () => (await unsubscribe()).getUnsubscribePage),
    sendUnsubscribe: lazily(async () => (await unsubscribe()).sendUnsubscribe),
    getTrackingFacts: lazily(async () => (await page()).getTrackingFacts),
    previewTrackingPage: lazily(async () => (await preview()).previewTrackingPage),
    previewDraft: lazily(async () => (await preview()).previewDraft),
  },
  authentication,
  multipartBody,
  async (error, request) => (await import('./views/error-view.ts')).errorPage(error, request),
);
