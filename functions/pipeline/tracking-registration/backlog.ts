import { QueryCommand } from '@aws-sdk/lib-dynamodb';
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
import { table, tableName } from '#platform/table/client.ts';
import { partitionOf } from '#platform/table/keys.ts';
import { batchGet, itemsIn, type Key } from '#platform/table/reads.ts';
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
  const { Items = [], LastEvaluatedKey } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      ...itemsIn(partitionOf.shipmentsByUpdate(slug), { index: 'activity', from: since }),
      Limit: trackingProviderLimits.backlogPage,
      ...(after && { ExclusiveStartKey: after }),
    }),
  );
  const keys = (Items as (Key & { tracking_number?: string })[])
    .filter(({ tracking_number }) => tracking_number !== undefined)
    .map(({ pk, sk }) => ({ pk, sk }));
  const found = (await batchGet(keys)) as unknown as (StoredItem | undefined)[];
  return {
    shipments: found.flatMap((item) => (item ? [toShipment(item)] : [])),
    ...(LastEvaluatedKey && { after: LastEvaluatedKey }),
  };
}

interface Page {
  shipments: Shipment[];
  after?: Record<string, unknown>;
}
