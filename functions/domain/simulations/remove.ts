import { byCustomer, type Claim } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder, readHistory } from '#domain/claims/claim-store.ts';
import { allMessages } from '#domain/claims/message-store.ts';
import { leaveErased, type PlacedPayload } from '#domain/deliveries/erased-payload.ts';
import { removeImage } from '#domain/images/image-store.ts';
import type { ShopIdentity } from '#domain/orders/model.ts';
import { type StoredItem, toOrder } from '#domain/orders/order-items.ts';
import { findOwnReferences } from '#domain/orders/tracking-references.ts';
import { removeWithdrawal } from '#domain/withdrawals/withdrawal-store.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { ServiceError } from '#platform/errors.ts';
import {
  claimsOf,
  isDeliveryPartition,
  isPayloadPartition,
  keyOf,
  mailsOf,
  orderPartition,
  orderSortKey,
  outboxOf,
  partitionOf,
  retriesOf,
  shipmentPrefix,
  wakesOf,
} from '#platform/table/keys.ts';
import { allItemsIn, batchGet, itemsIn, type Key, queryAll, queryPages } from '#platform/table/reads.ts';
import { removeAll, removeAllOf, removeIf } from '#platform/table/remove-all.ts';
import { removeBody } from '#platform/table/stored-body.ts';
import { commit, retryOnConflict, update, WriteConflict } from '#platform/table/writes.ts';
import { claimNumber } from '#schemas/catalogues/claim-number.ts';
import { simulationLimits as limits } from '#schemas/catalogues/limits.ts';
import type { Simulation } from './simulation.ts';
import { hasEnded, heldFrom, isHeld } from './simulation-rules.ts';
import { countEnded, findSimulation } from './simulation-store.ts';

/**
 * Removes a simulation and all that it made. First it is marked, and from then on nothing more is made for it, however
 * many of its events are still on their way. False if it is not done: there is too much for one request, and the next one
 * goes on, or another request is at it.
 */
export async function removeSimulation(shop: ShopIdentity, uuid: string, now: Date): Promise<boolean> {
  const simulation = await retryOnConflict(() => hold(shop.slug, uuid, now));
  if (!simulation) return false;
  let isRemoved = false;
  try {
    isRemoved = await removeHeld(shop, simulation, now);
    return isRemoved;
  } finally {
    // If that fails too, it is as if the request had died: the next one waits for the time that this one had.
    if (!isRemoved) await release(simulation).catch(() => {});
  }
}

async function removeHeld(shop: ShopIdentity, simulation: Simulation, now: Date): Promise<boolean> {
  const { shop_slug: slug, uuid, order_id, version } = simulation;
  const deadline = performance.now() + limits.secondsAtOnce * 1000;
  const isOver = () => performance.now() > deadline;
  if (!(await removeMade(simulation, isOver, now))) return false;
  // Without the order, no claim and no page of it can be made.
  await retryOnConflict(() => removeOrder(simulation));
  await removeClaims(shop, simulation);
  await removeWithdrawal(slug, order_id);
  await removePage(simulation);
  await removePartition(outboxOf(slug, order_id));
  await removePartition(mailsOf(slug, order_id));
  // What was made just before the mark may not have been in the index yet.
  if (!(await removeMade(simulation, isOver, now))) return false;
  return removeIf(keyOf.simulation(slug, uuid), 'version = :held', { ':held': version });
}

/**
 * Marks the simulation as removed and holds it for this request. Undefined if another request holds it. The version changes
 * with each holder, so it names the holder.
 */
async function hold(slug: string, uuid: string, now: Date): Promise<Simulation | undefined> {
  const simulation = await findSimulation(slug, uuid);
  if (!simulation) throw new ServiceError('simulation_not_found');
  const isMarked = simulation.removed_at !== undefined;
  if (isMarked && isHeld(simulation, now.getTime())) return undefined;
  const mark = update(keyOf.simulation(slug, uuid), {
    UpdateExpression: 'SET removed_at = if_not_exists(removed_at, :now), held_until = :until ADD version :one',
    ConditionExpression: 'version = :read',
    ExpressionAttributeValues: {
      ':now': now.toISOString(),
      ':until': heldFrom(now.getTime()),
      ':one': 1,
      ':read': simulation.version,
    },
  });
  await commit([mark, ...(isMarked || hasEnded(simulation) ? [] : [await countEnded(slug)])]);
  return { ...simulation, version: simulation.version + 1 };
}

const release = ({ shop_slug: slug, uuid, version }: Simulation): Promise<void> =>
  commit([
    update(keyOf.simulation(slug, uuid), {
      UpdateExpression: 'REMOVE held_until',
      ConditionExpression: 'version = :held',
      ExpressionAttributeValues: { ':held': version },
    }),
  ]);

/** Deliveries, payloads and runs of automations. False if time ran out. */
async function removeMade({ shop_slug: slug, uuid }: Simulation, isOver: () => boolean, now: Date): Promise<boolean> {
  const pages = queryPages({
    ...itemsIn(partitionOf.madeBySimulation(uuid), { index: 'timeline' }),
    ProjectionExpression: 'pk, sk, timeline_sk',
    Limit: 100,
  });
  for await (const page of pages) {
    if (isOver()) return false;
    const keys = page as unknown as (Key & { timeline_sk: string })[];
    await removePayloads(
      keys.filter(({ pk }) => isPayloadPartition(pk)),
      now,
    );
    const others = keys.filter(({ pk }) => !isPayloadPartition(pk));
    const deliveries = others.filter(({ pk }) => isDeliveryPartition(pk));
    const waiting = await mapConcurrently(deliveries, (key) => waitingFor(slug, key), 8);
    await removeAll([...waiting.flat(), ...others]);
  }
  return true;
}

/** The items that make a delivery be sent again. */
async function waitingFor(slug: string, { pk, timeline_sk: id }: Key & { timeline_sk: string }): Promise<Key[]> {
  const wakes = wakesOf(slug, pk, id);
  const [retries, woken] = await Promise.all([
    keysIn(retriesOf(slug, id)),
    keysOf(itemsIn(wakes.pk, { prefix: wakes.sk })),
  ]);
  return [...retries, ...woken];
}

/** What is in the feed leaves a mark there: its readers have counted it. */
async function removePayloads(keys: readonly Key[], now: Date): Promise<void> {
  const items = await batchGet(keys.map(({ pk, sk }) => ({ pk, sk })));
  const names = items.flatMap((item) => (item?.s3_key ? [item.s3_key as string] : []));
  await mapConcurrently(names, removeBody, 4);
  const placed = items.filter((item) => item?.feed !== undefined) as unknown as PlacedPayload[];
  await mapConcurrently(placed, (item) => leaveErased(item, now.toISOString()), 8);
  await removeAll(keys.filter((_, i) => items[i]?.feed === undefined));
}

async function removeClaims({ slug, uuid: shopUuid }: ShopIdentity, { order_id }: Simulation): Promise<void> {
  const claims = await claimsOfOrder(slug, order_id);
  const images = await mapConcurrently(claims, (claim) => ownImagesOf(slug, claim), 8);
  await mapConcurrently(images.flat(), (url) => removeImage(url, shopUuid), 4);
  await removeAllOf(
    order_id,
    claims.flatMap(({ uuid }) => [keyOf.claimReference(slug, uuid), keyOf.claimNumber(slug, claimNumber(uuid))]),
  );
  await removePartition(claimsOf(slug, order_id));
}

/** The photos that the forms on the tracking page stored for this claim and its messages. Any other image may be named by other claims. */
async function ownImagesOf(slug: string, claim: Claim): Promise<string[]> {
  const [[created], messages] = await Promise.all([readHistory(slug, claim, 1, 1), allMessages(slug, claim)]);
  const ofMessages = messages.filter(({ from }) => from === 'customer').flatMap(({ image_urls }) => image_urls);
  return [...(created?.by === byCustomer ? claim.image_urls : []), ...ofMessages];
}

/**
 * The references first: without its order, nobody would find them. The order goes only if nobody changed it meanwhile, so no
 * shipment can be added whose reference would stay.
 */
async function removeOrder({ shop_slug: slug, order_id }: Simulation): Promise<void> {
  const items = await allItemsIn<StoredItem & { tracking_number?: string }>(orderPartition(slug, order_id));
  const heads = items.filter(({ sk }) => sk === orderSortKey);
  const references = await mapConcurrently(
    items,
    ({ sk, tracking_number = null }) =>
      findOwnReferences(slug, { uuid: sk.slice(shipmentPrefix.length), tracking_number }),
    8,
  );
  const ids = heads
    .map((head) => toOrder(head))
    .flatMap(({ order_number, external_id }) => [
      keyOf.orderNumber(slug, order_number),
      keyOf.externalOrderId(slug, external_id),
    ]);
  await removeAllOf(order_id, [...references.flat(), ...ids]);
  for (const { pk, sk, version } of heads) {
    if (!(await removeIf({ pk, sk }, 'version = :read', { ':read': version }))) throw new WriteConflict([]);
  }
  await removeAll(items);
}

async function removePage({ page_token, order_id }: Simulation): Promise<void> {
  const reference = keyOf.pageReference(page_token);
  const keys = await keysIn(reference.pk);
  await removeAllOf(order_id, [reference]);
  await removeAll(keys.filter(({ sk }) => sk !== reference.sk));
}

const removePartition = async (pk: string): Promise<void> => removeAll(await keysIn(pk));

const keysIn = (pk: string): Promise<Key[]> => keysOf(itemsIn(pk));

const keysOf = (query: Parameters<typeof queryAll>[0]): Promise<Key[]> =>
  queryAll<Key>({ ...query, ProjectionExpression: 'pk, sk', ConsistentRead: true });
