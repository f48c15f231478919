import { createHash } from 'node:crypto';
import { type Fields, fieldsOf, listOf, parsed, textOf } from '#platform/foreign-json.ts';
import { expectedBetween, momentOf } from './moments.ts';
import { again, outcomeOfCode, outcomeOfStatus, reasons, refused, submitted } from './outcomes.ts';
import { type CodeTable, postJson, type TrackingProvider } from './provider.ts';
import { checkpointOf, codesOf, reportOf } from './report.ts';
import { isSame } from './signatures.ts';

const notFound = { none: '17TRACK has no news from the carrier.' };
const tooLong = { none: 'The parcel has been under way for long by the clock of 17TRACK. The carrier says nothing.' };

/**
 * 17TRACK's sub-statuses, its statuses, and the stages of its milestones, of which an event has one or two. Source: the
 * API's documentation v2.2 and v2.4, "Package status" (asset.17track.net/api/document/v2.4_en/index.html).
 */
const codes: CodeTable = {
  NotFound: notFound,
  NotFound_Other: notFound,
  NotFound_InvalidCode: { none: '17TRACK takes the number for invalid. It is no news of the parcel.' },

  InfoReceived: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },

  InTransit: { event: 'SHIPMENT_EN_ROUTE' },
  InTransit_Other: { event: 'SHIPMENT_EN_ROUTE' },
  InTransit_PickedUp: { event: 'PICKUP_SUCCESSFUL' },
  PickedUp: { event: 'PICKUP_SUCCESSFUL' },
  InTransit_Departure: { event: 'TRANSPORT_DEPARTED' }, // from the country of origin
  Departure: { event: 'TRANSPORT_DEPARTED' },
  InTransit_Arrival: { event: 'ARRIVAL_IN_DESTINATION_COUNTRY' },
  Arrival: { event: 'ARRIVAL_IN_DESTINATION_COUNTRY' },
  InTransit_CustomsProcessing: { event: 'CUSTOMS_PROCESSING' },
  InTransit_CustomsReleased: { event: 'COMPLETION_OF_CUSTOMS_PROCESSING' },
  InTransit_CustomsRequiringInformation: { event: 'HELD_AT_CUSTOMS_FOR_CLARIFICATIONS' },

  Expired: tooLong,
  Expired_Other: tooLong,

  AvailableForPickup: { event: 'PARCEL_READY_FOR_PICKUP' },
  AvailableForPickup_Other: { event: 'PARCEL_READY_FOR_PICKUP' },

  OutForDelivery: { event: 'OUT_FOR_DELIVERY' },
  OutForDelivery_Other: { event: 'OUT_FOR_DELIVERY' },

  DeliveryFailure: { event: 'DELIVERY_ATTEMPTED' },
  DeliveryFailure_Other: { event: 'DELIVERY_ATTEMPTED' },
  DeliveryFailure_NoBody: { event: 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME' },
  DeliveryFailure_Security: { event: 'DELIVERY_ATTEMPTED' },
  DeliveryFailure_Rejected: { event: 'DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE' },
  DeliveryFailure_InvalidAddress: { event: 'DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND' },

  Delivered: { event: 'SUCCESSFULLY_DELIVERED' },
  Delivered_Other: { event: 'SUCCESSFULLY_DELIVERED' },

  // The status covers everything from a delay to a loss: without a sub-status only the delay is certain.
  Exception: { event: 'DELAY_IN_TRANSPORT' },
  Exception_Other: { event: 'DELAY_IN_TRANSPORT' },
  Exception_Delayed: { event: 'DELAY_EXPECTED' },
  Exception_Security: { event: 'ISSUES_IN_PROCESSING_BY_CUSTOMS_AUTHORITIES' },
  Exception_NoBody: { event: 'DELIVERY_ATTEMPTED_ADDRESSEE_NOT_KNOWN_AT_ADDRESS' },
  Exception_Rejected: { event: 'DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE' },
  Exception_Damage: { event: 'SHIPMENT_DAMAGED' },
  Exception_Lost: { event: 'SHIPMENT_LOST' },
  Exception_Destroyed: { event: 'DELIVERY_FAILED_SHIPMENT_DESTROYED' },
  Exception_Cancel: { event: 'SHIPMENT_CANCELLED' },
  Exception_Returning: { event: 'SHIPMENT_RETURNING_TO_SENDER' },
  Returning: { event: 'SHIPMENT_RETURNING_TO_SENDER' },
  Exception_Returned: { event: 'SHIPMENT_SUCCESSFULLY_RETURNED_TO_SENDER' },
  Returned: { event: 'SHIPMENT_SUCCESSFULLY_RETURNED_TO_SENDER' },
};

export const seventeentrack: TrackingProvider = {
  baseUrl: 'https://api.17track.net',
  codes,

  /** 17TRACK finds the carrier by the number. */
  registration: ({ tracking_number }, { api_key }) =>
    postJson('/track/v2.4/register', { '17token': api_key }, [{ number: tracking_number }]),

  /** 17TRACK answers 200 also to what it rejects, with a code for the request or for the number. */
  outcomeOf(answer) {
    if (answer.status !== 200) return outcomeOfStatus(answer);
    const { code, data } = fieldsOf(parsed(answer.body));
    const { accepted, rejected, errors } = fieldsOf(data);
    if (listOf(accepted).length > 0) return submitted;
    const given = [fieldsOf(listOf(rejected)[0]?.error).code, listOf(errors)[0]?.code, code];
    const [known] = given.flatMap((candidate) => outcomeOfCode(outcomes, candidate) ?? []);
    return known ?? (given.some(isError) ? refused(reasons.number) : again(reasons.down));
  },

  /** The header `sign` is the SHA-256 of "body/key". The secret is the access key of the account. */
  isGenuine: ({ headers, rawBody }, secret) =>
    isSame(headers.sign, createHash('sha256').update(rawBody).update(`/${secret}`).digest('hex')),

  /** `data` is one parcel, or a list of them. */
  reportsIn: (body) => listOf([fieldsOf(body).data].flat()).flatMap(reportIn),
};

/** 17TRACK's own codes: its documentation, "Error codes". */
const outcomes = {
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

const isError = (code: unknown) => typeof code === 'number' && code !== 0;

/** Each carrier on the way has a history of its own. */
function reportIn(parcel: Fields) {
  const info = fieldsOf(parcel.track_info);
  const { from, to } = fieldsOf(fieldsOf(info.time_metrics).estimated_delivery_date);
  const carriers = listOf(fieldsOf(info.tracking).providers);
  const syncs = carriers.flatMap(({ latest_sync_time }) => momentOf(latest_sync_time)?.time ?? []);
  return reportOf({
    number: parcel.number,
    carrier: parcel.carrier,
    checkpoints: carriers.flatMap(({ events }) => listOf(events)).flatMap(checkpointIn),
    expected: expectedBetween(from, to),
    reportedAt: syncs.sort().at(-1),
  });
}

function checkpointIn(event: Fields) {
  const { city, state, country, postal_code } = fieldsOf(event.address);
  return checkpointOf({
    moment: momentIn(event),
    codes: codesOf(event.sub_status, event.stage),
    text: event.description,
    place: { city, province: state, zip_code: postal_code, country_code: country, full: event.location },
  });
}

/** `time_raw` is as the carrier wrote it. The other two may be null, and `time_iso` may be without an offset. */
function momentIn({ time_iso, time_utc, time_raw }: Fields) {
  const { date, time, timezone } = fieldsOf(time_raw);
  const zone = momentOf(time_iso, timezone)?.timezone ?? timezone;
  const raw = [textOf(date), textOf(time)].filter(Boolean).join('T');
  return momentOf(time_utc, zone) ?? momentOf(time_iso, zone) ?? momentOf(raw, zone);
}
