import { carrierNameOf } from '#schemas/catalogues/carriers.ts';
import type { DeliveryTimes } from '#schemas/families/analytics.ts';
import { language, t } from '../../texts/texts.ts';
import { countryName } from '../../ui/countries.ts';

export type Row = DeliveryTimes;

/** What the figures are divided by, as the address names it and as the API does. */
export const divisions = { carrier: 'carrier', country: 'country', both: 'carrier,country' } as const;
export type Division = keyof typeof divisions;

export const divisionOf = (asked: string): Division =>
  Object.hasOwn(divisions, asked) ? (asked as Division) : ('carrier' satisfies Division);

/** The carrier, the country or both, as people call them. */
export function nameOf({ carrier_reference, country }: Lane, by: Division): string {
  const carrier = carrier_reference === null ? t('figures.unknownCarrier') : carrierNameOf(carrier_reference);
  const land = country === null ? t('figures.unknownCountry') : countryName(country, language.value);
  return { carrier, country: land, both: `${carrier} · ${land}` }[by];
}

type Lane = Pick<Row, 'carrier_reference' | 'country'>;

export const keyOf = ({ carrier_reference, country }: Lane): string => `${carrier_reference}#${country}`;

/** Those with the most parcels come first. */
export const biggestFirst = <T extends Pick<Row, 'shipped'>>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => b.shipped - a.shipped);

export const sumOf = (rows: readonly Row[], value: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0);

/** The smallest and the largest of what is known. */
export function rangeOf(values: readonly (number | null)[]): { low: number; high: number } | undefined {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? undefined : { low: Math.min(...known), high: Math.max(...known) };
}

/** So many rows are drawn. The table behind a chart has all of them. */
export const drawnRows = 10;

export const perThousand = ({ claims, shipped }: Pick<Row, 'claims' | 'shipped'>): number | null =>
  shipped === 0 ? null : (1000 * claims) / shipped;
