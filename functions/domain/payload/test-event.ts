import { v7 as uuidv7 } from 'uuid';
import type { DeliverySource } from '#domain/deliveries/delivery-items.ts';
import type { OrderWithShipments } from '#domain/orders/model.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import type { Viewer } from '#domain/orders/presentation.ts';
import { fulfilled, newShipment, reported } from '#domain/orders/shipment-rules.ts';
import { outboxEvent } from '#domain/outbox/outbox.ts';
import { shipmentPayload } from './event-payload.ts';

/** An event of an invented order, in the shape of a real one. Its data contain `test: true`. */
export function testEvent(viewer: Viewer, now: Date): { source: DeliverySource; body: string } {
  const { order, shipments } = exampleOrder(now);
  const [shipment] = shipments;
  const event = outboxEvent(shipment!, shipment!.events.at(-1)!, now.toISOString());
  const payload = shipmentPayload(event, event.shipments[0]!, { order, shipments }, viewer);
  const { ref, event_group, triggered_at } = event;
  return {
    // Every test is a separate delivery, even two in one millisecond.
    source: {
      event_id: uuidv7({ msecs: now.getTime() }),
      subject_id: shipment!.uuid,
      ref,
      event_group,
      triggered_at,
      shop_slug: viewer.shop.slug,
    },
    body: JSON.stringify({ ...payload, event_data: { ...payload.event_data, test: true } }),
  };
}

function exampleOrder(now: Date): OrderWithShipments {
  const at = now.toISOString();
  const carrier = { tracking_number: 'TEST0000000001', carrier_reference: null, tracking_url: null, placed_at: at };
  const placed = newOrder(newOrderId(now), exampleInput, now);
  const order = { ...placed, drafts: [], shipments: [1] };
  const sent = fulfilled(newShipment(order, 1, 'merchant_customer', at), carrier, at);
  const { shipment } = reported(sent, { event: { event_name: 'SHIPMENT_EN_ROUTE', time: at } }, at);
  return { order, shipments: [shipment] };
}

const exampleInput = {
  order_number: 'TEST-1001',
  order_name: '#TEST-1001',
  total_order_price: 49.9,
  email_id: 'customer@example.com',
  address: {
    name: 'Alex Example',
    address_line_1: 'Example Street 1',
    zip_code: '10115',
    city: 'Berlin',
    country: 'Germany',
    country_code: 'DE',
  },
  products: [{ title: 'Example product', quantity: 1, price: 49.9 }],
};
