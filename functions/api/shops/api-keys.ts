import { type ApiKeyItem, shopKey } from '#platform/access/api-key.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { apiKeysOf, keyOf } from '#platform/table/keys.ts';
import { itemsIn, queryAllWithin } from '#platform/table/reads.ts';
import { commit, commitOnce, insert, remove } from '#platform/table/writes.ts';
import type { shops } from '#schemas/families/shops.ts';

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
  await commitOnce([insert(item)]);
  const { token_id, username, shops, expiration } = item;
  return { id: token_id, secret, username, shops, expiration };
};

export const deleteApiKey: Implementation<typeof shops.deleteApiKey> = async ({ shop, params: { token_id } }) => {
  await commit([
    { ...remove(keyOf.apiKey(shop.slug, token_id), isShopKey, { ':no': false }), refusal: 'api_key_not_found' },
  ]);
  return { token_id };
};

/** A shop must neither see nor delete the key of a SuperAdmin whose username equals the shop's slug. */
const isShopKey = 'superadmin = :no';

async function apiKeysOfShop(username: string): Promise<ApiKeyItem[]> {
  const { ExpressionAttributeValues: values, ...all } = itemsIn(apiKeysOf(username));
  const ExpressionAttributeValues = { ...values, ':no': false };
  const query = { ...all, FilterExpression: isShopKey, ExpressionAttributeValues, ConsistentRead: true };
  const keys = await queryAllWithin<ApiKeyItem>(query, () => new ServiceError('payload_too_large'));
  return keys.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}
