import {
  isRemark,
  type Phase,
  phaseOfRef,
  type ShipmentEventName,
  shipmentEvents,
} from '#schemas/catalogues/shipment-events.ts';

/** Source: shopify.dev/docs/api/admin-graphql/latest/enums/FulfillmentEventStatus. `LABEL_…` are the shop's own steps. */
type FulfillmentStatus =
  | 'CONFIRMED'
  | 'CARRIER_PICKED_UP'
  | 'IN_TRANSIT'
  | 'DELAYED'
  | 'OUT_FOR_DELIVERY'
  | 'READY_FOR_PICKUP'
  | 'ATTEMPTED_DELIVERY'
  | 'DELIVERED'
  | 'FAILURE';

/**
 * The shop has no fulfilment before the parcel exists. It has no status for a parcel on its way back, except that the
 * delivery failed; a return is another thing there.
 */
const statusOfPhase: Record<Phase, FulfillmentStatus | undefined> = {
  order_created: undefined,
  order_cancelled: undefined,
  order_processed: 'CONFIRMED',
  in_transit: 'IN_TRANSIT',
  in_delivery: 'OUT_FOR_DELIVERY',
  collect: 'READY_FOR_PICKUP',
  delivered: 'DELIVERED',
  delivery_failed: 'ATTEMPTED_DELIVERY',
  return_transit: 'FAILURE',
  returned: 'FAILURE',
  return_received: 'FAILURE',
  return_failed: 'FAILURE',
  return_created: undefined,
};

const pickedUp: readonly ShipmentEventName[] = ['PICKUP_SUCCESSFUL', 'PARCEL_COLLECTED_FROM_DROP_OFF_LOCATION'];

/** Undefined if the vendor has no status for the event. */
export function fulfillmentStatusOf(name: ShipmentEventName, ref: string): FulfillmentStatus | undefined {
  const phase = phaseOfRef(ref);
  const { flag } = shipmentEvents[name];
  // The vendor would show its phase as the state of the parcel.
  if (isRemark(name)) return undefined;
  if (pickedUp.includes(name)) return 'CARRIER_PICKED_UP';
  if (phase === 'in_transit' && flag !== 'normal') return 'DELAYED';
  // No further delivery is planned.
  if (phase === 'delivery_failed' && flag === 'error') return 'FAILURE';
  return statusOfPhase[phase];
}
