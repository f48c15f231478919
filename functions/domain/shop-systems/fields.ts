import { orderLimits, orderTexts } from '#schemas/catalogues/limits.ts';
import { isLink } from '#schemas/catalogues/links.ts';

/** Values of other systems, made to fit the fields of an order. What is empty counts as absent. */

/** Cuts a text to the length, without half a character at its end. */
export const clip = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

type Nullable<T> = { [Name in keyof T]: T[Name] | null | undefined };

/** Drops absent and null fields, so that they leave the order as it is. */
export function definedFields<T extends object>(fields: Nullable<T>): Partial<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}

/** Shops write their tags as one text, separated by commas. */
export function segmentsOf(text: string): string[] {
  const segments = text.split(',').map((segment) => clip(segment.trim(), orderTexts.segment));
  return segments.filter((segment) => segment !== '').slice(0, orderLimits.segments);
}

/** Only web addresses, because somebody will open the link. */
export const link = (value: string | null | undefined) => (value && isLink(value) ? value : undefined);
