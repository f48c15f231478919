import { pastEvents } from '#domain/orders/enclosed-events.ts';
import { type Order, type Shipment, shipmentId } from '#domain/orders/model.ts';
import { type StoredItem, toOrder, toShipment } from '#domain/orders/order-items.ts';
import { findOwnReferences } from '#domain/orders/tracking-references.ts';
import { leaveTraces } from '#domain/privacy/shop-removal.ts';
import { mapConcurrently } from '#platform/batches.ts';
import {
  claimPrefix,
  claimsOf,
  clickedPrefix,
  duePartition,
  keyOf,
  mailsOf,
  orderPartition,
  orderSortKey,
  outboxOf,
  parcelRegistrationsOf,
  shipmentPrefix,
  shownPrefix,
  trackingPageOf,
} from '#platform/table/keys.ts';
import { allItemsIn, type Key } from '#platform/table/reads.ts';
import { keysIn, removeKeys, removePayloads, type Sweep } from './sweep.ts';

const maxConcurrentReads = 8;

/**
 * Removes an order of a shop that is gone, and all that belongs to it. The order itself goes last: if the removal dies
 * before, the next one finds the rest by it.
 */
export async function removeOrder(sweep: Sweep, orderId: string): Promise<void> {
  const { slug } = sweep;
  const items = await allItemsIn<StoredItem>(orderPartition(slug, orderId));
  const heads = items.filter(({ sk }) => sk === orderSortKey);
  const order = heads.map((head) => toOrder(head))[0];
  const shipments = items.filter(({ sk }) => sk.startsWith(shipmentPrefix)).map((item) => toShipment(item));
  if (order) {
    const { events } = await pastEvents(slug, { order, shipments }, { maxReads: Number.POSITIVE_INFINITY });
    const ids = new Set(events.map(({ id }) => id));
    await removePayloads(
      sweep,
      [...ids].map((id) => keyOf.payload(slug, id)),
    );
    const page = await keysOfPage(order);
    await leaveTraces(slug, 'campaign', page.flatMap(campaignIn));
    await removeKeys(sweep, page);
  }
  const references = await mapConcurrently(
    shipments,
    (shipment) => findOwnReferences(slug, shipment),
    maxConcurrentReads,
  );
  await removeKeys(sweep, [
    ...(await keysAround(slug, orderId)),
    ...(order ? [keyOf.orderNumber(slug, order.order_number), keyOf.externalOrderId(slug, order.external_id)] : []),
    ...keysOf(references.flat()),
    ...(await keysOfParcels(slug, orderId, order, shipments)),
  ]);
  await removeKeys(sweep, keysOf(items.filter((item) => !heads.includes(item))));
  await removeKeys(sweep, keysOf(heads));
}

const keysOf = (items: readonly Key[]): Key[] => items.map(({ pk, sk }) => ({ pk, sk }));

/** Claims with their references and histories, events on their way, planned triggers, and what was mailed. */
async function keysAround(slug: string, orderId: string): Promise<Key[]> {
  const [claims, outbox, due, mails] = await Promise.all(
    [claimsOf(slug, orderId), outboxOf(slug, orderId), duePartition(slug, orderId), mailsOf(slug, orderId)].map(keysIn),
  );
  const ids = claims!.flatMap(({ sk }) => (sk.startsWith(claimPrefix) ? [sk.slice(claimPrefix.length)] : []));
  return [...ids.map((id) => keyOf.claimReference(slug, id)), ...claims!, ...outbox!, ...due!, ...mails!];
}

const keysOfPage = async ({ page_token }: Order): Promise<Key[]> =>
  page_token === undefined ? [] : keysIn(trackingPageOf(page_token));

/** The campaigns that a page has shown: only these marks name those that were deleted since. */
const campaignIn = ({ sk }: Key): string[] =>
  [shownPrefix, clickedPrefix].filter((prefix) => sk.startsWith(prefix)).map((prefix) => sk.slice(prefix.length));

/** Who registers its parcels with tracking providers: also those that were deleted. */
async function keysOfParcels(
  slug: string,
  orderId: string,
  order: Order | undefined,
  shipments: readonly Shipment[],
): Promise<Key[]> {
  const ids = order
    ? Array.from({ length: order.next_slot }, (_, slot) => shipmentId(orderId, slot))
    : shipments.map(({ uuid }) => uuid);
  const keys = await mapConcurrently(ids, (id) => keysIn(parcelRegistrationsOf(slug, id)), maxConcurrentReads);
  return keys.flat();
}
