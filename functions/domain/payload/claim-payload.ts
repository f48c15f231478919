import type { Claim } from '#domain/claims/claim-rules.ts';
import type { OrderWithShipments } from '#domain/orders/model.ts';
import type { Viewer } from '#domain/orders/presentation.ts';
import type { ClaimOutboxEvent } from '#domain/outbox/outbox.ts';
import { contextOf, envelope } from './envelope.ts';

/** What is posted for an event of a claim. @param claims every claim of the order, deleted ones among them */
export function claimPayload(
  event: ClaimOutboxEvent,
  fullOrder: OrderWithShipments,
  viewer: Viewer,
  claims: readonly Claim[],
) {
  const claim = claims.find(({ uuid }) => uuid === event.claim_id);
  if (!claim) throw Object.assign(new Error('The claim of an event is gone.'), { name: 'ClaimGone' });
  return envelope(event, claimEventData(event, claim), contextOf(fullOrder, viewer, claims), viewer.shop);
}

/**
 * What happened to a claim, as the event left it. Images are named by the URLs that do not expire: a delivery may
 * arrive days later, and who wants to look at them reads the claim.
 */
function claimEventData({ claim: then, event_name, event_group }: ClaimOutboxEvent, claim: Claim) {
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
