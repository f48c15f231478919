import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';

/** A tracking provider: how parcels are registered with it, and how its webhooks are read. */
export interface TrackingProvider {
  /** The provider's public address, used unless the operator sets another. */
  baseUrl: string;
  /** The request that registers a parcel. */
  registration(parcel: ParcelToTrack, credential: ProviderCredential): ProviderRequest;
  /** What the answer to that request means. */
  outcomeOf(answer: ProviderAnswer): RegistrationOutcome;
  /** Whether the webhook was signed with the secret, over its raw bytes. Compares in constant time. */
  isGenuine(webhook: ProviderWebhook, secret: string): boolean;
  /** What a genuine webhook reports. Never throws; what is not understood is left out. */
  reportsIn(body: unknown): ProviderReport[];
  /** Every code that the provider documents. */
  codes: CodeTable;
}

export interface ParcelToTrack {
  /** Normalised: providers know no spaces in it. */
  tracking_number: string;
  carrier_reference: string | null;
  shipment_id: string;
  postal_code?: string;
  /** Of the destination: ISO 3166-1 alpha-2. */
  country_code?: string;
  shipped_at?: string;
}

interface ProviderCredential {
  api_key: string;
}

export interface ProviderRequest {
  method: 'POST';
  /** Below the provider's address, with a slash at its beginning. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** The request that registers a parcel is the same everywhere but for its path, the form of the key, and the fields. */
export const postJson = (path: string, key: Record<string, string>, fields: object): ProviderRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', ...key },
  body: JSON.stringify(fields),
});

export interface ProviderAnswer {
  status: number;
  body: string;
  /** The names are in lower case. */
  headers: Record<string, string>;
  received_at: Date;
}

/** A parcel that the provider knows already is `submitted`. `again`: later, after the time that the provider asks for. */
export type RegistrationOutcome =
  | { status: 'submitted' }
  | { status: 'refused'; reason: string }
  | { status: 'again'; reason: string; afterSeconds?: number };

interface ProviderWebhook {
  /** The names are in lower case. */
  headers: Record<string, string | undefined>;
  rawBody: Uint8Array;
}

/** What one webhook says of one parcel. The checkpoints are in any order. */
export interface ProviderReport {
  tracking_number: string;
  /** The provider's own word for the carrier. */
  carrier: string | null;
  /** Our carrier, if the provider's word is known. */
  carrier_reference: string | null;
  checkpoints: Checkpoint[];
  expected_delivery?: Expected;
  /** When the provider made the report. Absent if it does not say. */
  reported_at?: string;
}

export interface Expected {
  start?: string;
  end?: string;
}

export interface Checkpoint {
  /** The most specific first: sub-status, then status. The first that the table knows decides. */
  codes: string[];
  text: string;
  /** With an offset or `Z`. */
  time: string;
  timezone?: string;
  location?: ReportedLocation;
}

/** At least one field is given. */
export interface ReportedLocation {
  city?: string;
  province?: string;
  zip_code?: string;
  country?: string;
  /** ISO 3166-1 alpha-2. */
  country_code?: string;
  /** The whole place, as the carrier writes it. */
  full?: string;
}

/** The event that each code means, or why it means none. */
export type CodeTable = Readonly<Record<string, { event: ShipmentEventName } | { none: string }>>;
