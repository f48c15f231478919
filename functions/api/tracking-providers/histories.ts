import { validate } from 'message:carrierUpdate';
import { carrierHistoryLimits } from '#schemas/catalogues/limits.ts';
import type { CarrierEvent, CarrierHistory, CarrierUpdate } from '#schemas/shapes/carrier-updates.ts';

/**
 * The messages for the events of one parcel, as few as the limits of a message allow. The queue's reader refuses a
 * message with an invalid event, so what is invalid is left out: the details of an event first, then the event.
 */
export function historiesOf(updates: readonly CarrierUpdate[]): CarrierHistory[] {
  const histories: CarrierHistory[] = [];
  let bytes = 0;
  for (const update of updates.flatMap((given) => [given, withoutDetails(given)].find(validate) ?? [])) {
    const { tracking_number, carrier_reference = null, ...event } = update;
    const size = Buffer.byteLength(JSON.stringify(event));
    const last = histories.at(-1);
    if (last && fits(last, tracking_number, bytes + size)) {
      last.events.push(event);
      bytes += size;
    } else {
      histories.push({ tracking_number, carrier_reference, events: [event] satisfies CarrierEvent[] });
      bytes = size;
    }
  }
  return histories;
}

const withoutDetails = ({ tracking_number, event_name, event_time }: CarrierUpdate): CarrierUpdate => ({
  tracking_number,
  event_name,
  event_time,
});

const fits = ({ tracking_number, events }: CarrierHistory, number: string, bytes: number): boolean =>
  tracking_number === number && events.length < carrierHistoryLimits.events && bytes <= carrierHistoryLimits.bytes;
