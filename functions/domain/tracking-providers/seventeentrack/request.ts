import {
  again,
  outcomeOfCode,
  outcomeOfStatus,
  reasons,
  refused,
  submitted,
} from '#domain/tracking-providers/outcomes.ts';
import type {
  ParcelToTrack,
  ProviderAnswer,
  ProviderCredential,
  ProviderRequest,
  RegistrationOutcome,
} from '#domain/tracking-providers/provider.ts';
import { fieldsOf, listOf, parsed } from '#domain/tracking-providers/reading.ts';

/** 17TRACK finds the carrier by the number. */
export function registration({ tracking_number }: ParcelToTrack, { api_key }: ProviderCredential): ProviderRequest {
  return {
    method: 'POST',
    path: '/track/v2.4/register',
    headers: { '17token': api_key, 'content-type': 'application/json' },
    body: JSON.stringify([{ number: tracking_number }]),
  };
}

/** 17TRACK's own codes: its documentation, "Error codes". */
const outcomes: Readonly<Record<string, RegistrationOutcome>> = {
  '-18010001': refused('The tracking provider does not accept the network address of the service.'),
  '-18010002': refused(reasons.key),
  '-18010003': again(reasons.down),
  '-18010004': refused(reasons.forbidden),
  '-18010005': refused(reasons.forbidden),
  '-18019901': submitted, // exists already
  '-18019903': refused(reasons.carrier),
  '-18019907': again('The limit of the account at the tracking provider for today is reached.'),
  '-18019908': refused(reasons.quota),
  '-18019910': refused(reasons.carrier),
  '-18019911': refused(reasons.carrier),
};

/** 17TRACK answers 200 also to what it rejects, with a code for the request or for the number. */
export function outcomeOf(answer: ProviderAnswer): RegistrationOutcome {
  if (answer.status !== 200) return outcomeOfStatus(answer);
  const { code, data } = parsed(answer.body);
  const { accepted, rejected, errors } = fieldsOf(data);
  if (listOf(accepted).length > 0) return submitted;
  const codes = [fieldsOf(fieldsOf(listOf(rejected)[0]).error).code, fieldsOf(listOf(errors)[0]).code, code];
  const [known] = codes.flatMap((candidate) => outcomeOfCode(outcomes, candidate) ?? []);
  return known ?? (codes.some(isError) ? refused(reasons.number) : again(reasons.down));
}

const isError = (code: unknown) => typeof code === 'number' && code !== 0;
