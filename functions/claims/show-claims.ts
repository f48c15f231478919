import type { Claim as ClaimShape } from '#schemas/claims.ts';
import { readSubjects, type Subject } from '#shared/claims/claim-subject.ts';
import type { ShopIdentity } from '#shared/claims/claim-writes.ts';
import type { Claim } from '#shared/claims/model.ts';
import { toClaimResponse } from '#shared/claims/presentation.ts';

/** A claim as an answer shows it. */
export async function showClaim(claim: Claim, subject: Subject, shop: ShopIdentity, _now: Date): Promise<ClaimShape> {
  return toClaimResponse(claim, subject, shop);
}

/** Claims with what they are about, read for all of them together. */
export async function showClaims(claims: readonly Claim[], shop: ShopIdentity, now: Date): Promise<ClaimShape[]> {
  if (claims.length === 0) return [];
  const subjectOf = await readSubjects(shop.slug, claims);
  return Promise.all(claims.map((claim) => showClaim(claim, subjectOf(claim), shop, now)));
}
