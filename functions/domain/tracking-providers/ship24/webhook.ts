import { expectedBetween, momentOf, reportedAt } from '#domain/tracking-providers/moments.ts';
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
import { codes } from './codes.ts';

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
    ...reportedAt(momentOf(fieldsOf(tracking.metadata).generatedAt)?.time),
  };
}

function checkpointIn(event: Fields, timestamps: Fields): Checkpoint | undefined {
  const moment = momentOf(event.occurrenceDatetime, event.utcOffset);
  if (!moment || !isNews(event, moment.time, timestamps)) return undefined;
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
 * The milestone is that of the parcel at the time of the event. An event without a code that comes after the milestone
 * was reached says nothing: otherwise a remark after the delivery would be a second delivery.
 */
function isNews({ statusCode, statusMilestone, utcOffset }: Fields, time: string, timestamps: Fields): boolean {
  const milestone = textOf(statusMilestone);
  if (textOf(statusCode) !== undefined || milestone === undefined || milestonesOfScans.has(milestone)) return true;
  // A milestone that the table lacks is to be listed.
  if (!Object.hasOwn(codes, milestone)) return true;
  const reached = momentOf(timestamps[`${camelCase(milestone)}Datetime`], utcOffset);
  return reached === undefined || Date.parse(reached.time) >= Date.parse(time);
}

const camelCase = (words: string) => words.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function expectedIn({ courierEstimatedDeliveryDate, estimatedDeliveryDate }: Fields) {
  const { from, to } = fieldsOf(courierEstimatedDeliveryDate);
  return expectedBetween(from, to) ?? expectedBetween(estimatedDeliveryDate, undefined);
}
