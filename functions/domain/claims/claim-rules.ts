import type { Shipment } from '#domain/orders/model.ts';
import { ServiceError } from '#platform/errors.ts';
import type { CohortPlace } from '#platform/table/keys.ts';
import { claimTransitions } from '#schemas/catalogues/enumerations.ts';
import type {
  ClaimCreate,
  ClaimHistoryEntry,
  ClaimMessage,
  Claim as ClaimShape,
  ClaimStatus,
  ClaimUpdate,
} from '#schemas/families/claims.ts';

/** Who made a claim that came from the form on a tracking page, in its history. */
export const byCustomer = 'customer';

export function newClaim(uuid: string, input: ClaimCreate, shipment: Shipment, at: string): Claim {
  const { order_id, order_number, tracking_number, carrier_reference } = shipment;
  return {
    uuid,
    created_at: at,
    updated_at: at,
    deleted_at: null,
    order_id,
    shipment_id: shipment.uuid,
    order_number,
    tracking_number,
    carrier_reference,
    reason: input.reason,
    resolution_preference: input.resolution_preference ?? null,
    status: 'pending',
    description: input.description ?? null,
    customer_signature_image_url: input.customer_signature_image_url ?? null,
    selected_items: input.selected_items,
    damaged_product_items: input.damaged_product_items,
    image_urls: input.image_urls,
    optional_image_urls: input.optional_image_urls,
    dropoff_permission: input.dropoff_permission ?? null,
    step_user_input: input.step_user_input ?? null,
    ...(shipment.simulation_id !== undefined && { simulation_id: shipment.simulation_id }),
  };
}

/** A claim after a change, with the action and changes for its history. */
export interface Step {
  claim: Claim;
  action: HistoryEntry['action'];
  changes: HistoryEntry['changes'];
  comment?: string;
  /** What was written, if that is the change. */
  message?: Message;
}

/** Undefined if nothing would change. */
export function updated(claim: Claim, update: ClaimUpdate, at: string): Step | undefined {
  const next = {
    status: update.status ?? claim.status,
    resolution_preference:
      update.resolution_preference === undefined ? claim.resolution_preference : update.resolution_preference,
    description: update.description === undefined ? claim.description : update.description,
  };
  checkTransition(claim.status, next.status);
  const changes = changedFields
    .filter((field) => next[field] !== claim[field])
    .map((field) => ({ field, from: claim[field], to: next[field] }));
  const { comment } = update;
  if (changes.length === 0 && !comment) return undefined;
  return {
    claim: { ...(next.status === 'closed' ? answered(claim) : claim), ...next, updated_at: at },
    action: 'updated',
    changes,
    ...(comment && { comment }),
  };
}

/** The claim without a message that waits. */
export function answered({ unanswered_since: _, ...claim }: Claim): Claim {
  return claim;
}

const changedFields = ['status', 'resolution_preference', 'description'] as const;

function checkTransition(from: ClaimStatus, to: ClaimStatus): void {
  if (from === to || claimTransitions[from].includes(to)) return;
  throw new ServiceError('claim_transition_invalid', {
    message: `The status of the claim cannot change from ${from} to ${to}.`,
  });
}

/** The claim as it was at an earlier time. @param history newest first, back to at least one entry before that time */
export function claimAt(claim: Claim, history: readonly HistoryEntry[], then: string): Claim {
  const known = history.findIndex(({ at }) => at <= then);
  const since = known === -1 ? history : history.slice(0, known);
  return { ...since.reduce(undone, claim), updated_at: history[known]?.at ?? claim.created_at };
}

const undone = (claim: Claim, { action, changes }: HistoryEntry): Claim => ({
  ...claim,
  ...(action === 'deleted' && { deleted_at: null }),
  ...Object.fromEntries(changes.map(({ field, from }) => [field, from])),
});

export const deleted = (claim: Claim, at: string): Step => ({
  claim: { ...claim, updated_at: at, deleted_at: at },
  action: 'deleted',
  changes: [],
});

/** The fields of a claim that are read from its order and shipment when the claim is shown. */
export type OrderFields =
  | 'shop_id'
  | 'shop_slug'
  | 'address'
  | 'net_invoice_amount'
  | 'claimed_amount'
  | 'currency'
  | 'weight_kg'
  | 'scan_date';

/** What a claim without messages does not store. */
type MessageFields = 'message_count' | 'unanswered_since';

/**
 * A stored claim. Order number, tracking number and carrier are copied when the claim is made: the order number never
 * changes, and the other two are shown if the shipment is deleted later.
 */
export interface Claim extends Omit<ClaimShape, OrderFields | MessageFields> {
  message_count?: number;
  /** Absent if the shop wrote last. */
  unanswered_since?: string;
  /** The simulation that made its order. Nothing counts the claim. */
  simulation_id?: string;
  /** When its personal data was erased. */
  erased_at?: string;
  /**
   * The parcels that it is counted with: those of its own at the time of the claim. Null if no carrier had got that, or
   * nothing counts it. Absent if the claim was last written by a release that did not count claims of days: it is counted for
   * its day from its next write on. No response contains it.
   */
  cohort?: CohortPlace | null;
}

/** What shop or customer wrote in a claim. It is written once and never changed. */
export type Message = ClaimMessage;

/** Who did what to a claim. An entry is written once and never changed. */
export type HistoryEntry = ClaimHistoryEntry;

/** Who changes a claim. */
export interface Author {
  /** The id of an API key, or the name of what else makes the change. */
  by: string;
  /** What people call the API key. */
  by_name?: string;
}

/** The ids that locate a claim, its order and its shipment. */
export interface ClaimPlace {
  uuid: string;
  order_id: string;
  shipment_id: string;
}

export const isDeleted = ({ deleted_at }: Pick<Claim, 'deleted_at'>): boolean => deleted_at !== null;

/** The URLs of all pictures in a claim. */
export function imagesOfClaim(claim: Claim): string[] {
  const { customer_signature_image_url: signature, image_urls, optional_image_urls } = claim;
  const ofItems = [...claim.selected_items, ...claim.damaged_product_items].flatMap((item) => item.image_urls);
  return [...(signature === null ? [] : [signature]), ...image_urls, ...optional_image_urls, ...ofItems];
}
