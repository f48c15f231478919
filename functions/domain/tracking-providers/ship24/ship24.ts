import { expectedBetween, momentOf } from '#domain/tracking-providers/moments.ts';
import {
  again,
  outcomeOfCode,
  outcomeOfStatus,
  reasons,
  refused,
  submitted,
} from '#domain/tracking-providers/outcomes.ts';
import { postJson, type TrackingProvider } from '#domain/tracking-providers/provider.ts';
import { codesOf, type Fields, fieldsOf, listOf, parsed, textOf } from '#domain/tracking-providers/reading.ts';
import { checkpointOf, reportOf } from '#domain/tracking-providers/report.ts';
import { isSame } from '#domain/tracking-providers/signatures.ts';
import { codes } from './codes.ts';

export const ship24: TrackingProvider = {
  baseUrl: 'https://api.ship24.com',
  codes,

  /**
   * Ship24 finds the carrier by the number. The same request again makes no second tracker, so the request has nothing in
   * it that differs between two orders in one parcel, such as our id.
   */
  registration: ({ tracking_number, country_code, postal_code }, { api_key }) =>
    postJson(
      '/public/v1/trackers',
      { authorization: `Bearer ${api_key}`, 'content-type': 'application/json; charset=utf-8' },
      {
        trackingNumber: tracking_number,
        ...(country_code && { destinationCountryCode: country_code }),
        ...(postal_code && { destinationPostCode: postal_code }),
      },
    ),

  outcomeOf(answer) {
    const { status, body } = answer;
    const code = listOf(parsed(body).errors)[0]?.code;
    const isAboutParcel = status >= 400 && status < 500 && status !== 401 && status !== 429;
    const known = isAboutParcel ? outcomeOfCode(outcomes, code) : undefined;
    return known ?? outcomeOfStatus(answer);
  },

  /** Ship24 signs nothing: it sends the secret itself. */
  isGenuine: ({ headers }, secret) => isSame(headers.authorization, `Bearer ${secret}`),

  /** A webhook holds several parcels, each with the events that are new. */
  reportsIn: (body) => listOf(fieldsOf(body).trackings).flatMap(reportIn),
};

/** Ship24's own codes: docs.ship24.com/errors. */
const outcomes = {
  tracker_conflict: submitted, // exists already
  request_conflict: again(reasons.busy), // the same request is under way
  validation_error: refused(reasons.number),
  shipping_date_outdated: refused('The tracking provider does not track parcels that are older than half a year.'),
  quota_limit_reached: refused(reasons.quota),
  no_active_subscription: refused(reasons.quota),
};

function reportIn(tracking: Fields) {
  const events = listOf(tracking.events);
  const timestamps = fieldsOf(fieldsOf(tracking.statistics).timestamps);
  return reportOf({
    number: fieldsOf(tracking.tracker).trackingNumber,
    carrier: events[0]?.courierCode,
    checkpoints: events.filter((event) => isNews(event, timestamps)).flatMap(checkpointIn),
    expected: expectedIn(fieldsOf(fieldsOf(tracking.shipment).delivery)),
    reportedAt: momentOf(fieldsOf(tracking.metadata).generatedAt)?.time,
  });
}

const momentIn = ({ occurrenceDatetime, utcOffset }: Fields) => momentOf(occurrenceDatetime, utcOffset);

const checkpointIn = (event: Fields) =>
  checkpointOf({
    moment: momentIn(event),
    codes: codesOf(event.statusCode, event.statusMilestone),
    text: event.status,
    place: { full: event.location },
  });

/** While a parcel travels, every scan is news. */
const milestonesOfScans: ReadonlySet<unknown> = new Set(['pending', 'info_received', 'in_transit']);

/**
 * The milestone is that of the parcel at the time of the event. An event without a code that comes after the milestone
 * was reached says nothing: otherwise a remark after the delivery would be a second delivery.
 */
function isNews(event: Fields, timestamps: Fields): boolean {
  const milestone = textOf(event.statusMilestone);
  if (textOf(event.statusCode) !== undefined || milestone === undefined || milestonesOfScans.has(milestone))
    return true;
  // A milestone that the table lacks is to be listed.
  if (!Object.hasOwn(codes, milestone)) return true;
  const reached = momentOf(timestamps[`${camelCase(milestone)}Datetime`], event.utcOffset);
  return reached === undefined || reached.time >= (momentIn(event)?.time ?? '');
}

const camelCase = (words: string) => words.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function expectedIn({ courierEstimatedDeliveryDate, estimatedDeliveryDate }: Fields) {
  const { from, to } = fieldsOf(courierEstimatedDeliveryDate);
  return expectedBetween(from, to) ?? expectedBetween(estimatedDeliveryDate, undefined);
}
