import type { Delivery as StoredDelivery } from '#domain/deliveries/delivery-rules.ts';
import { readDelivery, restart } from '#domain/deliveries/delivery-store.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { readList } from '#platform/table/paging.ts';
import { retryOnConflict, WriteConflict } from '#platform/table/writes.ts';
import { timeRange } from '#platform/time.ts';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';
import type { Delivery, Recovered, webhooks } from '#schemas/families/webhooks.ts';
import { eventTimeOf, readerOf, toDelivery } from './deliveries.ts';
import { requireActiveEndpoint } from './endpoints.ts';
import { requireReachable } from './integrations.ts';

type Operations = typeof webhooks;

export const redeliverWebhook: Implementation<Operations['redeliverWebhook']> = async ({ shop, params, now }) => {
  const { uuid } = await requireActiveEndpoint(shop.slug, params.uuid);
  return redelivered({ slug: shop.slug, target: uuid }, params.delivery_id, now);
};

export const redeliverToIntegration: Implementation<Operations['redeliverToIntegration']> = async (request) => {
  const { shop, params, now } = request;
  await requireReachable(shop, params.integration);
  return redelivered({ slug: shop.slug, target: params.integration }, params.delivery_id, now);
};

export const recoverWebhook: Implementation<Operations['recoverWebhook']> = async ({ shop, params, body, now }) => {
  const range = timeRange('body', body);
  const { uuid } = await requireActiveEndpoint(shop.slug, params.uuid);
  return recovered({ slug: shop.slug, target: uuid }, range, now);
};

export const recoverIntegration: Implementation<Operations['recoverIntegration']> = async (request) => {
  const { shop, params, body, now } = request;
  const range = timeRange('body', body);
  await requireReachable(shop, params.integration);
  return recovered({ slug: shop.slug, target: params.integration }, range, now);
};

type Range = ReturnType<typeof timeRange>;

/** The uuid of an endpoint, or the id of an integration, in a shop. */
interface ShopTarget {
  slug: string;
  target: string;
}

const redelivered = ({ slug, target }: ShopTarget, id: string, now: Date): Promise<Delivery> =>
  retryOnConflict(async () => {
    const delivery = await readDelivery(slug, target, id.toLowerCase());
    if (!delivery) throw new ServiceError('webhook_delivery_not_found');
    return toDelivery(await restart(delivery, now));
  });

/**
 * A delivery that waits is updated at least every 12 hours. One without an update for this long has lost its message,
 * for example because the queue could not be reached until the stream gave up the item that wakes it.
 */
const forgottenAfterMs = 24 * 3_600_000;

/** How many deliveries one call sends again, and how many of them at the same time. */
const { recovered: maxRecovered } = deliveryLimits;
const maxConcurrentRestarts = 20;

async function recovered({ slug, target }: ShopTarget, range: Range, now: Date): Promise<Recovered> {
  const orWaitingSince = new Date(now.getTime() - forgottenAfterMs);
  const filter = { status: 'failed', orWaitingSince, ...range } as const;
  const { entries: found, next } = await readList(readerOf(slug, target, filter), { size: maxRecovered });
  // If the target seems to be down, one delivery is enough to see whether it is back.
  const restartOne = (delivery: StoredDelivery) =>
    restartUnlessChanged(delivery, now, { probe: delivery === found[0] });
  const restarted = await mapConcurrently(found, restartOne, maxConcurrentRestarts);
  const count = restarted.filter(Boolean).length;
  // Both ends of the range are inclusive, so deliveries of the same millisecond as the last one are seen again and not
  // skipped.
  return { count, has_more: next !== undefined, until: next === undefined ? null : eventTimeOf(next).toISOString() };
}

/** If somebody changed the delivery in between, they have already sent it again. */
async function restartUnlessChanged(
  delivery: StoredDelivery,
  now: Date,
  options: { probe: boolean },
): Promise<boolean> {
  try {
    await restart(delivery, now, options);
    return true;
  } catch (error) {
    if (error instanceof WriteConflict) return false;
    throw error;
  }
}
