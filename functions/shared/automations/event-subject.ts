import type { OrderBook } from '#shared/orders/model.ts';
import type { OutboxEvent } from '#shared/orders/outbox.ts';
import type { Viewer } from '#shared/orders/presentation.ts';
import { shipmentPayload } from '#shared/payload/shipment-payload.ts';

/** An outgoing event as the table holds it. */
export type StoredEvent = OutboxEvent & { shop_slug: string; shop_id: string };

/** One thing that an event is about: what an automation runs for. */
export interface EventSubject {
  /** Of the shipment or the claim. */
  id: string;
  /** When it happened. */
  time: string;
  /** The event as if it were about this one alone. */
  event: StoredEvent;
}

export function subjectsOf(item: StoredEvent): EventSubject[] {
  const event = withoutPlace(item);
  return event.shipments.map((shipment) => ({
    id: shipment.shipment_id,
    time: shipment.time,
    event: { ...event, shipments: [shipment] },
  }));
}

/** What a webhook endpoint would get. */
export const payloadOf = ({ event }: EventSubject, book: OrderBook, viewer: Viewer): object =>
  shipmentPayload(event, event.shipments[0]!, book, viewer);

/** Without what only the outbox needs: a run keeps the rest. */
function withoutPlace(item: StoredEvent): StoredEvent {
  const { pk: _pk, sk: _sk, kind: _kind, expires_at: _expiry, ...event } = item as StoredEvent & Record<string, unknown>;
  return event as StoredEvent;
}
