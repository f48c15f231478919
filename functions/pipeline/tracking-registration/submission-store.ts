import { type Order, orderIdOf, type Shipment } from '#domain/orders/model.ts';
import { type StoredItem, shipmentItem, toOrder, toShipment } from '#domain/orders/order-items.ts';
import { isTowardsCustomer } from '#domain/orders/shipment-rules.ts';
import type { ParcelToTrack } from '#domain/tracking-providers/provider.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { commit, put, putVersion, retryOnConflict, tryCommit } from '#platform/table/writes.ts';
import { comparableTrackingNumber } from '#platform/tracking-number.ts';
import { secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { TrackingRequest } from '#schemas/shapes/carrier-updates.ts';
import { fulfilledAt, othersOverSince } from './registration-rules.ts';

export interface LoadedParcel {
  slug: string;
  shipment: Shipment;
  toTrack: ParcelToTrack;
}

/** Undefined if the shipment no longer exists, or has another number. */
export async function loadParcel(request: TrackingRequest): Promise<LoadedParcel | undefined> {
  const { shop_slug: slug, shipment_id, tracking_number } = request;
  const orderId = orderIdOf(shipment_id);
  const items = await batchGet([keyOf.order(slug, orderId), keyOf.shipment(slug, orderId, shipment_id)]);
  const [order, shipment] = items as unknown as [StoredItem?, StoredItem?];
  if (!order || !shipment) return undefined;
  const loaded = toShipment(shipment);
  if (loaded.tracking_number !== tracking_number) return undefined;
  return { slug, shipment: loaded, toTrack: toTrack(request, loaded, toOrder(order)) };
}

function toTrack(request: TrackingRequest, shipment: Shipment, { address }: Order): ParcelToTrack {
  const { shipment_id, tracking_number, carrier_reference } = request;
  // The address of the order is where its parcels go. A return goes elsewhere.
  const destination = isTowardsCustomer(shipment) ? address : undefined;
  return {
    shipment_id,
    tracking_number: comparableTrackingNumber(tracking_number),
    carrier_reference,
    ...(destination?.zip_code && { postal_code: destination.zip_code }),
    ...(destination?.country_code && { country_code: destination.country_code }),
    shipped_at: fulfilledAt(shipment),
  };
}

/**
 * Whether this message may register the parcel with the provider, because no other one does. The same message may begin
 * again: the function may have died before it asked.
 */
export async function begin(parcel: LoadedParcel, message: string, provider: string, now: Date): Promise<boolean> {
  const { uuid, tracking_number, tracking_submission } = parcel.shipment;
  const before = tracking_submission?.provider === provider ? tracking_submission : undefined;
  const item = {
    ...keyOf.parcelRegistration(parcel.slug, uuid, provider, tracking_number!),
    begun_by: message,
    begun_at: now.toISOString(),
    expires_at: Math.floor(now.getTime() / 1000) + keptSeconds,
  };
  const condition = 'attribute_not_exists(pk) OR begun_by = :message OR begun_at <= :over';
  return tryCommit([put(item, condition, { ':message': message, ':over': othersOverSince(before, now) })]);
}

/** The next attempt comes earlier, and writes the item again. */
const keptSeconds = secondsOfDays(2);

/**
 * Writes onto the shipment what came of its registration; undefined removes it. It is no event, so `updated_at` stays.
 * An attempt that fails for the same reason as the one before writes nothing. Nor does one that fails while the provider
 * took the parcel at another: the same message may be handled twice at once.
 */
export function saveSubmission(parcel: LoadedParcel, submission: Submission): Promise<void> {
  const { slug, shipment } = parcel;
  const key = keyOf.shipment(slug, shipment.order_id, shipment.uuid);
  return retryOnConflict(async () => {
    const [item] = (await batchGet([key])) as unknown as [StoredItem?];
    const stored = item && toShipment(item);
    if (!stored || stored.tracking_number !== shipment.tracking_number) return;
    if (isSame(stored.tracking_submission, submission) || isTaken(stored.tracking_submission, submission)) return;
    const { tracking_submission: _before, ...rest } = stored;
    const changed: Shipment = { ...rest, ...(submission && { tracking_submission: submission }) };
    await commit([putVersion(shipmentItem(slug, changed, item.version + 1))]);
  });
}

type Submission = Shipment['tracking_submission'];

function isSame(a: Submission, b: Submission): boolean {
  return a?.provider === b?.provider && a?.status === b?.status && a?.reason === b?.reason;
}

/** A provider that took the parcel has it, whatever another attempt with the same provider says. */
const isTaken = (before: Submission, failed: Submission): boolean =>
  before?.status === 'submitted' && failed?.provider === before.provider;
