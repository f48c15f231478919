import { discountExists } from '#domain/promotions/discount.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { deals } from '#schemas/families/deals.ts';
import { dealRecords, nextRank } from './deal-records.ts';
import { newDeal } from './deal-rules.ts';
import { shown } from './shown.ts';

export const createDeal: Implementation<typeof deals.createDeal> = async ({ shop, body, language, now }) => {
  const deal = await dealRecords.create(shop.slug, now, async () => {
    const { rank, take } = await nextRank(shop.slug);
    const fields = newDeal(body, rank);
    return { fields, also: [take, discountExists(shop.slug, fields.discount_id)] };
  });
  const [answer] = await shown([deal], language, shop);
  return answer!;
};

export const updateDeal: Implementation<typeof deals.updateDeal> = async ({ shop, params, body, language, now }) => {
  const discountId = body.discount_id?.toLowerCase();
  const deal = await dealRecords.change(shop.slug, params.deal_id, now, (before) => ({
    fields: { ...before, ...body, ...(discountId !== undefined && { discount_id: discountId }) },
    also: discountId === undefined ? [] : [discountExists(shop.slug, discountId)],
  }));
  const [answer] = await shown([deal], language, shop);
  return answer!;
};

export const deleteDeal: Implementation<typeof deals.deleteDeal> = async ({ shop, params }) => {
  await dealRecords.remove(shop.slug, params.deal_id);
  return null;
};
