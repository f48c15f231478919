import { textOf } from '#platform/foreign-json.ts';
import type { Moment } from './moments.ts';
import type { Checkpoint, Expected, ProviderReport, ReportedLocation } from './provider.ts';

/** What a provider writes about one parcel. */
interface WrittenReport {
  number: unknown;
  carrier: unknown;
  /** Ours, if the provider's word for it is known. */
  carrierReference?: string | null;
  checkpoints: Checkpoint[];
  expected: Expected | undefined;
  reportedAt?: string | undefined;
}

/** As a list, which is empty if there is no tracking number. */
export function reportOf(written: WrittenReport): ProviderReport[] {
  const tracking_number = trackingNumberOf(written.number);
  if (tracking_number === undefined) return [];
  const { carrier, carrierReference = null, checkpoints, expected, reportedAt } = written;
  return [
    {
      tracking_number,
      carrier: textOf(carrier, 100) ?? null,
      carrier_reference: carrierReference,
      checkpoints,
      ...(expected && { expected_delivery: expected }),
      ...(reportedAt !== undefined && { reported_at: reportedAt }),
    },
  ];
}

interface WrittenCheckpoint {
  moment: Moment | undefined;
  codes: string[];
  text: unknown;
  place: Partial<Record<keyof ReportedLocation, unknown>>;
}

/** As a list, which is empty if there is no time. */
export function checkpointOf({ moment, codes, text, place }: WrittenCheckpoint): Checkpoint[] {
  if (!moment) return [];
  const location = placeOf(place);
  return [{ codes, text: textOf(text) ?? '', ...moment, ...(location && { location }) }];
}

/** Undefined if it is longer than a tracking number can be: a part of it would be another number. */
function trackingNumberOf(value: unknown): string | undefined {
  const text = textOf(value, 256);
  return text !== undefined && text.length <= 255 ? text : undefined;
}

/** The codes that are given, in their order. */
export const codesOf = (...values: unknown[]): string[] =>
  values.map((value) => textOf(value, 100)).filter((code) => code !== undefined);

const placeLengths = { city: 255, province: 255, zip_code: 50, country: 255, full: 1000 } as const;

/** @param values `country_code` may also be the name of the country, or a code of another standard */
function placeOf(values: Partial<Record<keyof ReportedLocation, unknown>>): ReportedLocation | undefined {
  const country = textOf(values.country_code, placeLengths.country);
  const isCode = country !== undefined && /^[a-z]{2}$/i.test(country);
  const given = {
    ...(country !== undefined && (isCode ? { country_code: country.toUpperCase() } : { country })),
    ...Object.fromEntries(
      Object.entries(placeLengths).flatMap(([name, maxLength]) => {
        const text = textOf(values[name as keyof ReportedLocation], maxLength);
        return text === undefined ? [] : [[name, text]];
      }),
    ),
  };
  return Object.keys(given).length > 0 ? given : undefined;
}
