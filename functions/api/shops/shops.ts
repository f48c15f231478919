import { v7 as uuidv7 } from 'uuid';
import { endKeys, startRemoval } from '#domain/privacy/shop-removal.ts';
import type { Caller, ShopItem } from '#platform/access/caller.ts';
import { invalidValue, ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { checkAddress } from '#platform/outgoing/address-guard.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { positionsOf } from '#platform/table/list-counters.ts';
import { pageOf, readPage } from '#platform/table/paging.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import { shopRemovalLimits } from '#schemas/catalogues/limits.ts';
import { slugPattern } from '#schemas/catalogues/slug.ts';
import type { ShopFilters, shops } from '#schemas/families/shops.ts';
import { firstSettings, matches, newestFirst, newShop, shopChanges, toAddresses, toShop } from './shop-rules.ts';
import { getShops, insertShop, shopReader, shopWithUuid, updateShopFields } from './shop-store.ts';

export const createShop: Implementation<typeof shops.createShop> = async ({ body, now }) => {
  await checkAddress('shop_admin_url', body.shop_admin_url);
  const shop = newShop(body, uuidv7({ msecs: now.getTime() }), now);
  await insertShop(shop, firstSettings(body.settings));
  return null;
};

export const getShop: Implementation<typeof shops.getShop> = ({ shop }) => toShop(shop);

export const getShopAddresses: Implementation<typeof shops.getShopAddresses> = ({ shop }) => toAddresses(shop);

export const updateShop: Implementation<typeof shops.updateShop> = async ({ shop, body, refuseIfChanged, now }) => {
  refuseIfChanged(shop.updated_at);
  await checkAddress('shop_admin_url', body.shop_admin_url);
  let known: ShopItem | undefined = shop;
  await retryOnConflict(async () => {
    const before = known ?? (await requireShop(shop.slug));
    known = undefined;
    refuseIfChanged(before.updated_at);
    await updateShopFields(shop.slug, shopChanges(before, body, now), before.updated_at);
  });
  return null;
};

export const deleteShop: Implementation<typeof shops.deleteShop> = async ({ shop, query, now }) => {
  if (query.confirm !== shop.slug) throw invalidValue(['query', 'confirm'], 'must be the slug of the shop');
  await startRemoval(shop, now);
  const deadline = performance.now() + shopRemovalLimits.requestSeconds * 1000;
  await endKeys(shop.slug, () => performance.now() > deadline);
  return null;
};

async function requireShop(slug: string): Promise<ShopItem> {
  const [shop] = await getShops([slug]);
  if (!shop) throw new ServiceError('shop_not_found');
  return shop;
}

export const searchShops: Implementation<typeof shops.searchShops> = async (request) => {
  const { caller, query } = request;
  const candidates = await candidatesFor(caller, query);
  if (!candidates) {
    const found = hasFilters(query)
      ? await readPage(
          request,
          'shops',
          shopReader((shop) => matches(shop, query)),
        )
      : await readPage(request, 'shops', shopReader(), positionsOf(countedLists.shops()));
    return found.map(toShop);
  }
  const found = candidates.filter((shop) => matches(shop, query)).sort(newestFirst);
  return pageOf(found, query).map(toShop);
};

/** The few shops that can match, or undefined if all shops can. */
async function candidatesFor(caller: Caller, { slug, uuid }: ShopFilters): Promise<ShopItem[] | undefined> {
  if (!caller.superAdmin) return getShops(slugsOf(caller.shops.map(({ shop_slug }) => shop_slug)));
  if (slug !== undefined) return getShops(slugsOf([slug]));
  return uuid === undefined ? undefined : shopWithUuid(uuid.toLowerCase());
}

const slugsOf = (texts: readonly string[]) => texts.filter((text) => slugSyntax.test(text));

const slugSyntax = new RegExp(slugPattern);

const hasFilters = ({ name, search, shop_provider, language, organization }: ShopFilters) =>
  [name, search, shop_provider, language, organization].some((filter) => filter !== undefined);
