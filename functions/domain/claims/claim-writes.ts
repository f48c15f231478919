import { isErased, refusePersonal } from '#domain/orders/erased-order.ts';
import { cohortOf } from '#domain/orders/handed-over.ts';
import type { Order, OrderWithShipments, ShopIdentity } from '#domain/orders/model.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import { claimEvent, messageEvent, outboxWrites } from '#domain/orders/outbox.ts';
import { clockOf } from '#domain/orders/simulated.ts';
import { ServiceError } from '#platform/errors.ts';
import { tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import {
  type Action,
  commit,
  insert,
  put,
  putVersion,
  remove,
  retryOnConflict,
  WriteConflict,
} from '#platform/table/writes.ts';
import { clockSince, laterThan } from '#platform/time.ts';
import { orderLimits, payloadLimits, sizeText } from '#schemas/catalogues/limits.ts';
import type { ClaimUpdate } from '#schemas/families/claims.ts';
import { type Author, type Claim, isDeleted, type Step, updated } from './claim-rules.ts';
import {
  checkSize,
  claimBytes,
  claimItem,
  claimNumberItem,
  claimReferenceItem,
  findClaim,
  historyItem,
  loadClaim,
  pageClaimItem,
} from './claim-store.ts';
import { messageItem } from './message-store.ts';
import { claimData, historyData, messageData } from './personal-data.ts';

/** The customer sees the claim on the tracking page of the order, until it is deleted. */
function showOnPage(order: Order, claim: Claim): Action[] {
  const { page_token } = order;
  if (page_token === undefined || isErased(order)) return [];
  return [isDeleted(claim) ? remove(keyOf.pageClaim(page_token, claim.uuid)) : put(pageClaimItem(page_token, claim))];
}

/**
 * Writes the claim, its references, its first history entry and its event in one transaction, with the writes of `also`.
 * Throws `order_erased` if the order is erased and the claim has a text or a picture.
 */
export async function insertClaim(
  shop: ShopIdentity,
  made: Claim,
  fullOrder: OrderWithShipments,
  author: Author,
  also: readonly Action[] = [],
): Promise<void> {
  const { slug } = shop;
  const claim = withCohort(made, fullOrder);
  const entry = { at: claim.created_at, ...author, action: 'created' as const, changes: [] };
  const { erased_at } = fullOrder.order;
  refusePersonal(fullOrder.order, claimData, claim);
  const actions = [
    countUp(slug, claim, erased_at),
    insert(claimItem(slug, claim, 1)),
    insert(claimReferenceItem(slug, claim)),
    put(claimNumberItem(slug, claim)),
    insert(historyItem(slug, claim, 1, entry)),
    ...showOnPage(fullOrder.order, claim),
    ...outboxWrites(shop, [claimEvent('created', claim, 1, author.by)], fullOrder),
    ...also,
  ];
  try {
    await commit(actions);
  } catch (error) {
    if (!(error instanceof WriteConflict && error.positions.includes(0))) throw error;
    // Then the order is read again.
    if (erased_at === undefined && (await readCount(slug, claim)).erased_at !== undefined) throw new WriteConflict([]);
    throw tooManyOrLarge();
  }
}

/**
 * It stays with the parcels that it was made about, also if their events get other times later. About a parcel that is older
 * than the figures it is counted for its day alone, as no cohort has that parcel.
 */
function withCohort(claim: Claim, fullOrder: OrderWithShipments | undefined): Claim {
  if (claim.cohort !== undefined) return claim;
  const shipment = fullOrder?.shipments.find(({ uuid }) => uuid === claim.shipment_id);
  return { ...claim, cohort: (shipment && cohortOf(shipment)) ?? null };
}

/**
 * Counts the claims of an order and their bytes: every event of the order carries all of them. It fails if the order was
 * erased after it was read. @param erasedAt what the order said
 */
function countUp(slug: string, claim: Claim, erasedAt: string | undefined): Action {
  const bytes = claimBytes(claim);
  const hasRoom =
    'attribute_not_exists(#claims) OR (#claims < :max AND (attribute_not_exists(#bytes) OR #bytes <= :room))';
  return {
    Update: {
      TableName: tableName(),
      Key: keyOf.claimCount(slug, claim.order_id),
      UpdateExpression: 'ADD #claims :one, #bytes :bytes',
      ConditionExpression: erasedAt === undefined ? `attribute_not_exists(erased_at) AND (${hasRoom})` : hasRoom,
      ExpressionAttributeNames: { '#claims': 'claims', '#bytes': 'bytes' },
      ExpressionAttributeValues: {
        ':one': 1,
        ':bytes': bytes,
        ':max': orderLimits.claims,
        ':room': payloadLimits.claimBytes - bytes,
      },
    },
  };
}

/** Throws if the order has no room for the claim. The insert checks it again: this saves what would be done in vain. */
export async function checkRoom(slug: string, claim: Claim): Promise<void> {
  checkSize(claim);
  const { claims = 0, bytes = 0 } = await readCount(slug, claim);
  if (claims >= orderLimits.claims || bytes + claimBytes(claim) > payloadLimits.claimBytes) throw tooManyOrLarge();
}

/** `erased_at`: when the personal data of the order was erased. */
type ClaimCount = Partial<{ claims: number; bytes: number; erased_at: string }>;

const readCount = async (slug: string, { order_id }: Claim): Promise<ClaimCount> =>
  (await getItem<ClaimCount>(keyOf.claimCount(slug, order_id))) ?? {};

const tooManyOrLarge = () =>
  new ServiceError('payload_too_large', {
    message:
      `An order can have up to ${orderLimits.claims} claims with up to ${sizeText(payloadLimits.claimBytes)} in all, ` +
      'including deleted claims.',
  });

/** An extra write of a change failed its condition, so the change was not written either. */
export class ExtraWriteFailed extends Error {
  override readonly name = 'ExtraWriteFailed';
}

/**
 * The claim after a step, its history entry and its event.
 * @param version that the step leads to @param fullOrder undefined if the order is gone
 */
function stepActions(
  shop: ShopIdentity,
  { claim: changed, action, changes, comment, message }: Step,
  version: number,
  author: Author,
  fullOrder: OrderWithShipments | undefined,
): Action[] {
  const { slug } = shop;
  const claim = withCohort(changed, fullOrder);
  const entry = { at: claim.updated_at, ...author, action, changes, ...(comment && { comment }) };
  return [
    putVersion(claimItem(slug, claim, version)),
    insert(historyItem(slug, claim, version, entry)),
    ...(message ? [insert(messageItem(slug, claim, message))] : []),
    ...(fullOrder ? showOnPage(fullOrder.order, claim) : []),
    ...(message ? outboxWrites(shop, [messageEvent(claim, message, version, author.by)], fullOrder) : []),
    // The contract has no event for a deleted claim, and a comment is for the merchant's own people.
    ...(action === 'updated' && changes.length > 0
      ? outboxWrites(shop, [claimEvent(action, claim, version, author.by)], fullOrder)
      : []),
  ];
}

export interface Change extends Author {
  now: Date;
  /**
   * Extra writes in the same transaction. If one of their conditions fails, nothing is written and ExtraWriteFailed is thrown.
   */
  also?: readonly Action[];
}

/**
 * Changes a claim and emits `claims/updated`. The same change again does nothing. Throws `claim_not_found` and
 * `claim_transition_invalid`.
 */
export function updateClaim(shop: ShopIdentity, uuid: string, changes: ClaimUpdate, change: Change): Promise<Claim> {
  return changeClaim(shop, uuid, change, (claim, at) => updated(claim, changes, at));
}

/**
 * Reads a claim, decides and writes it, and returns the claim after that. If `decide` returns undefined, the claim
 * stays as it is.
 */
export async function changeClaim(
  shop: ShopIdentity,
  uuid: string,
  { now, also = [], ...author }: Change,
  decide: (claim: Claim, at: string) => Step | undefined,
): Promise<Claim> {
  const place = await findClaim(shop.slug, uuid);
  if (!place) throw new ServiceError('claim_not_found');
  const clock = clockSince(now);
  return retryOnConflict(async () => {
    const before = await loadClaim(shop.slug, place);
    if (!before) throw new ServiceError('claim_not_found');
    const at = await clockOf(shop.slug, before.claim, clock());
    const step = decide(before.claim, laterThan(before.claim.updated_at, at));
    if (!step) return before.claim;
    const fullOrder = await loadOrder(shop.slug, place.order_id);
    const { changes, comment = '', message } = step;
    if (fullOrder) refusePersonal(fullOrder.order, historyData, { changes, comment });
    if (fullOrder && message) refusePersonal(fullOrder.order, messageData, message);
    const own = stepActions(shop, step, before.version + 1, author, fullOrder);
    try {
      await commit([...own, ...also]);
    } catch (error) {
      const isOther = error instanceof WriteConflict && error.positions.some((position) => position >= own.length);
      throw isOther ? new ExtraWriteFailed() : error;
    }
    return step.claim;
  });
}
