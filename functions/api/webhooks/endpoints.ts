import { v7 as uuidv7 } from 'uuid';
import { resetCircuit } from '#domain/deliveries/circuit-store.ts';
import { newDelivery } from '#domain/deliveries/delivery-items.ts';
import { createAndWake } from '#domain/deliveries/delivery-store.ts';
import { testEvent } from '#domain/deliveries/test-event.ts';
import type { Endpoint } from '#domain/endpoints/endpoint.ts';
import { endpointOf, endpointsOf } from '#domain/endpoints/endpoint-store.ts';
import { currentSecret, encryptSecret, newWebhookSecret } from '#domain/endpoints/secrets.ts';
import { viewerOf } from '#domain/orders/presentation.ts';
import { invalidValue, ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { checkAddress } from '#platform/outgoing/address-guard.ts';
import { pageOf } from '#platform/table/paging.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import { laterThan } from '#platform/time.ts';
import type { WebhookFilters, webhooks } from '#schemas/families/webhooks.ts';
import {
  endpointChanges,
  matches,
  needsCircuitReset,
  newEndpoint,
  newestFirst,
  refOfTest,
  rotated,
  toWebhook,
} from './endpoint-rules.ts';
import { changeEndpoint, insertEndpoint, removeEndpoint } from './endpoint-writes.ts';

export const createWebhook: Implementation<typeof webhooks.createWebhook> = async ({ shop, body, now }) => {
  await checkAddress('url', body.url);
  const place = { shop_slug: shop.slug, uuid: uuidv7({ msecs: now.getTime() }) };
  const secret = body.secret ?? newWebhookSecret();
  const endpoint = newEndpoint(place, body, await encryptSecret(secret, place), now);
  await retryOnConflict(() => insertEndpoint(endpoint));
  return toWebhook(endpoint, secret);
};

export const searchWebhooks: Implementation<typeof webhooks.searchWebhooks> = async ({ shop, query }) => {
  const candidates = await candidatesFor(shop.slug, query);
  const found = candidates.filter((endpoint) => matches(endpoint, query)).sort(newestFirst);
  return Promise.all(pageOf(found, query).map(async (endpoint) => toWebhook(endpoint, await currentSecret(endpoint))));
};

export const updateWebhook: Implementation<typeof webhooks.updateWebhook> = async (request) => {
  const { shop, params, body, refuseIfChanged, now } = request;
  await checkAddress('url', body.url);
  const before = await retryOnConflict(async () => {
    const endpoint = await requireEndpoint(shop.slug, params.uuid);
    refuseIfChanged(endpoint.updated_at);
    await changeEndpoint(endpoint, endpointChanges(endpoint, body, now));
    return endpoint;
  });
  if (needsCircuitReset(before, body)) await resetCircuit(shop.slug, before.uuid, now);
  return null;
};

export const deleteWebhook: Implementation<typeof webhooks.deleteWebhook> = async ({ shop, params, now }) => {
  await retryOnConflict(async () => removeEndpoint(await requireEndpoint(shop.slug, params.uuid), now));
  return null;
};

export const rotateWebhookSecret: Implementation<typeof webhooks.rotateWebhookSecret> = async (request) => {
  const { shop, params, body, now } = request;
  const secret = body.secret ?? newWebhookSecret();
  const place = { shop_slug: shop.slug, uuid: params.uuid.toLowerCase() };
  return retryOnConflict(async () => {
    const endpoint = await requireEndpoint(place.shop_slug, place.uuid);
    const secrets = rotated(endpoint.secrets, await encryptSecret(secret, place), body.grace_hours, now);
    const updated_at = laterThan(endpoint.updated_at, now);
    await changeEndpoint(endpoint, { secrets, updated_at });
    return toWebhook({ ...endpoint, updated_at }, secret);
  });
};

export const testWebhook: Implementation<typeof webhooks.testWebhook> = async (request) => {
  const { shop, params, body: wanted, serviceUrl, now } = request;
  const ref = refOfTest(wanted);
  const { uuid } = await requireActiveEndpoint(shop.slug, params.uuid);
  const viewer = await viewerOf({ shop, language: shop.language ?? 'en', serviceUrl, now });
  const { source, body } = testEvent(viewer, now, ref);
  const delivery = newDelivery(source, { id: uuid, kind: 'webhook' }, now);
  await createAndWake(delivery, body, { probe: true });
  return { delivery_id: delivery.id };
};

async function candidatesFor(slug: string, { uuid }: WebhookFilters): Promise<Endpoint[]> {
  if (uuid === undefined) return endpointsOf(slug);
  const endpoint = await endpointOf(slug, uuid.toLowerCase());
  return endpoint ? [endpoint] : [];
}

export async function requireEndpoint(slug: string, uuid: string): Promise<Endpoint> {
  const endpoint = await endpointOf(slug, uuid.toLowerCase());
  if (!endpoint) throw new ServiceError('webhook_not_found');
  return endpoint;
}

/** A delivery to an inactive endpoint would only be cancelled, so the request is refused. */
export async function requireActiveEndpoint(slug: string, uuid: string): Promise<Endpoint> {
  const endpoint = await requireEndpoint(slug, uuid);
  if (endpoint.status !== 'active') {
    throw invalidValue(['path', 'uuid'], 'must be an active endpoint; activate the endpoint first');
  }
  return endpoint;
}
