import { readSubjects, type Subject } from '#domain/claims/claim-subject.ts';
import type { ShopIdentity } from '#domain/claims/claim-writes.ts';
import type { Claim } from '#domain/claims/model.ts';
import { toClaimResponse } from '#domain/claims/presentation.ts';
import { signedImageUrl } from '#domain/images/private-urls.ts';
import type { Claim as ClaimShape } from '#schemas/families/claims.ts';
import { withSignedImages } from './signed-images.ts';

/** A claim as an answer shows it. */
export function showClaim(claim: Claim, subject: Subject, shop: ShopIdentity, now: Date): Promise<ClaimShape> {
  return withSignedImages(toClaimResponse(claim, subject, shop), (url) => signedImageUrl(url, now, shop));
}

/** Claims with what they are about, read for all of them together. */
export async function showClaims(claims: readonly Claim[], shop: ShopIdentity, now: Date): Promise<ClaimShape[]> {
  if (claims.length === 0) return [];
  const subjectOf = await readSubjects(shop.slug, claims);
  return Promise.all(claims.map((claim) => showClaim(claim, subjectOf(claim), shop, now)));
}
