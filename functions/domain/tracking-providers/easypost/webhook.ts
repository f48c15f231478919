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
import { hmacOf, isSame } from '#domain/tracking-providers/signatures.ts';

export function isGenuine({ headers, rawBody }: ProviderWebhook, secret: string): boolean {
  const signature = hmacOf(secret.normalize('NFKD'), rawBody).digest('hex');
  return isSame(headers['x-hmac-signature'], `hmac-sha256-hex=${signature}`);
}

/** `result` is the object of the event: a tracker with its whole history, or something that is not ours. */
export function reportsIn(body: unknown): ProviderReport[] {
  const tracker = fieldsOf(fieldsOf(body).result);
  const tracking_number = trackingNumberOf(tracker.tracking_code);
  if (tracking_number === undefined) return [];
  const expected_delivery = expectedBetween(tracker.est_delivery_date, undefined);
  return [
    {
      tracking_number,
      carrier: textOf(tracker.carrier, 100) ?? null,
      carrier_reference: null,
      checkpoints: listOf(tracker.tracking_details).flatMap((detail) => checkpointIn(fieldsOf(detail)) ?? []),
      ...(expected_delivery && { expected_delivery }),
      ...reportedAt(momentOf(tracker.updated_at)?.time),
    },
  ];
}

function checkpointIn(detail: Fields): Checkpoint | undefined {
  const moment = momentOf(detail.datetime);
  if (!moment) return undefined;
  const { city, state, country, zip } = fieldsOf(detail.tracking_location);
  const location = placeOf({ city, province: state, zip_code: zip, country_code: country });
  return {
    codes: codesIn(detail),
    text: textOf(detail.message) ?? '',
    ...moment,
    ...(location && { location }),
  };
}

/** On the way back a scan is no step forward, and a parcel that is delivered has "arrived at destination". */
const decidingStatuses: ReadonlySet<unknown> = new Set(['delivered', 'return_to_sender', 'cancelled']);

/** They say nothing beside the status. */
const emptyDetails: ReadonlySet<unknown> = new Set(['status_update', 'unknown']);

function codesIn({ status, status_detail }: Fields): string[] {
  if (decidingStatuses.has(status)) return codesOf(status);
  return emptyDetails.has(status_detail) ? codesOf(status) : codesOf(status_detail, status);
}
