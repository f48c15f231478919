import { currentEvent } from '#domain/orders/event-rules.ts';
import type { Shipment } from '#domain/orders/model.ts';
import { eventId, type OutboxEvent } from '#domain/outbox/outbox.ts';
import { refOf } from '#schemas/catalogues/shipment-events.ts';
import type { OwnedTrigger } from './trigger-due.ts';

/** What leaves when a trigger fires: the shipment's newest event, in a group of its own, to whom the trigger belongs. */
export function triggerEvent(shipment: Shipment, { third_party, trigger }: OwnedTrigger, now: Date): OutboxEvent {
  const { event_name, time } = currentEvent(shipment.events);
  return {
    id: eventId('internal_trigger', shipment.uuid, third_party, trigger.id),
    source: 'shipments',
    ref: refOf(event_name),
    event_name,
    event_group: 'shipment_internal_trigger',
    triggered_at: now.toISOString(),
    order_id: shipment.order_id,
    shipments: [{ shipment_id: shipment.uuid, time }],
    only_for: third_party,
    internal_trigger: { id: trigger.id, name: trigger.name },
  };
}
