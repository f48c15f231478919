import { mapConcurrently } from '#platform/batches.ts';
import { partitionOf, placeIn, trackingReference, trackingReferencesOf } from '#platform/table/keys.ts';
import { batchGet, type Key, queryAll } from '#platform/table/reads.ts';
import { shipmentLimits } from '#schemas/catalogues/limits.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';

/**
 * Which shipments of a shop have a tracking number. Orders that travel in one parcel share its number: each of them has
 * a reference, and each reference has a place of its own among a limited number of places. So the limit holds without a
 * counter, and also if several orders join at the same time.
 */
export interface TrackingReference {
  order_id: string;
  shipment_id: string;
}

type StoredReference = TrackingReference & Key;

/** The shipments of a shop with this tracking number, that of the newest order first. */
export async function findTrackings(slug: string, number: string): Promise<TrackingReference[]> {
  const found = await readReferencesTo(slug, number);
  return found.sort((a, b) => (a.order_id < b.order_id ? 1 : -1));
}

/** The same for a number that somebody wrote with other spaces, dashes or case than the shop did. */
export async function findSimilarTrackings(slug: string, number: string): Promise<TrackingReference[]> {
  const keys = await queryAll<Key>({
    IndexName: 'names' satisfies IndexName,
    KeyConditionExpression: 'name_pk = :number AND name_sk = :shop',
    ExpressionAttributeValues: { ':number': partitionOf.trackingNumber(number), ':shop': slug },
  });
  const references = await batchGet(keys.map(({ pk, sk }) => ({ pk, sk })));
  return references.flatMap((reference) => (reference ? [reference as unknown as TrackingReference] : []));
}

/** The place of an order in a parcel that it travels in. */
export async function findPlace(slug: string, number: string, orderId: string): Promise<number> {
  const reference = (await readReferencesTo(slug, number)).find(({ order_id }) => order_id === orderId);
  return reference ? placeIn(reference.sk) : 0;
}

/** So many parcels are read at the same time. */
const maxConcurrentReads = 10;

/** A free place in each parcel, by its tracking number. Parcels without a free place are left out. */
export async function findFreePlaces(slug: string, numbers: readonly string[]): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  const find = async (number: string): Promise<void> => {
    const references = await readReferencesTo(slug, number);
    const place = freePlace(new Set(references.map(({ sk }) => placeIn(sk))));
    if (place !== undefined) places.set(number, place);
  };
  await mapConcurrently(numbers, find, maxConcurrentReads);
  return places;
}

/**
 * Most parcels have one order, which gets the first place. The other places are taken at random: orders that join at
 * the same time would all choose the same one, and all but one would have to try again.
 */
export function freePlace(taken: ReadonlySet<number>, random = Math.random): number | undefined {
  if (!taken.has(0)) return 0;
  const free = allPlaces.filter((place) => !taken.has(place));
  return free[Math.floor(random() * free.length)];
}

const allPlaces = Array.from({ length: shipmentLimits.ordersInOneParcel }, (_, place) => place);

function readReferencesTo(slug: string, number: string): Promise<StoredReference[]> {
  return queryAll<StoredReference>({
    KeyConditionExpression: 'pk = :parcel AND begins_with(sk, :reference)',
    ExpressionAttributeValues: { ':parcel': trackingReferencesOf(slug, number), ':reference': trackingReference },
    ConsistentRead: true,
  });
}
