import type { OrderBook, Shipment } from '#shared/orders/model.ts';
import { slotOf } from '#shared/orders/order-ids.ts';
import { allShipments } from '#shared/orders/order-rules.ts';
import type { OutboxEvent } from '#shared/orders/outbox.ts';
import type { Viewer } from '#shared/orders/presentation.ts';
import { newShipment } from '#shared/orders/shipment-rules.ts';
import { contextOf } from './context.ts';
import { type Occurrence, shipmentEventData } from './shipment-event-data.ts';

/** What is posted for an event of one shipment: to webhook endpoints and to integrations alike. */
export function shipmentPayload(event: OutboxEvent, occurrence: Occurrence, book: OrderBook, viewer: Viewer) {
  const { shop } = viewer;
  const { source, ref, triggered_at, event_group } = event;
  return {
    source,
    ref,
    version: 1 as const,
    triggered_at,
    event_group,
    event_data: shipmentEventData(event, occurrence, shipmentOf(occurrence, book), book),
    context: contextOf(book, viewer),
    shop_slug: shop.slug,
    shop_id: shop.uuid,
  };
}

export type ShipmentPayload = ReturnType<typeof shipmentPayload>;

/** A shipment may be deleted while its event is on its way: what happened is told all the same. */
function shipmentOf({ shipment_id, time }: Occurrence, book: OrderBook): Shipment {
  const found = allShipments(book).find(({ uuid }) => uuid === shipment_id);
  return found ?? newShipment(book.order, slotOf(shipment_id), 'merchant_customer', time);
}
