import type { Claim } from '#domain/claims/model.ts';
import type { ClaimOutboxEvent } from '#domain/outbox/claim-event.ts';

/**
 * What happened to a claim, as the event left it. Images are named by the URLs that do not expire: a delivery may
 * arrive days later, and who wants to look at them reads the claim.
 */
export function claimEventData({ claim: then, event_name, event_group }: ClaimOutboxEvent, claim: Claim) {
  return {
    claim_id: claim.uuid,
    event_name: event_name === 'CLAIM_CREATED' ? ('created' as const) : ('updated' as const),
    created_at: claim.created_at,
    updated_at: then.updated_at,
    event_group,
    resolution_preference: then.resolution_preference,
    reason: claim.reason,
    status: then.status,
    description: then.description,
    customer_signature_image_url: claim.customer_signature_image_url,
    selected_items: claim.selected_items,
    image_urls: claim.image_urls,
    optional_image_urls: claim.optional_image_urls,
  };
}
