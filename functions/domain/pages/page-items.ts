import type { Claim } from '#domain/claims/claim-rules.ts';
import { keyOf } from '#platform/table/keys.ts';

/** How the tracking page of an order looks in the table: one partition, so that one query reads all of it. */

export const pageReferenceItem = (token: string, slug: string, orderId: string) => ({
  ...keyOf.pageReference(token),
  slug,
  order_id: orderId,
});

/** What a customer sees of a claim. */
export type PageClaim = Pick<Claim, 'reason' | 'status' | 'created_at'>;

export const pageClaimItem = (token: string, { uuid, reason, status, created_at }: Claim) => ({
  ...keyOf.pageClaim(token, uuid),
  reason,
  status,
  created_at,
});
