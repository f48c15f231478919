import type { Claim } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder } from '#domain/claims/claim-store.ts';
import type { OrderWithShipments } from '#domain/orders/model.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import type { Viewer } from '#domain/orders/presentation.ts';
import type { OutboxEvent } from '#domain/outbox/outbox.ts';
import { claimPayload } from './claim-payload.ts';
import type { Occurrence } from './shipment-payload.ts';
import { shipmentPayload } from './shipment-payload.ts';

/** An outgoing event as the table holds it. */
export type StoredEvent = OutboxEvent & { shop_slug: string; shop_id: string };

/** One thing that an event is about, and when that happened. */
export interface EventSubject {
  /** The id of the shipment or of the claim. */
  id: string;
  occurrence: Occurrence;
}

export function subjectsOf(event: OutboxEvent): EventSubject[] {
  if (event.source === 'shipments') {
    return event.shipments.map((occurrence) => ({ id: occurrence.shipment_id, occurrence }));
  }
  const { claim_id: id, shipment_id, triggered_at: time } = event;
  return [{ id, occurrence: { shipment_id, time } }];
}

/** The order around an event. */
export interface OrderContext {
  fullOrder: OrderWithShipments;
  claims: readonly Claim[];
}

/** As it is now; undefined where the order is gone. */
export async function loadOrderContext(slug: string, orderId: string): Promise<OrderContext | undefined> {
  const [fullOrder, claims] = await Promise.all([loadOrder(slug, orderId), claimsOfOrder(slug, orderId)]);
  return fullOrder && { fullOrder, claims };
}

/** What is posted of an event for one of its subjects. */
export function payloadOf(
  event: OutboxEvent,
  { occurrence }: EventSubject,
  { fullOrder, claims }: OrderContext,
  viewer: Viewer,
): object {
  if (event.source === 'claims') return claimPayload(event, fullOrder, viewer, claims);
  return shipmentPayload(event, occurrence, fullOrder, viewer, claims);
}
