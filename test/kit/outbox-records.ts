import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { type Endpoint, endpointItem } from '#domain/endpoints/endpoint.ts';
import type { OrderWithShipments, Shipment } from '#domain/orders/model.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { outboxEvents, outboxItem, type ShipmentOutboxEvent } from '#domain/orders/outbox.ts';
import { fulfilled, newShipment, reported } from '#domain/orders/shipment-rules.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';

/** The input of fan-out: orders with parcels, listeners, and the stream's records. */

export const triggeredAt = '2026-11-14T12:00:00.000Z';

export interface OrderWithEvent extends OrderWithShipments {
  slug: string;
  event: ReturnType<typeof outboxItem<ShipmentOutboxEvent>>;
}

export interface EventOptions {
  name?: ShipmentEventName;
  time?: string;
  parcels?: number;
}

/** An order whose parcels all had the same event. */
export function orderWithEvent(slug: string, number: string, options: EventOptions = {}): OrderWithEvent {
  const { name = 'SHIPMENT_EN_ROUTE', time = triggeredAt, parcels = 1 } = options;
  const now = new Date(triggeredAt);
  const placed = newOrder(newOrderId(now), { order_number: number, email_id: 'a@example.com' }, now);
  const slots = Array.from({ length: parcels }, (_, i) => i + 1);
  const order = { ...placed, drafts: [], shipments: slots };
  const shipments = slots.map((slot): Shipment => {
    const carrier = { tracking_number: `${number}-${slot}`, carrier_reference: 'dhl', tracking_url: null };
    const sent = fulfilled(newShipment(order, slot, 'merchant_customer', time), { ...carrier, placed_at: time }, time);
    return reported(sent, { event: { event_name: name, time } }, triggeredAt).shipment;
  });
  const [event] = outboxEvents(name, shipments, triggeredAt);
  return { slug, order, shipments, event: outboxItem({ slug, uuid: `shop-${slug}` }, event!) };
}

export const itemsOf = ({ slug, order, shipments }: OrderWithEvent) => [
  orderItem(slug, order, 1),
  ...shipments.map((shipment) => shipmentItem(slug, shipment, 1)),
];

/** Stream records `1`, `2`, … of the events. */
export function streamOf(...happenings: (OrderWithEvent | { event: object })[]): DynamoDBStreamEvent {
  const Records = happenings.map(({ event }, i) => ({
    eventName: 'INSERT',
    dynamodb: { SequenceNumber: String(i + 1), NewImage: marshall(event) },
  }));
  return { Records } as DynamoDBStreamEvent;
}

export function listener(slug: string, uuid: string, fields: Partial<Endpoint> = {}) {
  return endpointItem({
    uuid,
    shop_slug: slug,
    url: `https://${uuid}.example`,
    enabled_events: ['*'],
    description: null,
    status: 'active',
    secrets: [],
    created_at: triggeredAt,
    updated_at: triggeredAt,
    ...fields,
  });
}

export const integrationKey = (slug: string, integration: string, origin: string | null = null) => ({
  ...keyOf.integrationKey(slug, integration),
  integration,
  origin,
});

export const switches = (slug: string, triggers: Record<string, boolean>) => ({ ...keyOf.settings(slug), triggers });
