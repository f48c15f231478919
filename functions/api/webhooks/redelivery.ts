import { isRetried, type Delivery as StoredDelivery } from '#domain/deliveries/delivery-rules.ts';
import { readDelivery, restart } from '#domain/deliveries/delivery-store.ts';
import { targetFault } from '#domain/deliveries/integration-targets.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { invalidValue, ServiceError } from '#platform/errors.ts';
import type { Request } from '#platform/http/request.ts';
import { keyOf } from '#platform/table/keys.ts';
import { readList } from '#platform/table/paging.ts';
import { batchGet } from '#platform/table/reads.ts';
import { retryOnConflict, WriteConflict } from '#platform/table/writes.ts';
import { timeRange } from '#platform/time.ts';
import { emailTarget } from '#schemas/catalogues/emails.ts';
import type { NotifiedIntegration } from '#schemas/catalogues/integrations.ts';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';
import type { Delivery, Recovered, webhooks } from '#schemas/families/webhooks.ts';
import { eventTimeOf, readerOf, toDelivery } from './deliveries.ts';
import { requireActiveEndpoint } from './endpoints.ts';

type Operations = typeof webhooks;

type Redelivery = Request<Operations['redeliverWebhook']> | Request<Operations['redeliverToIntegration']>;
type Recovery = Request<Operations['recoverWebhook']> | Request<Operations['recoverIntegration']>;

/** To an endpoint, or to an integration. */
export const redeliver = async (request: Redelivery): Promise<Delivery> =>
  redelivered(await reachableTarget(request), request.params.delivery_id, request.now);

export const recover = async (request: Recovery): Promise<Recovered> => {
  const range = timeRange('body', request.body);
  return recovered(await reachableTarget(request), range, request.now);
};

/** The uuid of an endpoint, or the id of an integration, in a shop. */
interface ShopTarget {
  slug: string;
  target: string;
}

/** A delivery that would only be cancelled is refused. */
async function reachableTarget({ shop, params }: Redelivery | Recovery): Promise<ShopTarget> {
  if ('uuid' in params) return { slug: shop.slug, target: (await requireActiveEndpoint(shop.slug, params.uuid)).uuid };
  if (params.integration !== emailTarget) await requireReachable(shop, params.integration);
  return { slug: shop.slug, target: params.integration };
}

async function requireReachable(shop: ShopItem, integration: NotifiedIntegration): Promise<void> {
  const [settings = {}, key] = await batchGet([
    keyOf.settings(shop.slug),
    keyOf.integrationKey(shop.slug, integration),
  ]);
  const fault = targetFault(integration, { shop, settings, key });
  if (fault) throw invalidValue(['path', 'integration'], messages[fault]);
}

const messages: Record<NonNullable<ReturnType<typeof targetFault>>, string> = {
  no_address:
    'must have an address; for integration_3, set rest_endpoint in its trigger settings, for others ask the operator of ' +
    'the service',
  no_key: 'must have a key; set the key of the integration first',
  key_for_other_server:
    'must have a key for its present address; the key was set for another server than that of rest_endpoint or shop_admin_url, ' +
    'so set it again',
};

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

async function recovered(
  { slug, target }: ShopTarget,
  range: ReturnType<typeof timeRange>,
  now: Date,
): Promise<Recovered> {
  const forgottenBefore = new Date(now.getTime() - forgottenAfterMs).toISOString();
  const filter = { status: 'failed', orWaiting: true, ...range } as const;
  const { entries, next } = await readList(readerOf(slug, target, filter), { size: maxRecovered });
  const isForgotten = ({ updated_at }: StoredDelivery) => updated_at < forgottenBefore;
  const found = entries.filter((delivery) => delivery.status !== 'pending' || isForgotten(delivery));
  const retrying = entries.filter((delivery) => isRetried(delivery) && !isForgotten(delivery)).length;
  // If the target seems to be down, one delivery is enough to see whether it is back.
  const restartOne = (delivery: StoredDelivery) =>
    restartUnlessChanged(delivery, now, { probe: delivery === found[0] });
  const restarted = await mapConcurrently(found, restartOne, maxConcurrentRestarts);
  const count = restarted.filter(Boolean).length;
  // Both ends of the range are inclusive, so deliveries of the same millisecond as the last one are seen again and not
  // skipped.
  const until = next === undefined ? null : eventTimeOf(next).toISOString();
  return { count, has_more: next !== undefined, until, retrying };
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
