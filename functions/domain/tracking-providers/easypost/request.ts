import { outcomeOfCode, outcomeOfStatus, reasons, refused } from '#domain/tracking-providers/outcomes.ts';
import type {
  ParcelToTrack,
  ProviderAnswer,
  ProviderCredential,
  ProviderRequest,
  RegistrationOutcome,
} from '#domain/tracking-providers/provider.ts';
import { fieldsOf, parsed } from '#domain/tracking-providers/reading.ts';

/** EasyPost finds the carrier by the number. For a number that it knows, it answers with the tracker that exists. */
export function registration({ tracking_number }: ParcelToTrack, { api_key }: ProviderCredential): ProviderRequest {
  return {
    method: 'POST',
    path: '/v2/trackers',
    headers: {
      authorization: `Basic ${Buffer.from(`${api_key}:`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ tracker: { tracking_code: tracking_number } }),
  };
}

/** EasyPost's own codes: github.com/EasyPost/easypost-node, types/errors/ErrorCode. */
const outcomes: Readonly<Record<string, RegistrationOutcome>> = {
  'TRACKER.CARRIER_CODE_MISMATCH': refused(reasons.carrier),
  'TRACKER.MULTIPLE_CARRIERS_FOR_CODE': refused(reasons.carrier),
  'TRACKER.NO_CARRIER_FOR_CODE': refused(reasons.carrier),
  'TRACKER.UNSUPPORTED_CARRIER': refused(reasons.carrier),
  'TRACKER.NO_CARRIER_ACCOUNT': refused(reasons.details),
  'TRACKER.INVALID_PARAMS': refused(reasons.number),
};

export function outcomeOf(answer: ProviderAnswer): RegistrationOutcome {
  const { code } = fieldsOf(parsed(answer.body).error);
  const known = answer.status === 422 ? outcomeOfCode(outcomes, code) : undefined;
  return known ?? outcomeOfStatus(answer);
}
