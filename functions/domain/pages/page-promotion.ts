import type { Order } from '#domain/orders/model.ts';
import { customerOf } from '#domain/promotions/ab-test.ts';
import { type CampaignRecord, campaignRecords } from '#domain/promotions/campaign.ts';
import { offerTo } from '#domain/promotions/offer.ts';
import { type Customer, choosePromotion, type PromotableCampaign } from '#domain/promotions/promotion-choice.ts';
import { discountCodeOf, type Storefront } from './storefront.ts';
import { codesOf } from './storefront-store.ts';

/** The promotion that the customer of an order sees now. */
export interface PagePromotion {
  campaign: CampaignRecord;
  discount_code: string | null;
  /** The A/B test that gave the customer this campaign. */
  testId: string | undefined;
}

export const promotionFor = (slug: string, order: Order, storefront: Storefront, now: Date) =>
  promotionForCustomer(slug, { id: customerOf(order), segments: order.segments ?? [] }, storefront, now);

export async function promotionForCustomer(
  slug: string,
  customer: Customer,
  storefront: Storefront,
  now: Date,
): Promise<PagePromotion | undefined> {
  const { promotions, showsProducts } = storefront;
  const offer = promotions ?? (await offerTo(slug, customer, now));
  const choice = choosePromotion<PromotableCampaign, (typeof offer.tests)[number]>(
    customer,
    { ...offer, showsProducts },
    now,
  );
  if (!choice.campaign) return undefined;
  const campaign = await campaignRecords.find(slug, choice.campaign.uuid);
  return campaign && { campaign, discount_code: await codeOf(campaign, storefront), testId: choice.test?.uuid };
}

/** The storefront knows the codes of the campaigns that it lists. */
async function codeOf(campaign: CampaignRecord, { promotions }: Storefront): Promise<string | null> {
  const listed = promotions?.campaigns.find(({ uuid }) => uuid === campaign.uuid);
  return listed ? listed.discount_code : discountCodeOf(campaign, await codesOf([campaign]));
}
