import { outcomeOfCode, outcomeOfStatus, reasons, refused, submitted } from '#domain/tracking-providers/outcomes.ts';
import type {
  ParcelToTrack,
  ProviderAnswer,
  ProviderCredential,
  ProviderRequest,
  RegistrationOutcome,
} from '#domain/tracking-providers/provider.ts';
import { fieldsOf, parsed } from '#domain/tracking-providers/reading.ts';

/** AfterShip finds the carrier among those that the operator has approved in its settings. */
export function registration(parcel: ParcelToTrack, { api_key }: ProviderCredential): ProviderRequest {
  const { tracking_number, postal_code } = parcel;
  return {
    method: 'POST',
    path: '/tracking/2026-07/trackings',
    headers: { 'as-api-key': api_key, 'content-type': 'application/json' },
    body: JSON.stringify({ tracking_number, ...(postal_code && { destination_postal_code: postal_code }) }),
  };
}

/** AfterShip's own codes: aftership.com/docs/tracking/quickstart/request-errors. */
const outcomes: Readonly<Record<string, RegistrationOutcome>> = {
  4003: submitted, // exists already
  4005: refused(reasons.number),
  4010: refused(reasons.carrier),
  4011: refused(reasons.details),
  4012: refused(reasons.carrier),
  4017: refused(reasons.number),
};

export function outcomeOf(answer: ProviderAnswer): RegistrationOutcome {
  const { code } = fieldsOf(parsed(answer.body).meta);
  const known = answer.status === 400 ? outcomeOfCode(outcomes, code) : undefined;
  return known ?? outcomeOfStatus(answer);
}
