import { expectedBetween, momentOf } from '#domain/tracking-providers/moments.ts';
import { outcomeOfCode, outcomeOfStatus, reasons, refused } from '#domain/tracking-providers/outcomes.ts';
import { postJson, type TrackingProvider } from '#domain/tracking-providers/provider.ts';
import { codesOf, type Fields, fieldsOf, listOf, parsed } from '#domain/tracking-providers/reading.ts';
import { checkpointOf, reportOf } from '#domain/tracking-providers/report.ts';
import { hmacOf, isSame } from '#domain/tracking-providers/signatures.ts';
import { codes } from './codes.ts';

export const easypost: TrackingProvider = {
  baseUrl: 'https://api.easypost.com',
  codes,

  /** EasyPost finds the carrier by the number. For a number that it knows, it answers with the tracker that exists. */
  registration: ({ tracking_number }, { api_key }) =>
    postJson(
      '/v2/trackers',
      { authorization: `Basic ${Buffer.from(`${api_key}:`).toString('base64')}` },
      { tracker: { tracking_code: tracking_number } },
    ),

  outcomeOf(answer) {
    const { code } = fieldsOf(parsed(answer.body).error);
    const known = answer.status === 422 ? outcomeOfCode(outcomes, code) : undefined;
    return known ?? outcomeOfStatus(answer);
  },

  isGenuine({ headers, rawBody }, secret) {
    const signature = hmacOf(secret.normalize('NFKD'), rawBody).digest('hex');
    return isSame(headers['x-hmac-signature'], `hmac-sha256-hex=${signature}`);
  },

  /** `result` is the object of the event: a tracker with its whole history, or something that is not ours. */
  reportsIn(body) {
    const tracker = fieldsOf(fieldsOf(body).result);
    return reportOf({
      number: tracker.tracking_code,
      carrier: tracker.carrier,
      checkpoints: listOf(tracker.tracking_details).flatMap(checkpointIn),
      expected: expectedBetween(tracker.est_delivery_date, undefined),
      reportedAt: momentOf(tracker.updated_at)?.time,
    });
  },
};

/** EasyPost's own codes: github.com/EasyPost/easypost-node, types/errors/ErrorCode. */
const outcomes = {
  'TRACKER.CARRIER_CODE_MISMATCH': refused(reasons.carrier),
  'TRACKER.MULTIPLE_CARRIERS_FOR_CODE': refused(reasons.carrier),
  'TRACKER.NO_CARRIER_FOR_CODE': refused(reasons.carrier),
  'TRACKER.UNSUPPORTED_CARRIER': refused(reasons.carrier),
  'TRACKER.NO_CARRIER_ACCOUNT': refused(reasons.details),
  'TRACKER.INVALID_PARAMS': refused(reasons.number),
};

function checkpointIn(detail: Fields) {
  const { city, state, country, zip } = fieldsOf(detail.tracking_location);
  return checkpointOf({
    moment: momentOf(detail.datetime),
    codes: codesIn(detail),
    text: detail.message,
    place: { city, province: state, zip_code: zip, country_code: country },
  });
}

/** On the way back a scan is no step forward, and a parcel that is delivered has "arrived at destination". */
const decidingStatuses: ReadonlySet<unknown> = new Set(['delivered', 'return_to_sender', 'cancelled']);

/** They say nothing beside the status. */
const emptyDetails: ReadonlySet<unknown> = new Set(['status_update', 'unknown']);

function codesIn({ status, status_detail }: Fields): string[] {
  if (decidingStatuses.has(status)) return codesOf(status);
  return emptyDetails.has(status_detail) ? codesOf(status) : codesOf(status_detail, status);
}
