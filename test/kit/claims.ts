import type { Claim } from '#domain/claims/claim-rules.ts';
import { newClaim } from '#domain/claims/claim-rules.ts';
import type { ClaimCreate } from '#schemas/families/claims.ts';
import { orderWithEvent } from './outbox-records.ts';

export const madeAt = '2026-11-14T12:00:00.000Z';
export const claimId = '01930000-0000-7000-8000-00000000c1a1';

const { order, shipments } = orderWithEvent('blue', 'T');
/** An order with one parcel, `T-1`, that is on its way. */
export const parcel = { order, shipment: shipments[0]! };

const claimInput = (fields: Partial<ClaimCreate> = {}): ClaimCreate => ({
  reason: 'damage',
  selected_items: [],
  damaged_product_items: [],
  image_urls: [],
  optional_image_urls: [],
  ...fields,
});

export const claimOf = (fields: Partial<Claim> = {}): Claim => ({
  ...newClaim(claimId, claimInput(), parcel.shipment, madeAt),
  ...fields,
});
