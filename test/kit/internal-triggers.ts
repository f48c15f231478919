import type { Shipment } from '#domain/orders/model.ts';
import { shipmentId } from '#domain/orders/model.ts';
import { asDraft, newShipment, reported } from '#domain/orders/shipment-rules.ts';
import type { InternalTrigger } from '#domain/settings/trigger-settings.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';

const hour = 3_600_000;
export const noon = '2026-11-14T12:00:00.000Z';
export const hoursAfter = (time: string, hours: number) => new Date(Date.parse(time) + hours * hour).toISOString();

export function aTrigger(fields: Partial<InternalTrigger> = {}): InternalTrigger {
  return {
    id: 't1',
    name: 'Stuck',
    phase_in: [],
    phase_not_in: [],
    event_key_in: [],
    event_key_not_in: [],
    operator: 'AND',
    time_threshold_type: 'latest_event_time',
    time_threshold_value: 24,
    shipment_direction: 'merchant_customer',
    ...fields,
  };
}

export const orderId = '01930000-0000-7000-8000-000000000000';

/** A shipment created at noon that had these events at these times. */
export function aShipment(events: [ShipmentEventName, string][] = [], fields: Partial<Shipment> = {}): Shipment {
  const order = { uuid: orderId, order_number: 'A1' };
  const draft = asDraft(newShipment(order, 1, 'merchant_customer', noon));
  const shipment = events.reduce(
    (before, [event_name, time]) => reported(before, { event: { event_name, time } }, time).shipment,
    draft,
  );
  return { ...shipment, uuid: shipmentId(orderId, 1), ...fields };
}

/** As the shop's settings hold them. */
export const triggersItem = (slug: string, thirdParty: string, ...internal_triggers: InternalTrigger[]) => ({
  ...keyOf.internalTriggers(slug, thirdParty),
  internal_triggers,
});
