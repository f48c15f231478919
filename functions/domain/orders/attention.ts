import { indexKeyOf, laneName, partitionOf, shardsOfAttention } from '#platform/table/keys.ts';
import { dayAfter, dayAt, daysBetween } from '#platform/time.ts';
import type { AttentionKind } from '#schemas/catalogues/enumerations.ts';
import type { Phase, ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { laneOf } from './handed-over.ts';
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

/** Whether the event says that the parcel is lost or destroyed. */
export const isGone = (name: ShipmentEventName): boolean => gone.has(name);

export const hasEnded = (shipment: Shipment): boolean =>
  ended.has(currentPhase(shipment)) || isGone(currentEvent(shipment.events).event_name);

/** Why a parcel may need somebody. `under_way`: only if it does not move. */
export type AttentionReason = 'under_way' | 'failed_delivery' | 'lost' | 'damaged' | 'exception';

const failed: ReadonlySet<Phase> = new Set(['delivery_failed', 'return_failed']);

/** Undefined if the parcel needs nobody: no carrier has it, or it has arrived. */
export function attentionReason(shipment: Shipment): AttentionReason | undefined {
  if (shipment.tracking_number === null || shipment.simulation_id !== undefined) return undefined;
  const event = currentEvent(shipment.events);
  const phase = currentPhase(shipment);
  if (isGone(event.event_name)) return 'lost';
  if (ended.has(phase)) return undefined;
  if (event.event_name === 'SHIPMENT_DAMAGED') return 'damaged';
  if (failed.has(phase)) return 'failed_delivery';
  // Customers often announce a return and never send it.
  if (phase === 'return_created') return undefined;
  // A parcel that comes back is on its way like any other.
  if (phase === 'return_transit') return 'under_way';
  return currentFlag(shipment) === 'error' ? 'exception' : 'under_way';
}

/**
 * Puts a parcel into the list of those that may need somebody. The time is only the day of its last event, so a parcel
 * that moves several times a day is written to the list once.
 */
export function attentionKeys(slug: string, shipment: Shipment): Partial<ReturnType<typeof indexKeyOf.attention>> {
  const reason = attentionReason(shipment);
  if (reason === undefined) return {};
  const listed = reason === commonReason ? indexKeyOf.commonAttention : indexKeyOf.attention;
  return listed(slug, reason, lastMoved(shipment), shipment.uuid);
}

/** Most parcels have it until they arrive, so a busy shop has their list in several partitions. */
const commonReason: AttentionReason = 'under_way';

/** The partitions of a shop's parcels or claims of a kind: the lists to merge, the second of which is spread evenly. */
export function attentionLists(slug: string, kind: AttentionKind): [[string], ...string[][]] {
  const reason = attentionReasons[kind];
  const one = partitionOf.attention(slug, reason);
  return reason === commonReason ? [[one], shardsOfAttention(slug, reason)] : [[one]];
}

/** Claims that nobody has decided or answered yet are in the same index. */
export const waitingClaim = 'claim';

/** The reasons as callers know them. */
export const attentionReasons: Record<AttentionKind, AttentionReason | typeof waitingClaim> = {
  no_movement: 'under_way',
  failed_delivery: 'failed_delivery',
  lost: 'lost',
  damaged: 'damaged',
  exception: 'exception',
  claims: waitingClaim,
};

const lastMoved = ({ events }: Shipment) => currentEvent(events).time.slice(0, 10);

/** After how many days without an event a parcel under way is called silent. */
export interface SilenceRule {
  /** @param lane undefined if the parcel is compared with none */
  daysOf: (lane: string | undefined) => number;
  /** The fewest and the most days of all lanes: what moved later is not silent, and what moved earlier is, whatever its lane. */
  fewestDays: number;
  mostDays: number;
}

export const silentAfter = (days: number): SilenceRule => ({ daysOf: () => days, fewestDays: days, mostDays: days });

/** Whether a parcel under way is silent. An entry of the index has only the day, so it counts by whole days for all. */
export const isSilent = (shipment: Shipment, { daysOf }: SilenceRule, now: Date): boolean =>
  isLonger(lastMoved(shipment), daysOf(comparedLane(shipment)), now);

/** A parcel that is older than the figures is not one of those whose country is unknown. */
const comparedLane = (shipment: Shipment): string | undefined =>
  shipment.country === undefined ? undefined : laneName(laneOf(shipment));

/** The same for the day of an entry, without its parcel; undefined if the lane of the parcel decides. */
export function isSilentSince(day: string, { fewestDays, mostDays }: SilenceRule, now: Date): boolean | undefined {
  if (isLonger(day, mostDays, now)) return true;
  return isLonger(day, fewestDays, now) ? undefined : false;
}

const isLonger = (since: string, days: number, now: Date) => daysBetween(since, dayAt(now)) > days;

/**
 * The days of the index that can be of a kind now, both included. An entry has the day of a parcel's last event.
 * @param silence of the kind `no_movement`
 */
export function attentionDays(now: Date, days: number, silence?: SilenceRule) {
  const daysAgo = (count: number) => dayAfter(dayAt(now), -count);
  return { from: daysAgo(days), to: silence ? daysAgo(silence.fewestDays + 1) : '9' };
}
