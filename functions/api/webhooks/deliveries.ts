import { type DeliveryFilter, readDelivery, readPayload } from '#domain/deliveries/delivery-store.ts';
import { ApiError } from '#platform/http/api-error.ts';
import type { Implementation } from '#platform/http/request.ts';
import { pageOf } from '#platform/table/list-page.ts';
import { timeRange } from '#platform/time.ts';
import type { DeliveryFilters, webhooks } from '#schemas/families/webhooks.ts';
import { readerOf } from './delivery-reader.ts';
import { toWebhookDelivery, toWebhookDeliveryDetails } from './delivery-rules.ts';
import { requireEndpoint } from './endpoint-lookup.ts';

export const listWebhookDeliveries: Implementation<typeof webhooks.listWebhookDeliveries> = async (request) => {
  const { shop, params, query } = request;
  const { uuid: target } = await requireEndpoint(shop.slug, params.uuid);
  const read = readerOf(shop.slug, target, filterOf(query));
  const found = await pageOf(request, `deliveries#${shop.slug}#${target}`, read);
  return found.map(toWebhookDelivery);
};

export const getWebhookDelivery: Implementation<typeof webhooks.getWebhookDelivery> = async ({ shop, params }) => {
  const [target, id] = [params.uuid.toLowerCase(), params.delivery_id.toLowerCase()];
  const [, delivery, payload] = await Promise.all([
    requireEndpoint(shop.slug, target),
    readDelivery(shop.slug, target, id),
    readPayload(shop.slug, target, id),
  ]);
  if (!delivery) throw new ApiError('webhook_delivery_not_found');
  return toWebhookDeliveryDetails(delivery, payload);
};

function filterOf({ status, ...range }: DeliveryFilters): DeliveryFilter {
  return { ...(status !== undefined && { status }), ...timeRange('query', range) };
}
