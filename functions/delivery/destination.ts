import type { IntegrationId } from '#schemas/integrations.ts';
import { type IntegrationTarget, integrationTargets } from '#shared/deliveries/integration-targets.ts';
import type { Delivery } from '#shared/deliveries/model.ts';
import { gatheredGet } from '#shared/gathered-get.ts';
import { keyOf } from '#shared/keys.ts';
import { decryptOnce } from '#shared/known-plaintexts.ts';
import { endpointOf, secretsInForce } from '#shared/webhooks/endpoint-store.ts';
import { type Credential, credentialHeader } from './credential-header.ts';
import { signatureHeaders } from './signature.ts';

/** Where the deliveries of a target go, and how each shows that it comes from us. */
export interface Destination {
  url: string;
  headersFor(id: string, body: Uint8Array, now: Date): Promise<Record<string, string>>;
}

type Place = Pick<Delivery, 'shop_slug' | 'target'>;

export type DestinationOf = (place: Place) => Promise<Destination | undefined>;

/** Undefined where the target no longer takes deliveries. */
export const destinationOf: DestinationOf = ({ shop_slug, target }) => {
  const configured = integrationTargets()[target as IntegrationId];
  return configured ? integration(shop_slug, target as IntegrationId, configured) : webhook(shop_slug, target);
};

async function webhook(slug: string, uuid: string): Promise<Destination | undefined> {
  const endpoint = await endpointOf(slug, uuid);
  if (endpoint?.status !== 'active') return undefined;
  return {
    url: endpoint.url,
    headersFor: async (id, body, now) =>
      signatureHeaders({ id, body, secrets: await secretsInForce(endpoint, now), now }),
  };
}

async function integration(
  slug: string,
  id: IntegrationId,
  configured: IntegrationTarget,
): Promise<Destination | undefined> {
  const [shop, key] = await gatheredGet([keyOf.shop(slug), keyOf.integrationKey(slug, id)]);
  if (!shop || !key) return undefined;
  const plaintext = await decryptOnce(key.ciphertext as Uint8Array, { shop: shop.uuid as string, integration: id });
  const authentication = credentialHeader(configured.scheme, JSON.parse(plaintext) as Credential);
  return {
    url: configured.url,
    headersFor: async (deliveryId, _body, now) => ({
      ...authentication,
      'webhook-id': deliveryId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    }),
  };
}
