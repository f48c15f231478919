import type { ClaimHistoryEntry, Claim as ClaimShape } from '#schemas/families/claims.ts';

/** What a claim shows of its order and shipment, read when it is shown. */
type Surroundings = 'shop_id' | 'shop_slug' | 'address' | 'net_invoice_amount' | 'weight_kg' | 'scan_date';

/**
 * A claim as it is stored. Order number, tracking number and carrier are those of its creation: the number never
 * changes, and the other two are shown where the shipment has been deleted since.
 */
export type Claim = Omit<ClaimShape, Surroundings>;

/** Who did what to a claim: written once, never changed. */
export type HistoryEntry = ClaimHistoryEntry;

/** Where a claim and what it is about are found. */
export interface ClaimPlace {
  uuid: string;
  order_id: string;
  shipment_id: string;
}

export const isDeleted = ({ deleted_at }: Pick<Claim, 'deleted_at'>): boolean => deleted_at !== null;
