import type { Implementation } from '#platform/http/request.ts';
import { pageOf } from '#platform/table/list-page.ts';
import type { deals } from '#schemas/families/deals.ts';
import { allDeals, dealRecords } from './deal-records.ts';
import { byRank } from './deal-rules.ts';
import { shown } from './shown.ts';

export const listAllDeals: Implementation<typeof deals.listAllDeals> = async (request) =>
  shown(await pageOf(request, 'deals', allDeals), request.language);

/** A shop has a bounded number of deals, and their ranks change: they are read whole and put in order. */
export const listDeals: Implementation<typeof deals.listDeals> = async ({ shop, query, language }) => {
  const found = (await dealRecords.all(shop.slug)).sort(byRank);
  const first = (query.page - 1) * query.per_page;
  return shown(found.slice(first, first + query.per_page), language, shop);
};
