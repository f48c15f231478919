import { type Fields, fieldsOf, listOf, textOf } from '#platform/foreign-json.ts';
import { expectedBetween, momentOf } from './moments.ts';
import { outcomeOfStatus, reasons, refused } from './outcomes.ts';
import { type CodeTable, postJson, type TrackingProvider } from './provider.ts';
import { checkpointOf, codesOf, reportOf } from './report.ts';
import { hmacOf, isSame } from './signatures.ts';

/**
 * Shippo's statuses (in capitals) and sub-statuses. Source: docs.goshippo.com/docs/tracking/tracking, "Event
 * definitions", and its clients (github.com/goshippo/shippo-javascript-sdk, docs/models/components).
 */
const codes: CodeTable = {
  UNKNOWN: { none: 'The carrier does not know the number, or Shippo does not know what the carrier says.' },
  other: { none: 'Shippo does not know what the carrier says: the status beside it decides.' },

  PRE_TRANSIT: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },
  information_received: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },

  TRANSIT: { event: 'SHIPMENT_EN_ROUTE' },
  package_accepted: { event: 'ACCEPTED_BY_ORIGIN_OFFICE' },
  package_arrived: { event: 'ARRIVED_AT_SORTING_CENTER' },
  package_processing: { event: 'PROCESSING_AT_TRANSPORT_HUB' },
  package_processed: { event: 'SCANNED_AT_PROCESSING_CENTER' },
  package_departed: { event: 'DISPATCHED_FROM_SORTING_CENTER' },
  package_forwarded: { event: 'DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED' },
  delivery_scheduled: { event: 'DELIVERY_SCHEDULED_IN_THE_FINAL_DELIVERY_DEPOT' },
  delivery_rescheduled: { event: 'SHIPMENT_UPDATED_ETA' },
  contact_carrier: { event: 'MORE_INFO_ON_CARRIER_WEBSITE' },
  delayed: { event: 'DELAY_IN_TRANSPORT' },
  package_held: { event: 'SHIPMENT_ON_HOLD_IN_DELIVERY_CENTER' },
  package_damaged: { event: 'SHIPMENT_DAMAGED' },
  out_for_delivery: { event: 'OUT_FOR_DELIVERY' },
  pickup_available: { event: 'PARCEL_READY_FOR_PICKUP' },
  delivery_attempted: { event: 'DELIVERY_ATTEMPTED' },
  location_inaccessible: { event: 'DELIVERY_ATTEMPTED' },
  reschedule_delivery: { event: 'DELIVERY_ATTEMPTED' }, // the recipient is asked to make a new appointment
  notice_left: { event: 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME_CARD_LEFT' },
  address_issue: { event: 'DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND' },

  DELIVERED: { event: 'SUCCESSFULLY_DELIVERED' },
  delivered: { event: 'SUCCESSFULLY_DELIVERED' },

  RETURNED: { event: 'SHIPMENT_RETURNING_TO_SENDER' }, // on its way back, or back
  return_to_sender: { event: 'SHIPMENT_RETURNING_TO_SENDER' },
  package_unclaimed: { event: 'SHIPMENT_NOT_PICKED_UP_RETURNED_TO_BASE' },

  FAILURE: { event: 'ATTEMPTED_DELIVERY_UNDELIVERABLE' },
  package_undeliverable: { event: 'ATTEMPTED_DELIVERY_UNDELIVERABLE' },
  package_disposed: { event: 'DELIVERY_FAILED_SHIPMENT_DESTROYED' },
  package_lost: { event: 'SHIPMENT_LOST' },
};

/**
 * Shippo needs the carrier, in its own word. Source: docs.goshippo.com/docs/tracking/trackingcarriers. The other
 * carriers of ours are not in its list: it refuses their parcels.
 */
const carriers: Readonly<Record<string, string>> = {
  bring: 'bring',
  depost: 'deutsche_post',
  dhl: 'dhl_germany',
  dhlexp: 'dhl_express',
  dpd: 'dpd_de',
  dpduk: 'dpd_uk',
  fedex: 'fedex',
  hrs: 'hermes_germany_b2c',
  posti: 'posti',
  royalmail: 'royal_mail',
  ups: 'ups',
  usps: 'usps',
};

export const shippo: TrackingProvider = {
  baseUrl: 'https://api.goshippo.com',
  codes,

  registration({ carrier_reference: reference, tracking_number, shipment_id }, { api_key }) {
    const carrier = reference === null ? undefined : (carriers[reference] ?? reference);
    const fields = { carrier, tracking_number, metadata: shipment_id };
    return postJson('/tracks/', { authorization: `ShippoToken ${api_key}` }, fields);
  },

  /** A bad request names no code, and the carrier is what can be wrong in it. */
  outcomeOf: (answer) => (answer.status === 400 ? refused(reasons.carrier) : outcomeOfStatus(answer)),

  /**
   * `t=<seconds>,v1=<HMAC of "seconds.body">`: docs.goshippo.com/docs/tracking/webhooksecurity. The age does not count,
   * because a webhook that comes again changes nothing.
   */
  isGenuine({ headers, rawBody }, secret) {
    const [, time, signature] = /^t=(\d{1,20}), ?v1=([0-9a-f]+)$/.exec(headers['shippo-auth-signature'] ?? '') ?? [];
    return time !== undefined && isSame(signature, hmacOf(secret, `${time}.`, rawBody).digest('hex'));
  },

  /** `data` is the track with its whole history. The newest step is in `tracking_status` and may be there alone. */
  reportsIn(body) {
    const track = fieldsOf(fieldsOf(body).data);
    const carrier = textOf(track.carrier, 100);
    return reportOf({
      number: track.tracking_number,
      carrier,
      carrierReference: Object.keys(carriers).find((reference) => carriers[reference] === carrier) ?? null,
      checkpoints: [...listOf(track.tracking_history), fieldsOf(track.tracking_status)].flatMap(checkpointIn),
      expected: expectedBetween(track.eta, undefined),
    });
  },
};

function checkpointIn(step: Fields) {
  const { city, state, country, zip } = fieldsOf(step.location);
  const { code } = fieldsOf(step.substatus);
  return checkpointOf({
    moment: momentOf(step.status_date),
    codes: code === 'other' ? codesOf(step.status) : codesOf(code, step.status),
    text: step.status_details,
    place: { city, province: state, zip_code: zip, country_code: country },
  });
}
