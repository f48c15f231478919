import { keyOf, partitionOf } from '#platform/table/keys.ts';
import { batchGet, itemsIn, type Key, queryAll } from '#platform/table/reads.ts';
import type { Parcel, Parcels } from './carrier-updates.ts';

/** Finds the parcels of tracking numbers in all shops. A number that no shop ever had is left out. */
export async function findParcels(numbers: Iterable<string>): Promise<Parcels> {
  const distinct = [...new Set(numbers)];
  const keys = await Promise.all(distinct.map(referencesTo));
  const references = (await batchGet(keys.flat())) as (Partial<Parcel> | undefined)[];
  const next = references.values();
  return new Map(
    distinct.flatMap((number, i) => {
      const found = keys[i]!.map(() => next.next().value);
      return found.length > 0 ? [[number, found.filter(isParcel)] as const] : [];
    }),
  );
}

/** The index holds only keys. What they lead to may be deleted, or be the mark of a deleted parcel. */
const isParcel = (reference: Partial<Parcel> | undefined): reference is Parcel => reference?.order_id !== undefined;

export async function readShopIds(slugs: Iterable<string>): Promise<Map<string, string>> {
  const distinct = [...new Set(slugs)];
  const shops = (await batchGet(distinct.map(keyOf.shop))) as ({ uuid: string } | undefined)[];
  return new Map(distinct.flatMap((slug, i) => (shops[i] ? [[slug, shops[i].uuid] as const] : [])));
}

async function referencesTo(number: string): Promise<Key[]> {
  const entries = await queryAll<Key>(itemsIn(partitionOf.trackingNumber(number), { index: 'names' }));
  return entries.map(({ pk, sk }) => ({ pk, sk }));
}
