import { expectedBetween, momentOf, reportedAt, timeOfSeconds } from '#domain/tracking-providers/moments.ts';
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
  return isSame(headers['aftership-hmac-sha256'], hmacOf(secret, rawBody).digest('base64'));
}

/** `msg` is the tracking with its whole history, as it was at the time `ts`. */
export function reportsIn(body: unknown): ProviderReport[] {
  const { msg, ts } = fieldsOf(body);
  const tracking = fieldsOf(msg);
  const tracking_number = trackingNumberOf(tracking.tracking_number);
  if (tracking_number === undefined) return [];
  const expected_delivery = expectedIn(tracking);
  return [
    {
      tracking_number,
      carrier: textOf(tracking.slug, 100) ?? null,
      carrier_reference: null,
      checkpoints: listOf(tracking.checkpoints).flatMap((checkpoint) => checkpointIn(fieldsOf(checkpoint)) ?? []),
      ...(expected_delivery && { expected_delivery }),
      ...reportedAt(timeOfSeconds(ts)),
    },
  ];
}

function checkpointIn(checkpoint: Fields): Checkpoint | undefined {
  const moment = momentOf(checkpoint.checkpoint_time);
  if (!moment) return undefined;
  const { city, state, country_region, country_region_name, location: full } = checkpoint;
  const location = placeOf({
    city,
    province: state,
    // Its name since the API 2026-01, and before: the operator chooses the version of the webhooks.
    zip_code: checkpoint.postal_code ?? checkpoint.zip,
    country: country_region_name ?? country_region,
    full,
  });
  return {
    codes: codesOf(checkpoint.subtag, checkpoint.tag),
    text: textOf(checkpoint.message) ?? '',
    ...moment,
    ...(location && { location }),
  };
}

/** The newest estimate of AfterShip, or the carrier's own. */
function expectedIn(tracking: Fields) {
  const latest = fieldsOf(tracking.latest_estimated_delivery);
  const courier = fieldsOf(tracking.courier_estimated_delivery_date);
  return (
    expectedBetween(latest.datetime_min ?? latest.datetime, latest.datetime_max ?? latest.datetime) ??
    expectedBetween(
      courier.estimated_delivery_date_min ?? courier.estimated_delivery_date,
      courier.estimated_delivery_date_max ?? courier.estimated_delivery_date,
    )
  );
}
