import { type Fields, fieldsOf, listOf, parsed, textOf } from '#platform/foreign-json.ts';
import { expectedBetween, momentOf } from './moments.ts';
import { again, outcomeOfCode, outcomeOfStatus, reasons, refused, submitted } from './outcomes.ts';
import { type CodeTable, postJson, type TrackingProvider } from './provider.ts';
import { checkpointOf, codesOf, reportOf } from './report.ts';
import { isSame } from './signatures.ts';

/**
 * Ship24's `statusCode` and, below, `statusMilestone`. Source: docs.ship24.com/status. `statusCategory` is the first word
 * of the code, so it adds nothing.
 */
const codes: CodeTable = {
  data_order_created: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },
  data_order_cancelled: { event: 'SHIPMENT_CANCELLED' },
  data_delivery_proposed: { event: 'NOTIFICATION_SENT_TO_RECIPIENT' },
  data_delivery_decided: { event: 'DELIVERY_SCHEDULED_IN_THE_FINAL_DELIVERY_DEPOT' },
  transit_handover: { event: 'PARCEL_DROPPED_OFF_WITH_CARRIER' },
  transit_origin_country_departure: { event: 'TRANSPORT_DEPARTED' },
  destination_arrival: { event: 'ARRIVAL_IN_DESTINATION_COUNTRY' },
  customs_received: { event: 'START_OF_CUSTOMS_PROCESSING' },
  customs_exception: { event: 'HELD_AT_CUSTOMS' },
  customs_rejected: { event: 'ATTEMPTED_DELIVERY_UNDELIVERABLE' },
  customs_cleared: { event: 'COMPLETION_OF_CUSTOMS_PROCESSING' },
  delivery_available_for_pickup: { event: 'PARCEL_READY_FOR_PICKUP' },
  delivery_out_for_delivery: { event: 'OUT_FOR_DELIVERY' },
  delivery_attempted: { event: 'DELIVERY_ATTEMPTED' },
  delivery_exception: { event: 'DELAY_EXPECTED' }, // an attempt has a code of its own
  delivery_refused: { event: 'DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE' },
  delivery_delivered: { event: 'SUCCESSFULLY_DELIVERED' },
  exception_return: { event: 'SHIPMENT_RETURNING_TO_SENDER' },
  exception_lost: { event: 'SHIPMENT_LOST' },
  exception_discarded: { event: 'DELIVERY_FAILED_SHIPMENT_DESTROYED' },

  pending: { none: 'Ship24 has no news from the carrier.' },
  info_received: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },
  in_transit: { event: 'SHIPMENT_EN_ROUTE' },
  out_for_delivery: { event: 'OUT_FOR_DELIVERY' },
  failed_attempt: { event: 'DELIVERY_ATTEMPTED' },
  available_for_pickup: { event: 'PARCEL_READY_FOR_PICKUP' },
  delivered: { event: 'SUCCESSFULLY_DELIVERED' },
  exception: { event: 'ATTEMPTED_DELIVERY_UNDELIVERABLE' },
};

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
    const code = listOf(fieldsOf(parsed(body)).errors)[0]?.code;
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
