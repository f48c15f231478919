import { encryptSecret, newWebhookSecret } from '#domain/endpoints/secrets.ts';
import type { Implementation } from '#platform/http/request.ts';
import { retryLostRaces } from '#platform/table/retrying.ts';
import type { webhooks } from '#schemas/families/webhooks.ts';
import { requireEndpoint } from './endpoint-lookup.ts';
import { rotated, toWebhook } from './endpoint-rules.ts';
import { replaceSecrets } from './endpoint-writes.ts';

export const rotateWebhookSecret: Implementation<typeof webhooks.rotateWebhookSecret> = async (request) => {
  const { shop, params, body, now } = request;
  const secret = body.secret ?? newWebhookSecret();
  const place = { shop_slug: shop.slug, uuid: params.uuid.toLowerCase() };
  return retryLostRaces(async () => {
    const endpoint = await requireEndpoint(place.shop_slug, place.uuid);
    const secrets = rotated(endpoint.secrets, await encryptSecret(secret, place), body.grace_hours, now);
    await replaceSecrets(endpoint, secrets, now);
    return toWebhook({ ...endpoint, updated_at: now.toISOString() }, secret);
  });
};
