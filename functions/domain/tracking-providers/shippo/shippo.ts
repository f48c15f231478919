import { expectedBetween, momentOf } from '#domain/tracking-providers/moments.ts';
import { outcomeOfStatus, reasons, refused } from '#domain/tracking-providers/outcomes.ts';
import { postJson, type TrackingProvider } from '#domain/tracking-providers/provider.ts';
import { codesOf, type Fields, fieldsOf, listOf, textOf } from '#domain/tracking-providers/reading.ts';
import { checkpointOf, reportOf } from '#domain/tracking-providers/report.ts';
import { hmacOf, isSame } from '#domain/tracking-providers/signatures.ts';
import { codes } from './codes.ts';

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
