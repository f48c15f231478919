import { pack, unpack } from '#domain/orders/packing.ts';
import { ApiError } from '#platform/http/api-error.ts';
import { keyOf, placeIn } from '#platform/table/keys.ts';
import { type Claim, type ClaimPlace, type HistoryEntry, isDeleted } from './model.ts';

/** How claims and their histories look in the table. Building an item is pure; sending it is the store's. */

/** Every event of an order carries all its claims, so one of them must not be large. */
const largestClaim = 128 * 1024;

export interface StoredClaim {
  pk: string;
  sk: string;
  version: number;
  document: Uint8Array;
}

/** A deleted claim stands in no list. */
export function claimItem(slug: string, claim: Claim, version: number) {
  if (Buffer.byteLength(JSON.stringify(claim)) > largestClaim) {
    throw new ApiError('payload_too_large', { message: 'A claim holds 128 KB at most, its texts and links together.' });
  }
  const { uuid, order_id, created_at, updated_at, status, reason, resolution_preference } = claim;
  return {
    ...keyOf.claim(slug, order_id, uuid),
    ...(!isDeleted(claim) && placeIn.claims(slug, created_at, updated_at, uuid)),
    created_at,
    updated_at,
    claim: { status, reason, resolution_preference },
    version,
    document: pack(claim),
  };
}

export const toClaim = ({ document }: StoredClaim): Claim => unpack<Claim>(document);

export const claimReferenceItem = (slug: string, { uuid, order_id, shipment_id }: Claim) => ({
  ...keyOf.claimReference(slug, uuid),
  order_id,
  shipment_id,
});

/** @param version that the entry led to */
export const historyItem = (slug: string, { uuid, order_id }: ClaimPlace, version: number, entry: HistoryEntry) => ({
  ...keyOf.claimHistory(slug, order_id, uuid, version),
  ...entry,
});

export function toHistoryEntry(item: Record<string, unknown>): HistoryEntry {
  const { at, by, action, changes } = item as unknown as HistoryEntry;
  return { at, by, action, changes };
}
