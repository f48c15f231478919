import { indexKeyOf } from '#platform/table/keys.ts';
import type { Phase, ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import type { Shipment } from './model.ts';
import { currentEvent, currentFlag, currentPhase } from './shipment-rules.ts';

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

export const hasEnded = (shipment: Shipment): boolean =>
  ended.has(currentPhase(shipment)) || gone.has(currentEvent(shipment.events).event_name);

/** Why a parcel may need somebody. `under_way`: only if it does not move. */
export type AttentionReason = 'under_way' | 'failed_delivery' | 'lost' | 'damaged' | 'exception';

const failed: ReadonlySet<Phase> = new Set(['delivery_failed', 'return_failed']);

/** Undefined if the parcel needs nobody: no carrier has it, or it has arrived. */
function attentionReason(shipment: Shipment): AttentionReason | undefined {
  if (shipment.tracking_number === null || shipment.simulation_id !== undefined) return undefined;
  const event = currentEvent(shipment.events);
  const phase = currentPhase(shipment);
  if (gone.has(event.event_name)) return 'lost';
  if (ended.has(phase)) return undefined;
  if (event.event_name === 'SHIPMENT_DAMAGED') return 'damaged';
  if (failed.has(phase)) return 'failed_delivery';
  // Customers often announce a return and never send it.
  if (phase === 'return_created') return undefined;
  return currentFlag(shipment) === 'error' ? 'exception' : 'under_way';
}

/**
 * Puts a parcel into the list of those that may need somebody. The time is only the day of its last event, so a parcel
 * that moves several times a day is written to the list once.
 */
export function attentionKeys(slug: string, shipment: Shipment) {
  const reason = attentionReason(shipment);
  if (reason === undefined) return {};
  return indexKeyOf.attention(slug, reason, currentEvent(shipment.events).time.slice(0, 10), shipment.uuid);
}

/** Claims that nobody has decided yet are in the same index. */
export const waitingClaim = 'claim';
