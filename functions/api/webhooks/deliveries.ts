import { readPayload } from '#domain/deliveries/delivery-messages.ts';
import {
  type Attempt,
  nextAttemptAt,
  type Delivery as StoredDelivery,
  totalAttempts,
} from '#domain/deliveries/delivery-rules.ts';
import { type DeliveryFilter, listDeliveries, readDelivery } from '#domain/deliveries/delivery-store.ts';
import { shownRequest } from '#domain/deliveries/sent-request.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { justAfter, positionsOf } from '#platform/table/list-counters.ts';
import { type ListReader, type PageRequest, type Positions, readPage } from '#platform/table/paging.ts';
import { timeRange } from '#platform/time.ts';
import type { Delivery, DeliveryDetails, DeliveryFilters, webhooks } from '#schemas/families/webhooks.ts';
import { requireEndpoint } from './endpoints.ts';

type Operations = typeof webhooks;

export const listWebhookDeliveries: Implementation<Operations['listWebhookDeliveries']> = async (request) => {
  const { uuid } = await requireEndpoint(request.shop.slug, request.params.uuid);
  return listed(request, uuid);
};

export const getWebhookDelivery: Implementation<Operations['getWebhookDelivery']> = async ({ shop, params }) => {
  const { uuid, delivery_id } = params;
  const [, delivery] = await Promise.all([
    requireEndpoint(shop.slug, uuid),
    readDelivery(shop.slug, uuid.toLowerCase(), delivery_id.toLowerCase()),
  ]);
  return shown(delivery);
};

export const listIntegrationDeliveries: Implementation<Operations['listIntegrationDeliveries']> = (request) =>
  listed(request, request.params.integration);

export const getIntegrationDelivery: Implementation<Operations['getIntegrationDelivery']> = async (request) => {
  const { shop, params } = request;
  return shown(await readDelivery(shop.slug, params.integration, params.delivery_id.toLowerCase()));
};

type ListRequest = PageRequest & { shop: ShopItem; query: DeliveryFilters };

async function listed(request: ListRequest, target: string): Promise<Delivery[]> {
  const { shop, query } = request;
  const filter = filterOf(query);
  const read = readerOf(shop.slug, target, filter);
  const found = await readPage(
    request,
    `deliveries#${shop.slug}#${target}`,
    read,
    positionsFor(shop.slug, target, filter),
  );
  return found.map(toDelivery);
}

function positionsFor(slug: string, target: string, { status, event, until }: DeliveryFilter): Positions | undefined {
  if (status !== undefined || event !== undefined) return undefined;
  return positionsOf(countedLists.deliveries(slug, target), { to: justAfter(until) });
}

async function shown(delivery: StoredDelivery | undefined): Promise<DeliveryDetails> {
  if (!delivery) throw new ServiceError('webhook_delivery_not_found');
  return toDeliveryDetails(delivery, await readPayload(delivery));
}

function filterOf({ status, event, ...range }: DeliveryFilters): DeliveryFilter {
  return {
    ...(status !== undefined && { status }),
    ...(event !== undefined && event !== '*' && { event }),
    ...timeRange('query', range),
  };
}

export function toDelivery(delivery: StoredDelivery): Delivery {
  const last = delivery.attempts.at(-1);
  return { ...fieldsOf(delivery), last_attempt: last ? toAttempt(last) : null };
}

/** A response holds 6 MB at most, and the attempts must be visible however large the payload is. */
const maxShownBytes = 5 * 1024 * 1024;

export function toDeliveryDetails(delivery: StoredDelivery, body: string | undefined): DeliveryDetails {
  return {
    ...fieldsOf(delivery),
    attempts: delivery.attempts.map((attempt) => ({ ...toAttempt(attempt), request: shownRequest(delivery, attempt) })),
    payload: body === undefined || Buffer.byteLength(body) > maxShownBytes ? null : JSON.parse(body),
  };
}

function fieldsOf(delivery: StoredDelivery) {
  const { id, ref, event_group, event_id, status, reason, attempt_count, run_since, created_at, updated_at } = delivery;
  return {
    ...{ id, ref, event_group, event_id, status, reason: reason ?? null, attempt_count },
    total_attempts: totalAttempts(delivery),
    feed_hour: delivery.feed?.hour ?? null,
    next_attempt_at: nextAttemptAt(delivery),
    sent_again_at: run_since ?? null,
    feedback: delivery.feedback ?? null,
    ...{ created_at, updated_at },
  };
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

/** The deliveries of a target, newest first. */
export function readerOf(slug: string, target: string, filter: DeliveryFilter): ListReader<StoredDelivery> {
  return async (limit, before, place) => {
    const { deliveries, next } = await listDeliveries(slug, target, { ...filter, limit, before, upTo: place?.bound });
    return { entries: deliveries, next };
  };
}
