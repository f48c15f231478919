import { mapConcurrently } from '#platform/batches.ts';
import { partitionOf, placeIn, trackingReference, trackingReferencesOf } from '#platform/table/keys.ts';
import { allItemsIn, type Key, queryAll } from '#platform/table/reads.ts';
import { comparableTrackingNumber } from '#platform/tracking-number.ts';
import { shipmentLimits } from '#schemas/catalogues/limits.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';
import type { Shipment } from './model.ts';

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

/**
 * The numbers under which a shipment is referenced: the one that it was given, and the one that numbers are compared by, if
 * that is another. Earlier versions of the service know only the first.
 */
export const referenceNumbers = (number: string): string[] => [...new Set([number, comparableTrackingNumber(number)])];

/** What a reference says: that this number is one of the shipment's. */
export interface NumberedShipment {
  number: string;
  shipment: Shipment;
}

export const numberedShipments = (shipment: Shipment): NumberedShipment[] =>
  referenceNumbers(shipment.tracking_number!).map((number) => ({ number, shipment }));

/**
 * The shipments of a shop with this tracking number, however it is written, that of the newest order first. The index lags, so
 * it only adds what an earlier version of the service wrote, under a number that is written in another way.
 */
export async function findTrackings(slug: string, number: string): Promise<TrackingReference[]> {
  const parcels = parcelsOf(slug, number);
  const [found, indexed] = await Promise.all([readReferencesOf(parcels), indexedParcels(slug, number)]);
  const others = indexed.filter((parcel) => !parcels.includes(parcel));
  const all = [...found, ...(await readReferencesOf(others))];
  const byShipment = new Map(all.map((reference) => [reference.shipment_id, reference]));
  return [...byShipment.values()].sort((a, b) => (a.order_id < b.order_id ? 1 : -1));
}

async function indexedParcels(slug: string, number: string): Promise<string[]> {
  const keys = await queryAll<Key>({
    IndexName: 'names' satisfies IndexName,
    KeyConditionExpression: 'name_pk = :number AND name_sk = :shop',
    ExpressionAttributeValues: { ':number': partitionOf.trackingNumber(number), ':shop': slug },
  });
  return [...new Set(keys.map(({ pk }) => pk))];
}

/** The references of a shipment. None if it has no number, or if they were lost. */
export async function findOwnReferences(
  slug: string,
  { uuid, tracking_number }: Pick<Shipment, 'uuid' | 'tracking_number'>,
): Promise<Key[]> {
  const found = tracking_number === null ? [] : await readReferencesOf(parcelsOf(slug, tracking_number));
  return found.filter(({ shipment_id }) => shipment_id === uuid);
}

/** So many parcels are read at the same time. */
const maxConcurrentReads = 10;

/**
 * The references that shipments of an order should have and do not: an earlier version of the service lost some, and never
 * made the one under the number that numbers are compared by. One for each number: if an order has several parcels with a
 * number, the next write makes the others. @param firstOwners the orders that have the first place under a number. Most shipments have it, so only the others are looked for.
 */
export async function findLostReferences(
  slug: string,
  shipments: readonly Shipment[],
  firstOwners: ReadonlyMap<string, string>,
): Promise<NumberedShipment[]> {
  const inDoubt = shipments
    .flatMap(numberedShipments)
    .filter(({ number, shipment }) => firstOwners.get(number) !== shipment.order_id);
  const lost = await mapConcurrently(
    inDoubt,
    async (one) => {
      const references = await readReferencesIn(trackingReferencesOf(slug, one.number));
      return references.some(({ shipment_id }) => shipment_id === one.shipment.uuid) ? [] : [one];
    },
    maxConcurrentReads,
  );
  return [...new Map(lost.flat().map((one) => [one.number, one])).values()];
}

/** A free place under each of these numbers. Numbers without a free place are left out. */
export async function findFreePlaces(slug: string, numbers: readonly string[]): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  const find = async (number: string): Promise<void> => {
    const references = await readReferencesIn(trackingReferencesOf(slug, number));
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

/** The partitions of a number. */
const parcelsOf = (slug: string, number: string) =>
  referenceNumbers(number).map((one) => trackingReferencesOf(slug, one));

const readReferencesOf = async (parcels: readonly string[]): Promise<StoredReference[]> =>
  (await Promise.all(parcels.map(readReferencesIn))).flat();

function readReferencesIn(parcel: string): Promise<StoredReference[]> {
  return allItemsIn<StoredReference>(parcel, { prefix: trackingReference });
}
