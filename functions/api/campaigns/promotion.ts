import type { Order } from '#domain/orders/model.ts';
import { type StoredItem, toOrder } from '#domain/orders/order-items.ts';
import { type AbTestRecord, customerOf } from '#domain/promotions/ab-test.ts';
import { type CampaignRecord, campaignKind, shownCampaigns } from '#domain/promotions/campaign.ts';
import { offerTo } from '#domain/promotions/offer.ts';
import {
  choosePromotion,
  type Offer as OfferOf,
  type PromotionChoice,
  type Verdict as VerdictOf,
} from '#domain/promotions/promotion-choice.ts';
import { loadSettings, showsProducts } from '#domain/settings/stored-settings.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { keyOf } from '#platform/table/keys.ts';
import { readList } from '#platform/table/paging.ts';
import { getItem } from '#platform/table/reads.ts';
import { recordReader } from '#platform/table/records.ts';
import type { Considered, campaigns, OrderPromotion, PromotionReason } from '#schemas/families/campaigns.ts';

type Offer = OfferOf<CampaignRecord, AbTestRecord>;
type Verdict = VerdictOf<CampaignRecord, AbTestRecord>;

export const getPromotion: Implementation<typeof campaigns.getPromotion> = async (request) => {
  const { shop, params, query, language, now } = request;
  const [order, settings] = await Promise.all([
    orderOf(shop.slug, params.order_id.toLowerCase()),
    loadSettings(shop.slug),
  ]);
  const customer = { id: customerOf(order), segments: order.segments ?? [] };
  const offer = { ...(await offerTo(shop.slug, customer, now)), showsProducts: showsProducts(settings) };
  const choice = choosePromotion(customer, query.explain ? await withNewest(shop.slug, offer) : offer, now);
  const [promotion = null] = await shownCampaigns(choice.campaign ? [choice.campaign] : [], request);
  return {
    promotion,
    language,
    ab_test: abTestOf(choice),
    ...(query.explain && { explanation: choice.verdicts.map(toConsidered) }),
  };
};

async function orderOf(slug: string, uuid: string): Promise<Order> {
  const item = await getItem<StoredItem>(keyOf.order(slug, uuid));
  if (!item) throw new ServiceError('order_not_found');
  return toOrder(item);
}

function abTestOf({ test }: PromotionChoice): OrderPromotion['ab_test'] {
  if (!test) return null;
  const { uuid, variant } = test;
  return { ab_test_id: uuid, campaign_id: variant ?? null, holdout: variant === undefined };
}

const maxExplained = 100;

/** Adds the newest campaigns of the shop, so that the explanation covers them too. */
async function withNewest(slug: string, offer: Offer): Promise<Offer> {
  const { entries } = await readList<CampaignRecord>(recordReader(campaignKind, slug), { size: maxExplained });
  const known = new Set(offer.campaigns.map(({ uuid }) => uuid));
  return { ...offer, campaigns: [...offer.campaigns, ...entries.filter(({ uuid }) => !known.has(uuid))] };
}

function toConsidered({ kind, record, reason }: Verdict): Considered {
  const { uuid, name, segment } = record;
  const chosen = reason === 'chosen';
  const message = chosen && kind === 'ab_test' ? 'It decides what the customer sees.' : reasonTexts[reason];
  return { kind, uuid, name, segment, chosen, reason, message };
}

const reasonTexts: Record<PromotionReason, string> = {
  chosen: 'The customer sees it.',
  other_segment: 'The order is not in its segment.',
  disabled: 'It is not enabled.',
  not_started: 'It has not started yet.',
  ended: 'It has ended.',
  product_recommendations_off: 'The shop has turned off campaigns of the type product.',
  in_ab_test: 'A running A/B test in a segment of the order decides who sees it, and this customer does not.',
  segment_has_ab_test: 'A running A/B test replaces it in its segment.',
  holdout: 'The customer is in its holdout and sees nothing.',
  variant_not_available:
    "The customer's variant was deleted, has not started or has ended, so the customer sees nothing.",
  lower_priority: "Another one has priority, because it is for the customer's own segment or started later.",
};
