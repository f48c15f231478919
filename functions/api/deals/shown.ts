import { discountsNamed } from '#domain/promotions/discount.ts';
import { batchGet } from '#platform/table/batch-get.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import type { Deal } from '#schemas/families/deals.ts';
import type { DealRecord } from './deal-records.ts';
import { toDeal } from './deal-rules.ts';

interface NamedShop {
  slug: string;
  name: string;
}

/** Deals as callers see them, with their discounts and the names of their shops. */
export async function shown(deals: readonly DealRecord[], language: Language, shop?: NamedShop): Promise<Deal[]> {
  const [discounts, names] = await Promise.all([
    discountsNamed(deals),
    shop ? new Map([[shop.slug, shop.name]]) : shopNames(deals),
  ]);
  return deals.map((deal) =>
    toDeal(deal, {
      shopName: names.get(deal.shop_slug) ?? null,
      discount: discounts.get(deal.discount_id) ?? null,
      language,
    }),
  );
}

/** A page has 100 deals at most, and so no more shops than one read takes. */
async function shopNames(deals: readonly DealRecord[]): Promise<Map<string, string>> {
  const slugs = [...new Set(deals.map(({ shop_slug }) => shop_slug))];
  if (slugs.length === 0) return new Map();
  const shops = (await batchGet(slugs.map(keyOf.shop))) as (NamedShop | undefined)[];
  return new Map(shops.flatMap((shop) => (shop ? [[shop.slug, shop.name]] : [])));
}
