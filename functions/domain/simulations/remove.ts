import type { Claim } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder } from '#domain/claims/claim-store.ts';
import { removeBody } from '#domain/deliveries/payload-store.ts';
import { removeImage } from '#domain/images/image-store.ts';
import type { ShopIdentity } from '#domain/orders/model.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import { findPlace } from '#domain/orders/tracking-references.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { ApiError } from '#platform/http/errors.ts';
import { tableName } from '#platform/table/client.ts';
import {
  claimsOf,
  isDeliveryPartition,
  isPayloadPartition,
  keyOf,
  orderPartition,
  outboxOf,
  partitionOf,
  retriesOf,
  trackingPageOf,
  wakesOf,
} from '#platform/table/keys.ts';
import { batchGet, type Key, queryAll, queryPages } from '#platform/table/reads.ts';
import { removeAll } from '#platform/table/remove-all.ts';
import { retryOnConflict, transact } from '#platform/table/writes.ts';
import { simulationLimits as limits } from '#schemas/catalogues/limits.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';
import type { Simulation } from './simulation.ts';
import { hasEnded } from './simulation-rules.ts';
import { countEnded, findSimulation } from './simulation-store.ts';

/**
 * Removes a simulation and all that it made. First it is marked, and from then on nothing more is made for it, however
 * many of its events are still on their way. False if there is too much for one request: the next one goes on.
 */
export async function removeSimulation(shop: ShopIdentity, uuid: string, now: Date): Promise<boolean> {
  const simulation = await retryOnConflict(() => markRemoved(shop.slug, uuid, now));
  const deadline = performance.now() + limits.secondsAtOnce * 1000;
  const isOver = () => performance.now() > deadline;
  if (!(await removeMade(simulation, isOver))) return false;
  await removeClaims(shop, simulation);
  await removePartition(trackingPageOf(simulation.page_token));
  await removePartition(outboxOf(shop.slug, simulation.order_id));
  await removeOrder(simulation);
  // What was made just before the mark may not have been in the index yet.
  if (!(await removeMade(simulation, isOver))) return false;
  await removeAll([keyOf.simulation(shop.slug, uuid)]);
  return true;
}

async function markRemoved(slug: string, uuid: string, now: Date): Promise<Simulation> {
  const simulation = await findSimulation(slug, uuid);
  if (!simulation) throw new ApiError('simulation_not_found');
  if (simulation.removed_at !== undefined) return simulation;
  const Update = {
    TableName: tableName(),
    Key: keyOf.simulation(slug, uuid),
    UpdateExpression: 'SET removed_at = :now',
    ConditionExpression: 'version = :read AND attribute_not_exists(removed_at)',
    ExpressionAttributeValues: { ':now': now.toISOString(), ':read': simulation.version },
  };
  await transact([{ Update }, ...(hasEnded(simulation) ? [] : [await countEnded(slug)])]);
  return simulation;
}

const index = 'timeline' satisfies IndexName;

/** Deliveries, payloads and runs of automations. False if time ran out. */
async function removeMade({ shop_slug: slug, uuid }: Simulation, isOver: () => boolean): Promise<boolean> {
  const pages = queryPages({
    IndexName: index,
    KeyConditionExpression: 'timeline_pk = :simulation',
    ExpressionAttributeValues: { ':simulation': partitionOf.madeBySimulation(uuid) },
    ProjectionExpression: 'pk, sk, timeline_sk',
    Limit: 100,
  });
  for await (const page of pages) {
    if (isOver()) return false;
    const keys = page as unknown as (Key & { timeline_sk: string })[];
    await removeBodies(keys.filter(({ pk }) => isPayloadPartition(pk)));
    const deliveries = keys.filter(({ pk }) => isDeliveryPartition(pk));
    const waiting = await mapConcurrently(deliveries, (key) => waitingFor(slug, key), 8);
    await removeAll([...waiting.flat(), ...keys]);
  }
  return true;
}

/** The items that make a delivery be sent again. */
async function waitingFor(slug: string, { pk, timeline_sk: id }: Key & { timeline_sk: string }): Promise<Key[]> {
  const wakes = wakesOf(slug, pk, id);
  const [retries, woken] = await Promise.all([
    keysIn(retriesOf(slug, id)),
    keysOf({
      KeyConditionExpression: 'pk = :target AND begins_with(sk, :wakes)',
      ExpressionAttributeValues: { ':target': wakes.pk, ':wakes': wakes.sk },
    }),
  ]);
  return [...retries, ...woken];
}

async function removeBodies(keys: readonly Key[]): Promise<void> {
  const items = await batchGet(keys.map(({ pk, sk }) => ({ pk, sk })));
  const names = items.flatMap((item) => (item?.s3_key ? [item.s3_key as string] : []));
  await mapConcurrently(names, removeBody, 4);
}

async function removeClaims({ slug, uuid: shopUuid }: ShopIdentity, { order_id }: Simulation): Promise<void> {
  const claims = await claimsOfOrder(slug, order_id);
  await mapConcurrently(claims.flatMap(imagesOf), (url) => removeImage(url, shopUuid), 4);
  await removeAll(claims.map(({ uuid }) => keyOf.claimReference(slug, uuid)));
  await removePartition(claimsOf(slug, order_id));
}

const imagesOf = ({ image_urls, optional_image_urls, customer_signature_image_url }: Claim): string[] =>
  [...image_urls, ...optional_image_urls, customer_signature_image_url].filter((url) => url !== null);

/** The references first: without its order, nobody would find them. */
async function removeOrder({ shop_slug: slug, order_id }: Simulation): Promise<void> {
  const loaded = await loadOrder(slug, order_id);
  if (loaded) {
    const { order, shipments } = loaded;
    const numbers = shipments.flatMap(({ tracking_number }) => tracking_number ?? []);
    const places = await mapConcurrently(
      numbers,
      async (number) => keyOf.tracking(slug, number, await findPlace(slug, number, order_id)),
      8,
    );
    await removeAll([
      ...places,
      keyOf.orderNumber(slug, order.order_number),
      keyOf.externalOrderId(slug, order.external_id),
    ]);
  }
  await removePartition(orderPartition(slug, order_id));
}

const removePartition = async (pk: string): Promise<void> => removeAll(await keysIn(pk));

const keysIn = (pk: string): Promise<Key[]> =>
  keysOf({ KeyConditionExpression: 'pk = :partition', ExpressionAttributeValues: { ':partition': pk } });

const keysOf = (query: Parameters<typeof queryAll>[0]): Promise<Key[]> =>
  queryAll<Key>({ ...query, ProjectionExpression: 'pk, sk', ConsistentRead: true });
