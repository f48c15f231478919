import type { OrderWithShipments, ShopIdentity } from '#domain/orders/model.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import { claimEvent, outboxWrites } from '#domain/outbox/outbox.ts';
import { ApiError } from '#platform/http/errors.ts';
import { tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type Action, insert, put, retryOnConflict, transact, WriteConflict } from '#platform/table/writes.ts';
import { orderLimits } from '#schemas/catalogues/limits.ts';
import type { ClaimUpdate } from '#schemas/families/claims.ts';
import { type Claim, type Step, updated } from './claim-rules.ts';
import { claimItem, claimReferenceItem, findClaim, historyItem, type LoadedClaim, loadClaim } from './claim-store.ts';

/** The claim, where to find it, the beginning of its history and its event, in one transaction. */
export async function insertClaim(
  shop: ShopIdentity,
  claim: Claim,
  fullOrder: OrderWithShipments,
  by: string,
): Promise<void> {
  const { slug } = shop;
  const entry = { at: claim.created_at, by, action: 'created' as const, changes: [] };
  const actions = [
    countUp(slug, claim.order_id),
    insert(claimItem(slug, claim, 1)),
    insert(claimReferenceItem(slug, claim)),
    insert(historyItem(slug, claim, 1, entry)),
    ...outboxWrites(shop, [claimEvent('created', claim, 1, by)], fullOrder),
  ];
  try {
    await transact(actions);
  } catch (error) {
    if (error instanceof WriteConflict && error.positions.includes(0)) throw tooMany();
    throw error;
  }
}

function countUp(slug: string, orderId: string): Action {
  return {
    Update: {
      TableName: tableName(),
      Key: keyOf.claimCount(slug, orderId),
      UpdateExpression: 'ADD #claims :one',
      ConditionExpression: 'attribute_not_exists(#claims) OR #claims < :most',
      ExpressionAttributeNames: { '#claims': 'claims' },
      ExpressionAttributeValues: { ':one': 1, ':most': orderLimits.claims },
    },
  };
}

const tooMany = () =>
  new ApiError('payload_too_large', {
    message: `An order can have up to ${orderLimits.claims} claims, including deleted claims.`,
  });

/** What was to be written with a step could not be: the step was not written either. */
export class AlsoLost extends Error {
  override readonly name = 'AlsoLost';
}

/** What a step is told with. */
interface Telling {
  by: string;
  /** Undefined where the order is gone, or nothing is told. */
  fullOrder: OrderWithShipments | undefined;
}

/** The step, its entry in history and its event, in one transaction. Throws WriteConflict where another came before. */
async function saveStep(
  shop: ShopIdentity,
  before: LoadedClaim,
  step: Step,
  telling: Telling,
  also: readonly Action[] = [],
): Promise<void> {
  const own = stepActions(shop, before, step, telling);
  try {
    await transact([...own, ...also]);
  } catch (error) {
    const isOther = error instanceof WriteConflict && error.positions.some((position) => position >= own.length);
    throw isOther ? new AlsoLost() : error;
  }
}

function stepActions(shop: ShopIdentity, before: LoadedClaim, step: Step, { by, fullOrder }: Telling): Action[] {
  const { slug } = shop;
  const { claim, action, changes } = step;
  const version = before.version + 1;
  return [
    put(claimItem(slug, claim, version), 'version = :before', { ':before': before.version }),
    insert(historyItem(slug, claim, version, { at: claim.updated_at, by, action, changes })),
    // The contract knows no event for a claim that is deleted.
    ...(action === 'updated' ? outboxWrites(shop, [claimEvent(action, claim, version, by)], fullOrder) : []),
  ];
}

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
  return retryOnConflict(async () => {
    const before = await loadClaim(shop.slug, place);
    if (!before) throw new ApiError('claim_not_found');
    const step = decide(before.claim, now.toISOString());
    if (!step) return before.claim;
    const fullOrder = step.action === 'updated' ? await loadOrder(shop.slug, place.order_id) : undefined;
    await saveStep(shop, before, step, { by, fullOrder }, also);
    return step.claim;
  });
}
