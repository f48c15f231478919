import type { Claim } from '#domain/claims/model.ts';
import { eventId, type OutboxFields } from './outbox.ts';

export interface ClaimOutboxEvent extends OutboxFields {
  source: 'claims';
  event_name: 'CLAIM_CREATED' | 'CLAIM_UPDATED';
  claim_id: string;
  shipment_id: string;
  /** What can change of a claim, as this event left it: by the time it is sent there may have been another. */
  claim: Pick<Claim, 'status' | 'resolution_preference' | 'description' | 'updated_at'>;
  /** Who caused it: the id of an API key, or what else made the change. */
  by: string;
}

/** @param version of the claim: each has one event at most */
export function claimEvent(action: 'created' | 'updated', claim: Claim, version: number, by: string): ClaimOutboxEvent {
  const { uuid, order_id, shipment_id, status, resolution_preference, description, updated_at } = claim;
  const ref = `claims/${action}`;
  return {
    id: eventId(ref, uuid, version),
    source: 'claims',
    ref,
    event_name: action === 'created' ? 'CLAIM_CREATED' : 'CLAIM_UPDATED',
    event_group: `claim_${action}`,
    triggered_at: updated_at,
    order_id,
    claim_id: uuid,
    shipment_id,
    claim: { status, resolution_preference, description, updated_at },
    by,
  };
}
