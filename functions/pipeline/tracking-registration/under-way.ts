import type { Shipment } from '#domain/orders/model.ts';
import { currentPhase } from '#domain/orders/shipment-rules.ts';
import type { Phase } from '#schemas/catalogues/shipment-events.ts';

/** Nothing more happens to a parcel in one of these. */
const ended: ReadonlySet<Phase> = new Set(['delivered', 'returned', 'return_received', 'order_cancelled']);

/** Whether a carrier has the parcel, and it got its number at this time or later. */
export const isUnderWay = (shipment: Shipment, since: string): boolean =>
  shipment.tracking_number !== null && fulfilledAt(shipment) >= since && !ended.has(currentPhase(shipment));

/** When the parcel got its number. */
export const fulfilledAt = ({ events, created_at }: Shipment): string =>
  events.find(({ event_name }) => event_name === 'ORDER_PROCESSED')?.time ?? created_at;
