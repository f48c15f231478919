import { clockOf } from '#domain/orders/simulated.ts';
import { promotionFor } from '#domain/pages/page-promotion.ts';
import type { Page } from '#domain/pages/page-store.ts';
import { recordView } from '#domain/pages/page-visits.ts';
import { countShowing } from '#domain/pages/promotion-counts.ts';
import type { Storefront } from '#domain/pages/storefront.ts';
import { loadTexts } from '#domain/texts/texts.ts';
import { toTrackingPage } from '#domain/tracking-page/facts.ts';
import { loadPageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import { isOffered, type Period, periodOf } from '#domain/withdrawals/withdrawal-rules.ts';
import { ownPath } from '#platform/html.ts';
import type { Implementation, Request } from '#platform/http/request.ts';
import type { pages } from '#schemas/families/pages.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { conversationsOf } from './conversations.ts';
import { freshKey } from './form-key.ts';
import { isCounted, languageFor, openPage } from './open-page.ts';
import { trackingView } from './views/tracking-view.ts';
import type { PageContext } from './views/view.ts';

type Operations = typeof pages;
type Looking = Omit<Request<Operations['getTrackingFacts']>, 'body'>;

export const getTrackingFacts: Implementation<Operations['getTrackingFacts']> = async (request) =>
  (await factsFor(request)).facts;

export const getTrackingPage: Implementation<Operations['getTrackingPage']> = async (request) => {
  const { facts, today, formKey, page, period } = await factsFor(request);
  const { language } = facts;
  const context = { language, texts: await loadPageTexts(language), now: today };
  const notice = notices[request.query.sent ?? ''];
  const withdrawal = await withdrawalPart(facts, page, period, context);
  return trackingView(facts, context, { formKey, ...(notice && { notice }), ...withdrawal });
};

const notices: Record<string, 'claim_sent' | 'message_sent' | 'rating_sent' | undefined> = {
  1: 'claim_sent',
  message: 'message_sent',
  rating: 'rating_sent',
};

/** What the page says about a withdrawal: that it can be declared, or that it was. Its code is loaded where it is needed. */
async function withdrawalPart(facts: TrackingPage, page: Page, period: Period | undefined, context: PageContext) {
  if (!page.withdrawal && !facts.links.withdrawal_url) return {};
  const [{ loadWithdrawalTexts }, { withdrawalDeclared, withdrawalOffer }] = await Promise.all([
    import('#domain/withdrawals/texts/withdrawal-texts.ts'),
    import('./views/withdrawal-view.ts'),
  ]);
  const withTexts = { ...context, withdrawalTexts: await loadWithdrawalTexts(context.language) };
  if (page.withdrawal) return { withdrawn: withdrawalDeclared(page.withdrawal, facts, withTexts) };
  const way = ownPath([page.token, 'withdrawal'], { lang: context.language });
  return { withdrawalOffer: withdrawalOffer(period!, way, withTexts) };
}

interface Looked {
  facts: TrackingPage;
  today: Date;
  /** The hidden field of the forms. */
  formKey: string;
  page: Page;
  /** Undefined if the shop offers no withdrawal on its page. */
  period: Period | undefined;
}

/** What the page shows to somebody who looks at it now. The visit is recorded, and the first showing of a promotion counted. */
async function factsFor(request: Looking): Promise<Looked> {
  const { params, headers, serviceUrl, now } = request;
  languageFor(request);
  const opened = await openPage(params.token, now);
  const { page, fullOrder, storefront } = opened;
  const language = languageFor(request, storefront);
  const counts = isCounted(fullOrder.order, headers);
  const today = await clockOf(page.slug, fullOrder.order, now);
  const [promotion, texts, messages] = await Promise.all([
    promotionFor(page.slug, fullOrder.order, today === now ? storefront : withoutPromotions(storefront), today),
    loadTexts(language),
    conversationsOf(opened, now),
    counts && recordView(page, language, now),
  ]);
  if (promotion && counts) {
    await countShowing(page, { campaignId: promotion.campaign.uuid, testId: promotion.testId, now });
  }
  const { token, claims, ratings, withdrawal } = page;
  // A view of the storefront that the release before this one stored has no such settings.
  const { withdrawal_enabled: offers, withdrawal_days: days = 14 } = storefront.settings;
  const period = offers ? periodOf(fullOrder, days) : undefined;
  const offersWithdrawal = !withdrawal && period !== undefined && isOffered(fullOrder, period, today);
  const shown = { claims, messages, ratings, withdrawal, offersWithdrawal };
  const reader = { language, texts, serviceUrl, now: today };
  const facts = toTrackingPage({ token, fullOrder, storefront, promotion, ...shown }, reader);
  return { facts, today, formKey: freshKey(opened, now), page, period };
}

/** The storefront lists what is open now. The clock of a simulation is at another time. */
const withoutPromotions = (storefront: Storefront): Storefront => ({ ...storefront, promotions: null });
