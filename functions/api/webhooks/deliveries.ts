import type { Attempt, Delivery } from '#domain/deliveries/delivery-rules.ts';
import { type DeliveryFilter, listDeliveries, readDelivery } from '#domain/deliveries/delivery-store.ts';
import { readPayload } from '#domain/deliveries/payload-store.ts';
import { ApiError } from '#platform/http/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { type ListReader, readPage } from '#platform/table/paging.ts';
import { timeRange } from '#platform/time.ts';
import type { DeliveryFilters, WebhookDelivery, WebhookDeliveryDetails, webhooks } from '#schemas/families/webhooks.ts';
import { requireEndpoint } from './endpoints.ts';

export const listWebhookDeliveries: Implementation<typeof webhooks.listWebhookDeliveries> = async (request) => {
  const { shop, params, query } = request;
  const { uuid: target } = await requireEndpoint(shop.slug, params.uuid);
  const read = readerOf(shop.slug, target, filterOf(query));
  const found = await readPage(request, `deliveries#${shop.slug}#${target}`, read);
  return found.map(toWebhookDelivery);
};

export const getWebhookDelivery: Implementation<typeof webhooks.getWebhookDelivery> = async ({ shop, params }) => {
  const [target, id] = [params.uuid.toLowerCase(), params.delivery_id.toLowerCase()];
  const [, delivery] = await Promise.all([requireEndpoint(shop.slug, target), readDelivery(shop.slug, target, id)]);
  if (!delivery) throw new ApiError('webhook_delivery_not_found');
  return toWebhookDeliveryDetails(delivery, await readPayload(delivery));
};

function filterOf({ status, ...range }: DeliveryFilters): DeliveryFilter {
  return { ...(status !== undefined && { status }), ...timeRange('query', range) };
}

export function toWebhookDelivery(delivery: Delivery): WebhookDelivery {
  const last = delivery.attempts.at(-1);
  return { ...fieldsOf(delivery), last_attempt: last ? toAttempt(last) : null };
}

/** A response holds 6 MB at most, and the attempts must be visible however large the payload is. */
const maxShownBytes = 5 * 1024 * 1024;

export function toWebhookDeliveryDetails(delivery: Delivery, body: string | undefined): WebhookDeliveryDetails {
  return {
    ...fieldsOf(delivery),
    attempts: delivery.attempts.map(toAttempt),
    payload: body === undefined || Buffer.byteLength(body) > maxShownBytes ? null : JSON.parse(body),
  };
}

function fieldsOf({ id, ref, event_group, event_id, status, attempt_count, created_at, updated_at }: Delivery) {
  return { id, ref, event_group, event_id, status, attempt_count, created_at, updated_at };
}

const toAttempt = ({ at, duration_ms, status, error, response }: Attempt) => ({
  at,
  duration_ms,
  status: status ?? null,
  error: error ?? null,
  response: response ?? null,
});

/** The id of a delivery begins with the time of its event. */
export const eventTimeOf = (id: string) => new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));

/** The deliveries of an endpoint, newest first. */
export function readerOf(slug: string, target: string, filter: DeliveryFilter): ListReader<Delivery> {
  return async (limit, before) => {
    const { deliveries, next } = await listDeliveries(slug, target, { ...filter, limit, before });
    return { entries: deliveries, next };
  };
}
