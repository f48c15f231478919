import type { ReportedLocation } from './provider.ts';

/** Reads JSON that anybody may have written: a value of another type than expected counts as absent. */

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);

/** A text or a number that is not empty, cut to the length that the contract allows at that place. */
export function textOf(value: unknown, maxLength = 1000): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  return text.trim().slice(0, maxLength).toWellFormed() || undefined;
}

/** Undefined if it is longer than a tracking number can be: a part of it would be another number. */
export function trackingNumberOf(value: unknown): string | undefined {
  const text = textOf(value, 256);
  return text !== undefined && text.length <= 255 ? text : undefined;
}

/** The codes that are given, in their order. */
export const codesOf = (...values: unknown[]): string[] =>
  values.map((value) => textOf(value, 100)).filter((code) => code !== undefined);

const placeLengths = { city: 255, province: 255, zip_code: 50, country: 255, full: 1000 } as const;

/** @param values `country_code` may also be the name of the country, or a code of another standard */
export function placeOf(values: Partial<Record<keyof ReportedLocation, unknown>>): ReportedLocation | undefined {
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

/** The fields of a JSON document. Empty if it is not one. */
export function parsed(json: string): Fields {
  try {
    return fieldsOf(JSON.parse(json));
  } catch {
    return {};
  }
}
