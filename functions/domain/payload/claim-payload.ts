import type { Claim } from '#domain/claims/model.ts';
import type { OrderBook } from '#domain/orders/model.ts';
import type { Viewer } from '#domain/orders/presentation.ts';
import type { ClaimOutboxEvent } from '#domain/outbox/claim-event.ts';
import { claimEventData } from './claim-event-data.ts';
import { contextOf } from './context.ts';
import { envelope } from './envelope.ts';

/** What is posted for an event of a claim. @param claims every claim of the order, deleted ones among them */
export function claimPayload(event: ClaimOutboxEvent, book: OrderBook, viewer: Viewer, claims: readonly Claim[]) {
  const claim = claims.find(({ uuid }) => uuid === event.claim_id);
  if (!claim) throw Object.assign(new Error('The claim of an event is gone.'), { name: 'ClaimGone' });
  return envelope(event, claimEventData(event, claim), contextOf(book, viewer, claims), viewer.shop);
}
