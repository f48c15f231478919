import { validate as isUuid } from 'uuid';
import { promotionFor } from '#domain/pages/page-promotion.ts';
import { countClick } from '#domain/pages/promotion-counts.ts';
import { type CampaignRecord, campaignRecords } from '#domain/promotions/campaign.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { pageLink, webLink } from '#schemas/catalogues/links.ts';
import type { pages } from '#schemas/families/pages.ts';
import { isCounted, type OpenPage, openPage } from './open-page.ts';
import { redirectTo } from './redirect.ts';

/** Leads to the page of the promotion, and counts the click. */
export const followPromotion: Implementation<typeof pages.followPromotion> = async ({ params, headers, now }) => {
  const opened = await openPage(params.token, now);
  const campaign = await campaignOf(opened.page.slug, params.promotion_id);
  const location = campaign && landingUrl(campaign);
  if (!location) throw new ServiceError('page_not_found');
  if (isCounted(opened.fullOrder.order, headers)) await countIfShown(opened, campaign.uuid, now);
  return redirectTo(location);
};

const campaignOf = async (slug: string, id: string) => (isUuid(id) ? campaignRecords.find(slug, id) : undefined);

/** Counts only what the customer can have seen: what the page showed, or what it would show now. */
async function countIfShown({ page, fullOrder, storefront }: OpenPage, campaignId: string, now: Date): Promise<void> {
  if (page.shown.has(campaignId)) return countClick(page, { campaignId, testId: undefined, now });
  const chosen = await promotionFor(page.slug, fullOrder.order, storefront, now);
  if (chosen?.campaign.uuid === campaignId) await countClick(page, { campaignId, testId: chosen.testId, now });
}

/** The link of the promotion, with the attribution in its query. Undefined if it has none. */
export function landingUrl({ name, promotion_type, promotion_properties }: CampaignRecord): string | undefined {
  const { cta_url } = promotion_properties;
  const shown = pageLink(cta_url);
  // An attribution would be part of the letter that a `mailto:` begins.
  if (shown === null || webLink(shown) === null) return shown ?? undefined;
  const url = new URL(shown);
  const attribution = {
    utm_source: 'trackpages',
    utm_medium: `${promotion_type}_promotion`,
    utm_campaign: name.toWellFormed(),
  };
  for (const parameter of Object.keys(attribution)) {
    // A deletion writes the whole query anew, which can change how it is escaped.
    if (url.searchParams.has(parameter)) url.searchParams.delete(parameter);
  }
  url.search = [url.search.slice(1), new URLSearchParams(attribution)].filter(String).join('&');
  return url.href;
}
