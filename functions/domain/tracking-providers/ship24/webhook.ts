import { expectedBetween, momentOf } from '#domain/tracking-providers/moments.ts';
import type { Checkpoint, ProviderReport, ProviderWebhook } from '#domain/tracking-providers/provider.ts';
import {
  codesOf,
  type Fields,
  fieldsOf,
  listOf,
  placeOf,
  textOf,
  trackingNumberOf,
} from '#domain/tracking-providers/reading.ts';
import { isSame } from '#domain/tracking-providers/signatures.ts';

/** Ship24 signs nothing: it sends the secret itself. */
export function isGenuine({ headers }: ProviderWebhook, secret: string): boolean {
  return isSame(headers.authorization, `Bearer ${secret}`);
}

/** A webhook holds several parcels, each with the events that are new. */
export function reportsIn(body: unknown): ProviderReport[] {
  return listOf(fieldsOf(body).trackings).flatMap((tracking) => reportIn(fieldsOf(tracking)) ?? []);
}

function reportIn(tracking: Fields): ProviderReport | undefined {
  const tracking_number = trackingNumberOf(fieldsOf(tracking.tracker).trackingNumber);
  if (tracking_number === undefined) return undefined;
  const events = listOf(tracking.events).map(fieldsOf);
  const { timestamps } = fieldsOf(tracking.statistics);
  const checkpoints = events.flatMap((event) => checkpointIn(event, fieldsOf(timestamps)) ?? []);
  const expected_delivery = expectedIn(fieldsOf(fieldsOf(tracking.shipment).delivery));
  return {
    tracking_number,
    carrier: textOf(events[0]?.courierCode, 100) ?? null,
    carrier_reference: null,
    checkpoints,
    ...(expected_delivery && { expected_delivery }),
  };
}

function checkpointIn(event: Fields, timestamps: Fields): Checkpoint | undefined {
  const moment = momentOf(event.occurrenceDatetime, event.utcOffset);
  if (!moment || !isNews(event, timestamps)) return undefined;
  const location = placeOf({ full: event.location });
  return {
    codes: codesOf(event.statusCode, event.statusMilestone),
    text: textOf(event.status) ?? '',
    ...moment,
    ...(location && { location }),
  };
}

/** While a parcel travels, every scan is news. */
const milestonesOfScans: ReadonlySet<unknown> = new Set(['pending', 'info_received', 'in_transit']);

/**
 * The milestone is that of the parcel at the time of the event. Of an event without a code it says something only if it
 * was reached then: otherwise a remark after the delivery would be a second delivery.
 */
function isNews({ statusCode, statusMilestone, occurrenceDatetime }: Fields, timestamps: Fields): boolean {
  if (textOf(statusCode) !== undefined || milestonesOfScans.has(statusMilestone)) return true;
  return timestamps[`${camelCase(textOf(statusMilestone) ?? '')}Datetime`] === occurrenceDatetime;
}

const camelCase = (words: string) => words.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function expectedIn({ courierEstimatedDeliveryDate, estimatedDeliveryDate }: Fields) {
  const { from, to } = fieldsOf(courierEstimatedDeliveryDate);
  return expectedBetween(from, to) ?? expectedBetween(estimatedDeliveryDate, undefined);
}
