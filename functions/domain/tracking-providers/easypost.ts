import { type Fields, fieldsOf, listOf, parsed } from '#platform/foreign-json.ts';
import { expectedBetween, momentOf } from './moments.ts';
import { outcomeOfCode, outcomeOfStatus, reasons, refused } from './outcomes.ts';
import { type CodeTable, postJson, type TrackingProvider } from './provider.ts';
import { checkpointOf, codesOf, reportOf } from './report.ts';
import { hmacOf, isSame } from './signatures.ts';

/**
 * The statuses and details of EasyPost's trackers. Source: docs.easypost.com/docs/trackers, and the types of its Node
 * client (github.com/EasyPost/easypost-node, types/Tracker). A word that is both means the same.
 */
const codes: CodeTable = {
  unknown: { none: 'EasyPost has no news from the carrier, or does not know what it means.' },
  error: { none: 'EasyPost could not ask the carrier. It is no news of the parcel.' },
  expired: { none: 'EasyPost stopped asking. It is no news of the parcel.' },
  status_update: { none: 'It says nothing about the parcel: the status beside it decides.' },

  pre_transit: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },
  label_created: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },
  awaiting_information: { event: 'MISSING_SHIPMENT_INFORMATION' },
  cancelled: { event: 'SHIPMENT_CANCELLED' },

  in_transit: { event: 'SHIPMENT_EN_ROUTE' },
  received_at_origin_facility: { event: 'ACCEPTED_BY_ORIGIN_OFFICE' },
  departed_origin_facility: { event: 'PARCEL_DISPATCHED' },
  arrived_at_facility: { event: 'ARRIVED_AT_SORTING_CENTER' },
  departed_facility: { event: 'DISPATCHED_FROM_SORTING_CENTER' },
  transferred_to_destination_carrier: { event: 'HANDED_OVER_TO_DELIVERY_PARTNER' },
  received_at_destination_facility: { event: 'ARRIVAL_AT_FINAL_DELIVERY_CENTER' },
  arrived_at_destination: { event: 'ACCEPTED_BY_DESTINATION_OFFICE' }, // unless the status is delivered

  delayed: { event: 'DELAY_IN_TRANSPORT' },
  weather_delay: { event: 'DELAY_IN_TRANSPORT' },
  transit_exception: { event: 'DELAY_IN_TRANSPORT' },
  address_correction: { event: 'DELAY_EXPECTED' }, // the carrier corrects it and continues
  missorted: { event: 'SHIPMENT_MISROUTED' },
  held: { event: 'SHIPMENT_ON_HOLD_IN_DELIVERY_CENTER' },
  damaged: { event: 'SHIPMENT_DAMAGED' },
  lost: { event: 'SHIPMENT_LOST' },

  out_for_delivery: { event: 'OUT_FOR_DELIVERY' },
  delivery_exception: { event: 'DELIVERY_ATTEMPTED' },
  refused: { event: 'DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE' },
  failure: { event: 'ATTEMPTED_DELIVERY_UNDELIVERABLE' },
  unable_to_deliver: { event: 'ATTEMPTED_DELIVERY_UNDELIVERABLE' },

  available_for_pickup: { event: 'PARCEL_READY_FOR_PICKUP' },
  arrived_at_pickup_location: { event: 'ARRIVED_AT_PICKUP_POINT' },
  delivered: { event: 'SUCCESSFULLY_DELIVERED' },

  return_to_sender: { event: 'SHIPMENT_RETURNING_TO_SENDER' },
  return: { event: 'SHIPMENT_RETURNING_TO_SENDER' },
};

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
    const { code } = fieldsOf(fieldsOf(parsed(answer.body)).error);
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
