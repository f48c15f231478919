import { type ApiKeyItem, isShopKey, shopKey, shopKeysOf } from '#platform/access/api-key.ts';
import type { KeyUse } from '#platform/access/key-use.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { keyOf, keyUsesOf } from '#platform/table/keys.ts';
import { itemsIn, queryAllWithin } from '#platform/table/reads.ts';
import { commit, commitOnce, insert, remove } from '#platform/table/writes.ts';
import type { shops } from '#schemas/families/shops.ts';

export const listApiKeys: Implementation<typeof shops.listApiKeys> = async ({ shop }) => {
  const [keys, uses] = await Promise.all([apiKeysOfShop(shop.slug), usesOf(shop.slug)]);
  return {
    username: shop.slug,
    tokens: keys.map(({ token_id, name = null, masked_secret, shops, expiration, created_at }) => ({
      id: token_id,
      name,
      secret: masked_secret,
      shops,
      expiration,
      created_at,
      last_used_at: uses.get(token_id) ?? null,
    })),
  };
};

export const createApiKey: Implementation<typeof shops.createApiKey> = async ({ shop, body, now }) => {
  const { secret, item } = shopKey(shop.slug, body, now);
  await commitOnce([insert(item)]);
  const { token_id, username, name = null, shops, expiration, created_at } = item;
  return { id: token_id, name, secret, username, shops, expiration, created_at, last_used_at: null };
};

export const deleteApiKey: Implementation<typeof shops.deleteApiKey> = async ({ shop, params: { token_id } }) => {
  await commit([
    { ...remove(keyOf.apiKey(shop.slug, token_id), isShopKey, { ':no': false }), refusal: 'api_key_not_found' },
  ]);
  await commit([remove(keyOf.keyUse(shop.slug, token_id))]);
  return { token_id };
};

/** The day of the last use, by the id of the key. */
async function usesOf(username: string): Promise<Map<string, string>> {
  const uses = await queryAllWithin<KeyUse>(itemsIn(keyUsesOf(username)), () => new ServiceError('payload_too_large'));
  return new Map(uses.map(({ sk, used_on }) => [sk, used_on]));
}

async function apiKeysOfShop(username: string): Promise<ApiKeyItem[]> {
  const keys = await queryAllWithin<ApiKeyItem>(shopKeysOf(username), () => new ServiceError('payload_too_large'));
  return keys.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}
