import type { DeliveryFilters, webhooks } from '#schemas/webhooks.ts';
import { ApiError, invalid } from '#shared/api-error.ts';
import { type DeliveryFilter, readDelivery, readPayload } from '#shared/deliveries/delivery-store.ts';
import { keepStartOfPage, listName, startOfPage } from '#shared/pages.ts';
import type { Implementation } from '#shared/request.ts';
import { toWebhookDelivery, toWebhookDeliveryDetails } from './delivery-rules.ts';
import { walk } from './delivery-walk.ts';
import { requireEndpoint } from './endpoint-lookup.ts';
import { timeRange } from './time-range.ts';

export const listWebhookDeliveries: Implementation<typeof webhooks.listWebhookDeliveries> = async (request) => {
  const { shop, caller, params, query, now } = request;
  const { uuid: target } = await requireEndpoint(shop.slug, params.uuid);
  const { page, per_page: size } = query;
  const place = { tokenId: caller.tokenId, list: listName(`deliveries#${shop.slug}#${target}`, query), page };
  const before = (await startOfPage(place, now))?.before as string | undefined;
  const skip = before === undefined ? (page - 1) * size : 0;
  const { found, toSkip, next } = await walk({ slug: shop.slug, target, filter: filterOf(query), before, skip, size });
  if (next !== undefined && toSkip > 0) throw tooFarBack();
  if (next !== undefined) await keepStartOfPage({ ...place, page: page + 1 }, { before: next }, now);
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

const tooFarBack = () =>
  invalid({
    loc: ['query', 'page'],
    msg: 'is too far back to count to: read the pages before it first, or narrow the time range',
    type: 'value_error',
  });
