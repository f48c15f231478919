import type { Shipment } from '#domain/orders/model.ts';
import { type StoredItem, toShipment } from '#domain/orders/order-items.ts';
import { loadSettings, takesUpdates } from '#domain/settings/stored-settings.ts';
import { type ProviderItem, providerFor } from '#domain/tracking-providers/provider-store.ts';
import {
  type Backlog,
  type BacklogMessage,
  enqueueRegistrations,
  enqueueTrackingRequests,
} from '#domain/tracking-providers/registration-queue.ts';
import { causeOf } from '#platform/correlation.ts';
import { partitionOf } from '#platform/table/keys.ts';
import { listsByUpdate, readMerged } from '#platform/table/merged-lists.ts';
import { batchGet, type Key } from '#platform/table/reads.ts';
import { trackingProviderLimits } from '#schemas/catalogues/limits.ts';
import type { TrackingRequest } from '#schemas/shapes/carrier-updates.ts';
import { isUnderWay, isWaiting } from './registration-rules.ts';

/** A shop's parcels are queued at this pace, so that a provider need not refuse them for being too many. */
const parcelsPerSecond = 10;

/**
 * Queues the parcels under way on one page of a shop's shipments, then the next page. If the function dies in between,
 * the page comes again, and parcels that are registered by then are left out. A page that is no longer wanted, because
 * the shop has switched updates off or on again, ends the list.
 */
export async function submitPage(
  message: BacklogMessage,
  providers: readonly ProviderItem[],
  now: Date,
): Promise<void> {
  const { shop_slug, backlog } = message;
  const settings = await loadSettings(shop_slug);
  if (!takesUpdates(settings) || settings.carriers?.generation !== backlog.generation) return;
  const { shipments, after } = await readPage(shop_slug, backlog);
  const underWay = shipments.filter((shipment) => isUnderWay(shipment, backlog.since));
  const idle = underWay.filter(({ tracking_submission }) => !isWaiting(tracking_submission, now));
  const { registrations, requests } = byDestination(idle, shop_slug, providers);
  const caused = causeOf(message);
  await Promise.all([
    enqueueRegistrations(
      registrations.map((parcel) => ({ ...parcel, ...caused })),
      now,
    ),
    enqueueTrackingRequests(requests),
  ]);
  if (!after) return;
  const seconds = Math.ceil((registrations.length + requests.length) / parcelsPerSecond);
  const not_before = new Date(now.getTime() + seconds * 1000).toISOString();
  await enqueueRegistrations([{ ...message, backlog: { ...backlog, after }, not_before }], now);
}

function byDestination(shipments: readonly Shipment[], slug: string, providers: readonly ProviderItem[]) {
  const registrations: TrackingRequest[] = [];
  const requests: TrackingRequest[] = [];
  for (const { uuid, tracking_number, carrier_reference, tracking_submission: before } of shipments) {
    const item = providerFor(carrier_reference, providers);
    if (item && before?.status === 'submitted' && before.provider === item.provider) continue;
    const request = { shop_slug: slug, shipment_id: uuid, tracking_number: tracking_number!, carrier_reference };
    (item ? registrations : requests).push(request);
  }
  return { registrations, requests };
}

/**
 * In the order of their last change, oldest first: whatever got its number since then has changed since then, and what
 * changes while the list is read moves to its end, where it is found once more.
 */
async function readPage(slug: string, { since, after }: Backlog): Promise<Page> {
  const { entries, next } = await readMerged<ListedShipment>(
    { lists: listsByUpdate(slug), from: since, to: '~', isForward: true },
    { limit: trackingProviderLimits.backlogPage, after: after && String(after.activity_sk) },
  );
  const keys = entries
    .filter(({ entry }) => entry.tracking_number !== undefined)
    .map(({ entry: { pk, sk } }) => ({ pk, sk }));
  const found = (await batchGet(keys)) as unknown as (StoredItem | undefined)[];
  const last = entries.at(-1);
  return {
    shipments: found.flatMap((item) => (item ? [toShipment(item)] : [])),
    ...(next !== undefined && last && { after: afterKey(slug, last.entry) }),
  };
}

interface ListedShipment extends Key {
  activity_sk: string;
  tracking_number?: string;
}

/** Only the sort key is used here. A release that knows no shards goes on after the whole key, in its one list. */
const afterKey = (slug: string, { pk, sk, activity_sk }: ListedShipment) => ({
  pk,
  sk,
  activity_pk: partitionOf.shipmentsByUpdate(slug),
  activity_sk,
});

interface Page {
  shipments: Shipment[];
  after?: Record<string, unknown>;
}
