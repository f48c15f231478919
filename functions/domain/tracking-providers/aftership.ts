import { type Fields, fieldsOf, listOf, parsed } from '#platform/foreign-json.ts';
import { expectedBetween, momentOf, timeOfSeconds } from './moments.ts';
import { outcomeOfCode, outcomeOfStatus, reasons, refused, submitted } from './outcomes.ts';
import { type CodeTable, postJson, type TrackingProvider } from './provider.ts';
import { checkpointOf, codesOf, reportOf } from './report.ts';
import { hmacOf, isSame } from './signatures.ts';

const nothingYet = { none: 'AfterShip has no news from the carrier.' };
const gaveUp = {
  none: 'AfterShip stopped asking, because the carrier said nothing for 30 days. It is no news of the parcel.',
};

/**
 * The statuses ("tags") and sub-statuses ("subtags") of AfterShip's API 2026-07. Sources: aftership.com/docs/tracking,
 * "Delivery Statuses", "Delivery Sub-statuses" and its changelog; the help centre's "Learn About Delivery Sub-Status".
 */
const codes: CodeTable = {
  Pending: nothingYet,
  Pending_001: nothingYet,
  Pending_002: nothingYet,
  Pending_003: nothingYet,
  Pending_004: nothingYet,
  Pending_005: nothingYet,
  Pending_006: nothingYet,

  InfoReceived: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },
  InfoReceived_001: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },

  InTransit: { event: 'SHIPMENT_EN_ROUTE' },
  InTransit_001: { event: 'SHIPMENT_EN_ROUTE' },
  InTransit_002: { event: 'ACCEPTED_BY_ORIGIN_OFFICE' },
  InTransit_003: { event: 'ARRIVED_AT_SORTING_CENTER' },
  InTransit_004: { event: 'ARRIVAL_IN_DESTINATION_COUNTRY' },
  InTransit_005: { event: 'COMPLETION_OF_CUSTOMS_PROCESSING' },
  InTransit_006: { event: 'START_OF_CUSTOMS_PROCESSING' },
  InTransit_007: { event: 'DISPATCHED_FROM_SORTING_CENTER' },
  InTransit_008: { event: 'SHIPMENT_EN_ROUTE' }, // a problem was solved
  InTransit_009: { event: 'DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED' },
  // The changelog names these three without a description, so they say what their status says.
  InTransit_011: { event: 'SHIPMENT_EN_ROUTE' },
  InTransit_012: { event: 'SHIPMENT_EN_ROUTE' },
  InTransit_013: { event: 'SHIPMENT_EN_ROUTE' },

  OutForDelivery: { event: 'OUT_FOR_DELIVERY' },
  OutForDelivery_001: { event: 'OUT_FOR_DELIVERY' },
  OutForDelivery_002: { event: 'PARCEL_READY_FOR_PICKUP' }, // today AvailableForPickup_001
  OutForDelivery_003: { event: 'NOTIFICATION_SENT_TO_RECIPIENT' },
  OutForDelivery_004: { event: 'DELIVERY_SCHEDULED_IN_THE_FINAL_DELIVERY_DEPOT' },

  AttemptFail: { event: 'DELIVERY_ATTEMPTED' },
  AttemptFail_001: { event: 'DELIVERY_ATTEMPTED' },
  AttemptFail_002: { event: 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME' },
  AttemptFail_003: { event: 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME' }, // the business is closed

  AvailableForPickup: { event: 'PARCEL_READY_FOR_PICKUP' },
  AvailableForPickup_001: { event: 'PARCEL_READY_FOR_PICKUP' },

  Delivered: { event: 'SUCCESSFULLY_DELIVERED' },
  Delivered_001: { event: 'SUCCESSFULLY_DELIVERED' },
  Delivered_002: { event: 'SUCCESSFULLY_COLLECTED' },
  Delivered_003: { event: 'SUCCESSFULLY_DELIVERED_AND_PROOF_OF_DELIVERY_COLLECTED' },
  Delivered_004: { event: 'SUCCESSFULLY_DELIVERED_AND_CASH_ON_DELIVERY_COLLECTED' },
  Delivered_005: { event: 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR' },

  // The status covers everything from a delay to a loss: without a sub-status only the delay is certain.
  Exception: { event: 'DELAY_IN_TRANSPORT' },
  Exception_001: { event: 'DELAY_IN_TRANSPORT' },
  Exception_002: { event: 'DELIVERY_ATTEMPTED_ADDRESSEE_MOVED' },
  Exception_003: { event: 'DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE' },
  Exception_004: { event: 'ISSUES_IN_PROCESSING_BY_CUSTOMS_AUTHORITIES' },
  Exception_005: { event: 'DELAY_IN_TRANSPORT' },
  Exception_006: { event: 'HELD_AT_CUSTOMS_FOR_ADDITIONAL_PAYMENT' },
  Exception_007: { event: 'DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND' },
  Exception_008: { event: 'DELIVERY_LAPSED' }, // not collected, and not sent back yet
  Exception_009: { event: 'ATTEMPTED_DELIVERY_UNDELIVERABLE' }, // the carrier does not take such a parcel
  Exception_010: { event: 'SHIPMENT_RETURNING_TO_SENDER' },
  Exception_011: { event: 'SHIPMENT_SUCCESSFULLY_RETURNED_TO_SENDER' },
  Exception_012: { event: 'SHIPMENT_DAMAGED' },
  Exception_013: { event: 'SHIPMENT_LOST' },
  Exception_016: { event: 'DELAY_IN_TRANSPORT' },
  Exception_017: { event: 'DELAY_IN_TRANSPORT' }, // weather
  Exception_018: { event: 'HELD_AT_CUSTOMS_FOR_CLARIFICATIONS' },
  Exception_019: { event: 'DELAY_IN_TRANSPORT' }, // a late flight
  Exception_020: { event: 'SHIPMENT_CANCELLED' },
  Exception_021: { event: 'DELIVERY_FAILED_SHIPMENT_DESTROYED' },

  Expired: gaveUp,
  Expired_001: gaveUp,
};

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
    const { code } = fieldsOf(fieldsOf(parsed(answer.body)).meta);
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
