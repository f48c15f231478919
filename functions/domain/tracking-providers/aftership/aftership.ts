import { expectedBetween, momentOf, timeOfSeconds } from '#domain/tracking-providers/moments.ts';
import { outcomeOfCode, outcomeOfStatus, reasons, refused, submitted } from '#domain/tracking-providers/outcomes.ts';
import { postJson, type TrackingProvider } from '#domain/tracking-providers/provider.ts';
import { codesOf, type Fields, fieldsOf, listOf, parsed } from '#domain/tracking-providers/reading.ts';
import { checkpointOf, reportOf } from '#domain/tracking-providers/report.ts';
import { hmacOf, isSame } from '#domain/tracking-providers/signatures.ts';
import { codes } from './codes.ts';

export const aftership: TrackingProvider = {
  baseUrl: 'https://api.aftership.com',
  codes,

  /** AfterShip finds the carrier among those that the operator has approved in its settings. */
  registration: ({ tracking_number, postal_code }, { api_key }) =>
    postJson(
      '/tracking/2026-07/trackings',
      { 'as-api-key': api_key },
      { tracking_number, ...(postal_code && { destination_postal_code: postal_code }) },
    ),

  outcomeOf(answer) {
    const { code } = fieldsOf(parsed(answer.body).meta);
    const known = answer.status === 400 ? outcomeOfCode(outcomes, code) : undefined;
    return known ?? outcomeOfStatus(answer);
  },

  isGenuine: ({ headers, rawBody }, secret) =>
    isSame(headers['aftership-hmac-sha256'], hmacOf(secret, rawBody).digest('base64')),

  /** `msg` is the tracking with its whole history, as it was at the time `ts`. */
  reportsIn(body) {
    const { msg, ts } = fieldsOf(body);
    const tracking = fieldsOf(msg);
    return reportOf({
      number: tracking.tracking_number,
      carrier: tracking.slug,
      checkpoints: listOf(tracking.checkpoints).flatMap(checkpointIn),
      expected: expectedIn(tracking),
      reportedAt: timeOfSeconds(ts),
    });
  },
};

/** AfterShip's own codes: aftership.com/docs/tracking/quickstart/request-errors. */
const outcomes = {
  4003: submitted, // exists already
  4005: refused(reasons.number),
  4010: refused(reasons.carrier),
  4011: refused(reasons.details),
  4012: refused(reasons.carrier),
  4017: refused(reasons.number),
};

const checkpointIn = (checkpoint: Fields) =>
  checkpointOf({
    moment: momentOf(checkpoint.checkpoint_time),
    codes: codesOf(checkpoint.subtag, checkpoint.tag),
    text: checkpoint.message,
    place: {
      city: checkpoint.city,
      province: checkpoint.state,
      // Its name since the API 2026-01, and before: the operator chooses the version of the webhooks.
      zip_code: checkpoint.postal_code ?? checkpoint.zip,
      country: checkpoint.country_region_name ?? checkpoint.country_region,
      full: checkpoint.location,
    },
  });

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
