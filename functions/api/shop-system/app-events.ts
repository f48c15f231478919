import { fieldsOf } from '#platform/foreign-json.ts';
import type { Implementation } from '#platform/http/request.ts';
import { keyOf } from '#platform/table/keys.ts';
import { commit, retryOnConflict, update } from '#platform/table/writes.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';
import { removeAppCredentials } from './app-credentials.ts';
import { removeAppRegistrations } from './app-registrations.ts';
import type { AppRequest } from './app-signature.ts';
import { readSecret } from './shop-secret.ts';

/**
 * Only the removal of the app changes anything. It counts if the shop that tells it is the one that has confirmed last, and
 * has signed with its secret: a copy of the shop, or what comes late after a new installation, removes nothing.
 */
export const receiveAppEvent: Implementation<typeof shopSystem.receiveAppEvent> = async ({ shop, body, signed }) => {
  const { data, source } = fieldsOf(body);
  const { secret, signedBy } = signed.settings as AppRequest;
  const { shopId } = fieldsOf(source);
  if (fieldsOf(data).event !== 'app.deleted' || signedBy !== 'current') return null;
  await retryOnConflict(async () => {
    const stored = await readSecret(shop.slug);
    const { installation } = stored ?? {};
    if (!stored || !installation || installation.shop_id !== shopId) return;
    if (Buffer.compare(stored.ciphertext, secret.ciphertext) !== 0) return;
    await commit([
      update(keyOf.shopSystemSecret(shop.slug), {
        UpdateExpression: 'REMOVE installation',
        ConditionExpression: 'ciphertext = :ciphertext AND installation.shop_id = :shop',
        ExpressionAttributeValues: { ':ciphertext': stored.ciphertext, ':shop': shopId },
      }),
      ...(await removeAppCredentials(shop)),
      ...(await removeAppRegistrations(shop)),
    ]);
  });
  return null;
};
