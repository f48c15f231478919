import type { DeliveryFilters, webhooks } from '#schemas/webhooks.ts';
import { ApiError } from '#shared/api-error.ts';
import { type DeliveryFilter, readDelivery, readPayload } from '#shared/deliveries/delivery-store.ts';
import { pageOf } from '#shared/list-page.ts';
import type { Implementation } from '#shared/request.ts';
import { readerOf } from './delivery-reader.ts';
import { toWebhookDelivery, toWebhookDeliveryDetails } from './delivery-rules.ts';
import { requireEndpoint } from './endpoint-lookup.ts';
import { timeRange } from './time-range.ts';

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
