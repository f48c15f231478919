import { clockOf } from '#domain/orders/simulated.ts';
import { promotionFor } from '#domain/pages/page-promotion.ts';
import { recordView } from '#domain/pages/page-visits.ts';
import { countShowing } from '#domain/pages/promotion-counts.ts';
import type { Storefront } from '#domain/pages/storefront.ts';
import { loadTexts } from '#domain/texts/texts.ts';
import { toTrackingPage } from '#domain/tracking-page/facts.ts';
import { loadPageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import type { Implementation, Request } from '#platform/http/request.ts';
import type { pages } from '#schemas/families/pages.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { isCounted, languageFor, openPage } from './open-page.ts';
import { trackingView } from './views/tracking-view.ts';

type Operations = typeof pages;
type Looking = Omit<Request<Operations['getTrackingFacts']>, 'body'>;

export const getTrackingFacts: Implementation<Operations['getTrackingFacts']> = async (request) =>
  (await factsFor(request)).facts;

export const getTrackingPage: Implementation<Operations['getTrackingPage']> = async (request) => {
  const { facts, today } = await factsFor(request);
  const { language } = facts;
  const context = { language, texts: await loadPageTexts(language), now: today };
  return trackingView(facts, context, request.query.sent === '1' ? { notice: 'claim_sent' } : {});
};

/** What the page shows to somebody who looks at it now. The visit is recorded, and the first showing of a promotion counted. */
async function factsFor(request: Looking): Promise<{ facts: TrackingPage; today: Date }> {
  const { params, headers, serviceUrl, now } = request;
  languageFor(request);
  const { page, fullOrder, storefront } = await openPage(params.token, now);
  const language = languageFor(request, storefront);
  const counts = isCounted(fullOrder.order, headers);
  const today = await clockOf(page.slug, fullOrder.order, now);
  const [promotion, texts] = await Promise.all([
    promotionFor(page.slug, fullOrder.order, today === now ? storefront : withoutPromotions(storefront), today),
    loadTexts(language),
    counts && recordView(page, language, now),
  ]);
  if (promotion && counts) {
    await countShowing(page, { campaignId: promotion.campaign.uuid, testId: promotion.testId, now });
  }
  const { token, claims } = page;
  const facts = toTrackingPage({ token, fullOrder, claims, storefront, promotion }, { language, texts, serviceUrl });
  return { facts, today };
}

/** The storefront lists what is open now. The clock of a simulation is at another time. */
const withoutPromotions = (storefront: Storefront): Storefront => ({ ...storefront, promotions: null });
