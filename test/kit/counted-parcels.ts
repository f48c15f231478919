import type { Shipment } from '#domain/orders/model.ts';
import { inOrder, newShipment } from '#domain/orders/shipment-rules.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';

/** An event, and its day and time in November 2026. */
export type TimedEvent = [name: ShipmentEventName, time: string];

export const inNovember = (time: string): string => `2026-11-${time}:00.000Z`;

const order = { uuid: '01930000-0000-7000-8000-000000000000', order_number: '1001' };

/** A parcel that figures count, with these events. */
export const parcelWith = (events: readonly TimedEvent[], changes: Partial<Shipment> = {}): Shipment => ({
  ...newShipment(order, 1, 'merchant_customer', inNovember('01T08:00')),
  tracking_number: 'T1',
  carrier_reference: 'dhl',
  country: 'DE',
  events: events.map(([event_name, time]) => ({ event_name, time: inNovember(time) })).sort(inOrder),
  ...changes,
});
