import { deleted } from '#domain/claims/claim-rules.ts';
import { findClaim, type LoadedClaim, loadClaim } from '#domain/claims/claim-store.ts';
import { readSubjects } from '#domain/claims/claim-subject.ts';
import type { ClaimPlace } from '#domain/claims/model.ts';
import { changeClaim, updateClaim as update } from '#domain/claims/update-claim.ts';
import { ApiError } from '#platform/http/api-error.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { claims } from '#schemas/families/claims.ts';
import { showClaim, showClaims } from './show-claims.ts';

export const getClaim: Implementation<typeof claims.getClaim> = async ({ shop, params, now }) => {
  const place = await requirePlace(shop.slug, params.uuid);
  const [found, subjectOf] = await Promise.all([loadClaim(shop.slug, place), readSubjects(shop.slug, [place])]);
  if (!found) throw new ApiError('claim_not_found');
  return showClaim(found.claim, subjectOf(place), shop, now);
};

export const updateClaim: Implementation<typeof claims.updateClaim> = async ({ shop, caller, params, body, now }) => {
  const claim = await update(shop, params.uuid.toLowerCase(), body, { by: caller.tokenId, now });
  const [shown] = await showClaims([claim], shop, now);
  return shown!;
};

export const deleteClaim: Implementation<typeof claims.deleteClaim> = async ({ shop, caller, params, now }) => {
  await changeClaim(shop, params.uuid.toLowerCase(), { by: caller.tokenId, now }, deleted);
  return null;
};

export async function requireClaim(slug: string, uuid: string): Promise<LoadedClaim> {
  const found = await loadClaim(slug, await requirePlace(slug, uuid));
  if (!found) throw new ApiError('claim_not_found');
  return found;
}

async function requirePlace(slug: string, uuid: string): Promise<ClaimPlace> {
  const place = await findClaim(slug, uuid.toLowerCase());
  if (!place) throw new ApiError('claim_not_found');
  return place;
}
