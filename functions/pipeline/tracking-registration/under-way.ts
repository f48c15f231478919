import { hasEnded } from '#domain/orders/attention.ts';
import type { Shipment } from '#domain/orders/model.ts';

/** Whether a carrier has the parcel, and it got its number at this time or later. No carrier has a simulated one. */
export const isUnderWay = (shipment: Shipment, since: string): boolean =>
  shipment.simulation_id === undefined &&
  shipment.tracking_number !== null &&
  fulfilledAt(shipment) >= since &&
  !hasEnded(shipment);

/** When the parcel got its number. */
export const fulfilledAt = ({ events, created_at }: Shipment): string =>
  events.find(({ event_name }) => event_name === 'ORDER_PROCESSED')?.time ?? created_at;
