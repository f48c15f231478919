import { v7 as uuidv7 } from 'uuid';
import type { Caller, ShopItem } from '#platform/access/caller.ts';
import { invalid } from '#platform/http/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { addressFault } from '#platform/outgoing/address-guard.ts';
import { throwOnConflict } from '#platform/table/writes.ts';
import { slugPattern } from '#schemas/catalogues/slug.ts';
import type { ShopFilters, shops } from '#schemas/families/shops.ts';
import { firstSettings, matches, newestFirst, newShop, shopChanges, toShop } from './shop-rules.ts';
import { allShops, getShops, insertShop, updateShopFields } from './shop-store.ts';

export const createShop: Implementation<typeof shops.createShop> = async ({ body, now }) => {
  await checkAdminUrl(body.shop_admin_url);
  const shop = newShop(body, uuidv7({ msecs: now.getTime() }), now);
  await throwOnConflict('shop_exists', insertShop(shop, firstSettings(body.settings)));
  return null;
};

export const getShop: Implementation<typeof shops.getShop> = ({ shop }) => toShop(shop);

export const updateShop: Implementation<typeof shops.updateShop> = async ({ shop, body, now }) => {
  await checkAdminUrl(body.shop_admin_url);
  await throwOnConflict('shop_not_found', updateShopFields(shop.slug, shopChanges(body, now)));
  return null;
};

export const searchShops: Implementation<typeof shops.searchShops> = async ({ caller, query }) => {
  const first = (query.page - 1) * query.per_page;
  const found = await findShops(caller, query, first + query.per_page);
  return found.slice(first, first + query.per_page).map(toShop);
};

/** Returns at least the first `enough` matching shops of the caller, or all if there are fewer. */
async function findShops(caller: Caller, filters: ShopFilters, enough: number): Promise<ShopItem[]> {
  if (!caller.superAdmin || filters.slug !== undefined) {
    const slugs = caller.superAdmin ? [filters.slug!] : caller.shops.map(({ shop_slug }) => shop_slug);
    const shops = await getShops(slugs.filter((slug) => slugSyntax.test(slug)));
    return shops.filter((shop) => matches(shop, filters)).sort(newestFirst);
  }
  const found: ShopItem[] = [];
  for await (const shops of allShops(filters.uuid?.toLowerCase(), hasFilters(filters) ? undefined : enough)) {
    found.push(...shops.filter((shop) => matches(shop, filters)));
    if (found.length >= enough) break;
  }
  return found;
}

const slugSyntax = new RegExp(slugPattern);

const hasFilters = ({ name, shop_provider, language, organization }: ShopFilters) =>
  [name, shop_provider, language, organization].some((filter) => filter !== undefined);

async function checkAdminUrl(url: string | null | undefined): Promise<void> {
  const fault = url ? await addressFault(url) : undefined;
  if (fault) throw invalid({ loc: ['body', 'shop_admin_url'], msg: fault, type: 'value_error' });
}
