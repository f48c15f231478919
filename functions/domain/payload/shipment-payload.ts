import type { Claim } from '#domain/claims/model.ts';
import type { OrderBook, Shipment } from '#domain/orders/model.ts';
import { slotOf } from '#domain/orders/order-ids.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import type { Viewer } from '#domain/orders/presentation.ts';
import { newShipment } from '#domain/orders/shipment-rules.ts';
import type { ShipmentOutboxEvent } from '#domain/outbox/outbox.ts';
import { contextOf } from './context.ts';
import { envelope } from './envelope.ts';
import { type Occurrence, shipmentEventData } from './shipment-event-data.ts';

/** What is posted for an event of one shipment. */
export function shipmentPayload(
  event: ShipmentOutboxEvent,
  occurrence: Occurrence,
  book: OrderBook,
  viewer: Viewer,
  claims: readonly Claim[] = [],
) {
  const data = shipmentEventData(event, occurrence, shipmentOf(occurrence, book), book);
  return envelope(event, data, contextOf(book, viewer, claims), viewer.shop);
}

export type ShipmentPayload = ReturnType<typeof shipmentPayload>;

/** A shipment may be deleted while its event is on its way: what happened is told all the same. */
function shipmentOf({ shipment_id, time }: Occurrence, book: OrderBook): Shipment {
  const found = allShipments(book).find(({ uuid }) => uuid === shipment_id);
  return found ?? newShipment(book.order, slotOf(shipment_id), 'merchant_customer', time);
}
