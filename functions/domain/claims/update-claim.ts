import { loadOrder } from '#domain/orders/order-store.ts';
import { ApiError } from '#platform/http/api-error.ts';
import { retryLostRaces } from '#platform/table/retrying.ts';
import type { Action } from '#platform/table/write-actions.ts';
import type { ClaimUpdate } from '#schemas/families/claims.ts';
import { type Step, updated } from './claim-rules.ts';
import { findClaim, loadClaim } from './claim-store.ts';
import { type ShopIdentity, saveStep } from './claim-writes.ts';
import type { Claim } from './model.ts';

export interface Change {
  /** Goes into the history and with the event: the id of an API key, or what else makes the change. */
  by: string;
  now: Date;
  /** What else is written with the change. Where its condition does not hold nothing is, and it throws AlsoLost. */
  also?: readonly Action[];
}

/**
 * Changes a claim and emits `claims/updated`; the same again changes nothing. Throws `claim_not_found` and
 * `claim_transition_invalid`.
 */
export function updateClaim(shop: ShopIdentity, uuid: string, changes: ClaimUpdate, change: Change): Promise<Claim> {
  return changeClaim(shop, uuid, change, (claim, at) => updated(claim, changes, at));
}

/** Reads a claim, decides, writes; answers the claim as it is afterwards. Undefined leaves it as it is. */
export async function changeClaim(
  shop: ShopIdentity,
  uuid: string,
  { by, now, also }: Change,
  decide: (claim: Claim, at: string) => Step | undefined,
): Promise<Claim> {
  const place = await findClaim(shop.slug, uuid);
  if (!place) throw new ApiError('claim_not_found');
  return retryLostRaces(async () => {
    const before = await loadClaim(shop.slug, place);
    if (!before) throw new ApiError('claim_not_found');
    const step = decide(before.claim, now.toISOString());
    if (!step) return before.claim;
    const book = step.action === 'updated' ? await loadOrder(shop.slug, place.order_id) : undefined;
    await saveStep(shop, before, step, { by, book }, also);
    return step.claim;
  });
}
