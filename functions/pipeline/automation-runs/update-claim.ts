import { causedBy, chainOf } from '#domain/automations/chain.ts';
import type { ClaimStatus } from '#domain/automations/model.ts';
import type { ActionResult } from '#domain/automations/run.ts';
import { recordResult } from '#domain/automations/run-store.ts';
import { AlsoLost } from '#domain/claims/claim-writes.ts';
import { updateClaim } from '#domain/claims/update-claim.ts';
import { ApiError } from '#platform/http/api-error.ts';
import { type Doing, recorded } from './perform.ts';

const done: ActionResult = { status: 'done' };

/** Moves the claim of the event. A move that it does not allow is not tried again. */
export async function changeClaimOf(status: ClaimStatus, name: string, doing: Doing): Promise<ActionResult> {
  const { run, automation, shop, now } = doing;
  const { event } = run;
  if (event.source !== 'claims') return { status: 'failed', reason: 'not_of_a_claim' };
  const by = causedBy(chainOf(event), automation.uuid);
  const also = [recordResult(run, name, done)];
  try {
    await updateClaim(shop, event.claim_id, { status }, { by, now, also });
    return done;
  } catch (error) {
    const earlier = error instanceof AlsoLost ? await recorded(run, name) : undefined;
    if (earlier) return earlier;
    if (error instanceof ApiError && error.status < 500) return { status: 'failed', reason: error.key };
    throw error;
  }
}
