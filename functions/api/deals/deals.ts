import {
  allDeals,
  byRank,
  type DealFields,
  type DealRecord,
  dealRecords,
  dealTexts,
  nextRank,
} from '#domain/promotions/deal.ts';
import { discountExists, discountsNamed } from '#domain/promotions/discount.ts';
import type { Implementation } from '#platform/http/request.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { keyOf } from '#platform/table/keys.ts';
import { positionsOf } from '#platform/table/list-counters.ts';
import { type PageRequest, pageOf, readPage } from '#platform/table/paging.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import type { Deal, deals } from '#schemas/families/deals.ts';

export const createDeal: Implementation<typeof deals.createDeal> = async ({ shop, body, language, now }) => {
  const deal = await dealRecords.create(shop.slug, now, async () => {
    const { rank, take } = await nextRank(shop.slug);
    const fields = { ...emptyFields, ...body, discount_id: body.discount_id.toLowerCase(), rank };
    return { fields, also: [take, discountExists(shop.slug, fields.discount_id)] };
  });
  const [response] = await toResponses([deal], language, shop);
  return response!;
};

const emptyFields = {
  brand_image_url: null,
  brand_logo_url: null,
  cta_url: null,
  title: null,
  description: null,
  translations: [],
} satisfies Partial<DealFields>;

export const updateDeal: Implementation<typeof deals.updateDeal> = async (request) => {
  const { shop, params, body, language } = request;
  const discountId = body.discount_id?.toLowerCase();
  const deal = await dealRecords.change(shop.slug, params.deal_id, request, (before) => ({
    fields: { ...before, ...body, ...(discountId !== undefined && { discount_id: discountId }) },
    also: discountId === undefined ? [] : [discountExists(shop.slug, discountId)],
  }));
  const [response] = await toResponses([deal], language, shop);
  return response!;
};

export const deleteDeal: Implementation<typeof deals.deleteDeal> = async (request) => {
  await dealRecords.remove(request.shop.slug, request.params.deal_id, request);
  return null;
};

export const listAllDeals: Implementation<typeof deals.listAllDeals> = async (request) =>
  toResponses(await readPage(request, 'deals', allDeals, positions), request.language);

const positions = positionsOf(countedLists.dealsOfAllShops());

export const listDeals: Implementation<typeof deals.listDeals> = async (request) => {
  const { shop, query, language } = request;
  const found = query.uuid === undefined ? await pageByRank(shop.slug, query) : await dealRecords.page(request);
  return toResponses(found, query.untranslated ? null : language, shop);
};

/** Ranks change, and a shop has a limited number of deals, so all of them are read and sorted. */
const pageByRank = async (slug: string, query: PageRequest['query']): Promise<DealRecord[]> =>
  pageOf((await dealRecords.all(slug)).sort(byRank), query);

interface NamedShop {
  slug: string;
  name: string;
}

/**
 * The deals as a response shows them, with their discounts and the names of their shops.
 * @param language null shows the texts as they were written
 */
async function toResponses(deals: readonly DealRecord[], language: Language | null, shop?: NamedShop): Promise<Deal[]> {
  const [discounts, names] = await Promise.all([
    discountsNamed(deals),
    shop ? new Map([[shop.slug, shop.name]]) : shopNames(deals),
  ]);
  return deals.map((deal) => {
    const { uuid, shop_slug, discount_id, brand_image_url, brand_logo_url, cta_url, rank, translations } = deal;
    const { title, description, created_at, updated_at } = deal;
    return {
      uuid,
      shop_slug,
      shop_name: names.get(shop_slug) ?? null,
      discount_id,
      brand_image_url,
      brand_logo_url,
      cta_url,
      ...(language ? dealTexts(deal, language) : { title, description }),
      rank,
      discount: discounts.get(discount_id) ?? null,
      translations,
      created_at,
      updated_at,
    };
  });
}

async function shopNames(deals: readonly DealRecord[]): Promise<Map<string, string>> {
  const slugs = [...new Set(deals.map(({ shop_slug }) => shop_slug))];
  const shops = (await batchGet(slugs.map(keyOf.shop))) as (NamedShop | undefined)[];
  return new Map(shops.flatMap((shop) => (shop ? [[shop.slug, shop.name]] : [])));
}
