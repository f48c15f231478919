import { createHash } from 'node:crypto';
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

/** The header `sign` is the SHA-256 of "body/key". The secret is the access key of the account. */
export function isGenuine({ headers, rawBody }: ProviderWebhook, secret: string): boolean {
  return isSame(headers.sign, createHash('sha256').update(rawBody).update(`/${secret}`).digest('hex'));
}

/** `data` is one parcel, or a list of them. */
export function reportsIn(body: unknown): ProviderReport[] {
  const { data } = fieldsOf(body);
  const parcels = Array.isArray(data) ? data : [data];
  return parcels.flatMap((parcel) => reportIn(fieldsOf(parcel)) ?? []);
}

/** Each carrier on the way has a history of its own. */
function reportIn(parcel: Fields): ProviderReport | undefined {
  const tracking_number = trackingNumberOf(parcel.number);
  if (tracking_number === undefined) return undefined;
  const info = fieldsOf(parcel.track_info);
  const { from, to } = fieldsOf(fieldsOf(info.time_metrics).estimated_delivery_date);
  const expected_delivery = expectedBetween(from, to);
  const carriers = listOf(fieldsOf(info.tracking).providers).map(fieldsOf);
  const events = carriers.flatMap((carrier) => listOf(carrier.events));
  const syncs = carriers.flatMap(({ latest_sync_time }) => momentOf(latest_sync_time)?.time ?? []);
  return {
    tracking_number,
    carrier: textOf(parcel.carrier, 100) ?? null,
    carrier_reference: null,
    checkpoints: events.flatMap((event) => checkpointIn(fieldsOf(event)) ?? []),
    ...(expected_delivery && { expected_delivery }),
    ...reportedAt(syncs.sort().at(-1)),
  };
}

function checkpointIn(event: Fields): Checkpoint | undefined {
  const moment = momentIn(event);
  if (!moment) return undefined;
  const { city, state, country, postal_code } = fieldsOf(event.address);
  const location = placeOf({
    city,
    province: state,
    zip_code: postal_code,
    country_code: country,
    full: event.location,
  });
  return {
    codes: codesOf(event.sub_status, event.stage),
    text: textOf(event.description) ?? '',
    ...moment,
    ...(location && { location }),
  };
}

/** `time_raw` is as the carrier wrote it. The other two may be null, and `time_iso` may be without an offset. */
function momentIn({ time_iso, time_utc, time_raw }: Fields) {
  const { date, time, timezone } = fieldsOf(time_raw);
  const zone = momentOf(time_iso, timezone)?.timezone ?? timezone;
  return momentOf(time_utc, zone) ?? momentOf(time_iso, zone) ?? momentOf(rawTime(date, time), zone);
}

const rawTime = (date: unknown, time: unknown) => [textOf(date), textOf(time)].filter(Boolean).join('T');
