import type { Order } from '#domain/orders/model.ts';
import { type StoredItem, toOrder } from '#domain/orders/order-items.ts';
import { customerOf } from '#domain/promotions/assignment.ts';
import { shownCampaigns } from '#domain/promotions/shown-campaigns.ts';
import { ApiError } from '#platform/http/api-error.ts';
import type { Implementation } from '#platform/http/request.ts';
import { batchGet } from '#platform/table/batch-get.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { campaigns, OrderPromotion } from '#schemas/families/campaigns.ts';
import { choosePromotion, type PromotionChoice } from './promotion-choice.ts';
import { offerTo, withNewest } from './promotion-offer.ts';
import { toConsidered } from './promotion-words.ts';

export const getPromotion: Implementation<typeof campaigns.getPromotion> = async (request) => {
  const { shop, params, query, language, now } = request;
  const order = await orderOf(shop.slug, params.order_id.toLowerCase());
  const customer = { id: customerOf(order), segments: order.segments ?? [] };
  const offer = await offerTo(shop.slug, customer, now);
  const choice = choosePromotion(customer, query.explain ? await withNewest(shop.slug, offer) : offer, now);
  const [promotion = null] = await shownCampaigns(choice.campaign ? [choice.campaign] : [], request);
  return {
    promotion,
    language,
    ab_test: assigned(choice),
    ...(query.explain && { explanation: choice.verdicts.map(toConsidered) }),
  };
};

async function orderOf(slug: string, uuid: string): Promise<Order> {
  const [item] = await batchGet([keyOf.order(slug, uuid)]);
  if (!item) throw new ApiError('order_not_found');
  return toOrder(item as unknown as StoredItem);
}

function assigned({ test }: PromotionChoice): OrderPromotion['ab_test'] {
  if (!test) return null;
  const { uuid, variant } = test;
  return { ab_test_id: uuid, campaign_id: variant ?? null, holdout: variant === undefined };
}
