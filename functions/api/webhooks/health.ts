import { readCircuit } from '#domain/deliveries/circuit-store.ts';
import { listDeliveries } from '#domain/deliveries/delivery-store.ts';
import type { Endpoint } from '#domain/endpoints/endpoint.ts';
import { olderSecrets } from '#domain/endpoints/secrets.ts';
import { mask } from '#platform/access/api-key.ts';
import type { Implementation } from '#platform/http/request.ts';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';
import type { IntegrationHealth, WebhookHealth, webhooks } from '#schemas/families/webhooks.ts';
import { requireEndpoint } from './endpoints.ts';
import { healthOf } from './health-rules.ts';

export const getWebhookHealth: Implementation<typeof webhooks.getWebhookHealth> = async ({ shop, params, now }) => {
  const endpoint = await requireEndpoint(shop.slug, params.uuid);
  const [health, older_secrets] = await Promise.all([
    healthOfTarget(shop.slug, endpoint.uuid),
    olderSecretsOf(endpoint, now),
  ]);
  return { ...health, older_secrets };
};

export const getIntegrationHealth: Implementation<typeof webhooks.getIntegrationHealth> = ({ shop, params }) =>
  healthOfTarget(shop.slug, params.integration);

/** From a few reads of the newest deliveries: where these are large, they are fewer. */
async function healthOfTarget(slug: string, target: string): Promise<IntegrationHealth> {
  const [{ circuit }, { deliveries }] = await Promise.all([
    readCircuit(slug, target),
    listDeliveries(slug, target, { limit: deliveryLimits.ofHealth }),
  ]);
  return healthOf(circuit, deliveries);
}

async function olderSecretsOf(endpoint: Endpoint, now: Date): Promise<WebhookHealth['older_secrets']> {
  const older = await olderSecrets(endpoint, now);
  return older.map(({ secret, expires_at }) => ({ masked_secret: mask(secret), valid_until: expires_at }));
}
