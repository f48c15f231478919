import { createHash } from 'node:crypto';

export interface DeliveryOrigin {
  event_id: string;
  triggered_at: string;
  target: string;
  /** What of the event is sent: the id of the shipment or of the claim. */
  subject_id: string;
  /** The group, where the event fires it beside its own. */
  beside?: string;
}

/**
 * The id of a delivery follows from what is sent where, so that a replayed stream record finds the delivery it made
 * before. A UUID of version 8 that begins with the time of the event as version 7 does: ids sort by time.
 */
export function deliveryId({ event_id, triggered_at, target, subject_id, beside }: DeliveryOrigin): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([event_id, subject_id, target, ...(beside === undefined ? [] : [beside])]))
    .digest('hex');
  return uuid8(Date.parse(triggered_at), digest);
}

/** No delivery of this moment or a later one has a smaller id. */
export const firstIdAt = (time: Date): string => uuid8(time.getTime(), '0'.repeat(19));

/** No delivery of this moment or an earlier one has a greater id. */
export const lastIdAt = (time: Date): string => uuid8(time.getTime(), 'f'.repeat(19));

const lastMoment = 2 ** 48 - 1;

function uuid8(milliseconds: number, hex: string): string {
  const within = Math.min(Math.max(milliseconds, 0), lastMoment);
  const time = within.toString(16).padStart(12, '0');
  const variant = (8 | (Number.parseInt(hex.charAt(3), 16) & 3)).toString(16);
  return [
    time.slice(0, 8),
    time.slice(8),
    `8${hex.slice(0, 3)}`,
    `${variant}${hex.slice(4, 7)}`,
    hex.slice(7, 19),
  ].join('-');
}
