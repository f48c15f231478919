import type { Shipment } from '#domain/orders/model.ts';
import { currentEvent, currentPhase } from '#domain/orders/shipment-rules.ts';
import type { Phase, ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';

/** Nothing more happens to a parcel in one of these. */
const ended: ReadonlySet<Phase> = new Set(['delivered', 'returned', 'return_received', 'order_cancelled']);

/** Their phase is that of every failed delivery, but no other attempt follows. */
const gone: ReadonlySet<ShipmentEventName> = new Set([
  'DELIVERY_FAILED_SHIPMENT_DESTROYED',
  'SHIPMENT_LOST',
  'SHIPMENT_LOST_IN_DELIVERY',
  'SHIPMENT_LOST_IN_PROCESSING',
  'SHIPMENT_LOST_IN_SORTING_CENTER',
  'SHIPMENT_LOST_IN_TRANSIT',
  'SHIPMENT_LOST_IN_TRANSPORT',
  'SHIPMENT_LOST_UNKNOWN_REASON',
  'SHIPMENT_NEVER_ARRIVED',
]);

const hasEnded = (shipment: Shipment): boolean =>
  ended.has(currentPhase(shipment)) || gone.has(currentEvent(shipment.events).event_name);

/** Whether a carrier has the parcel, and it got its number at this time or later. */
export const isUnderWay = (shipment: Shipment, since: string): boolean =>
  shipment.tracking_number !== null && fulfilledAt(shipment) >= since && !hasEnded(shipment);

/** When the parcel got its number. */
export const fulfilledAt = ({ events, created_at }: Shipment): string =>
  events.find(({ event_name }) => event_name === 'ORDER_PROCESSED')?.time ?? created_at;
