import { shopKey } from '#platform/access/api-key-item.ts';
import type { Implementation } from '#platform/http/request.ts';
import { lostMeans } from '#platform/table/conditional-writes.ts';
import type { shops } from '#schemas/families/shops.ts';
import { apiKeysOfShop, deleteKey, insertKey } from './api-key-store.ts';

export const listApiKeys: Implementation<typeof shops.listApiKeys> = async ({ shop }) => {
  const keys = await apiKeysOfShop(shop.slug);
  return {
    username: shop.slug,
    tokens: keys.map(({ token_id, masked_secret, shops, expiration }) => ({
      id: token_id,
      secret: masked_secret,
      shops,
      expiration,
    })),
  };
};

export const createApiKey: Implementation<typeof shops.createApiKey> = async ({ shop, body, now }) => {
  const { secret, item } = shopKey(shop.slug, body.role, body.expiration, now);
  await insertKey(item);
  const { token_id, username, shops, expiration } = item;
  return { id: token_id, secret, username, shops, expiration };
};

export const deleteApiKey: Implementation<typeof shops.deleteApiKey> = async ({ shop, params: { token_id } }) => {
  await lostMeans('api_key_not_found', deleteKey(shop.slug, token_id));
  return { token_id };
};
