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
import { hmacOf, isSame } from '#domain/tracking-providers/signatures.ts';
import { referenceOf } from './request.ts';

/**
 * `t=<seconds>,v1=<HMAC of "seconds.body">`: docs.goshippo.com/docs/tracking/webhooksecurity. The age does not count,
 * because a webhook that comes again changes nothing.
 */
export function isGenuine({ headers, rawBody }: ProviderWebhook, secret: string): boolean {
  const [, time, signature] = /^t=(\d{1,20}), ?v1=([0-9a-f]+)$/.exec(headers['shippo-auth-signature'] ?? '') ?? [];
  return time !== undefined && isSame(signature, hmacOf(secret, `${time}.`, rawBody).digest('hex'));
}

/** `data` is the track with its whole history. The newest step is in `tracking_status` and may be there alone. */
export function reportsIn(body: unknown): ProviderReport[] {
  const track = fieldsOf(fieldsOf(body).data);
  const tracking_number = trackingNumberOf(track.tracking_number);
  if (tracking_number === undefined) return [];
  const steps = [...listOf(track.tracking_history), track.tracking_status];
  const carrier = textOf(track.carrier, 100);
  const expected_delivery = expectedBetween(track.eta, undefined);
  return [
    {
      tracking_number,
      carrier: carrier ?? null,
      carrier_reference: referenceOf(carrier),
      checkpoints: steps.flatMap((step) => checkpointIn(fieldsOf(step)) ?? []),
      ...(expected_delivery && { expected_delivery }),
    },
  ];
}

function checkpointIn(step: Fields): Checkpoint | undefined {
  const moment = momentOf(step.status_date);
  if (!moment) return undefined;
  const { city, state, country, zip } = fieldsOf(step.location);
  const location = placeOf({ city, province: state, zip_code: zip, country_code: country });
  const { code } = fieldsOf(step.substatus);
  return {
    codes: code === 'other' ? codesOf(step.status) : codesOf(code, step.status),
    text: textOf(step.status_details) ?? '',
    ...moment,
    ...(location && { location }),
  };
}
