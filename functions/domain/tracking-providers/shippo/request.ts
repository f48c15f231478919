import { outcomeOfStatus, reasons, refused } from '#domain/tracking-providers/outcomes.ts';
import type {
  ParcelToTrack,
  ProviderAnswer,
  ProviderCredential,
  ProviderRequest,
  RegistrationOutcome,
} from '#domain/tracking-providers/provider.ts';

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

export function registration(parcel: ParcelToTrack, { api_key }: ProviderCredential): ProviderRequest {
  const { carrier_reference: reference, tracking_number, shipment_id } = parcel;
  const carrier = reference === null ? undefined : (carriers[reference] ?? reference);
  return {
    method: 'POST',
    path: '/tracks/',
    headers: { authorization: `ShippoToken ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ carrier, tracking_number, metadata: shipment_id }),
  };
}

/** Our carrier by Shippo's word. */
export function referenceOf(carrier: string | undefined): string | null {
  return Object.keys(carriers).find((reference) => carriers[reference] === carrier) ?? null;
}

/** A bad request names no code, and the carrier is what can be wrong in it. */
export function outcomeOf(answer: ProviderAnswer): RegistrationOutcome {
  return answer.status === 400 ? refused(reasons.carrier) : outcomeOfStatus(answer);
}
