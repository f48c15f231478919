import type { Address } from '#schemas/shapes/order-shapes.ts';

/** The beginning of a text, with no half of a character at its end. */
export const clip = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** How long the parts of an address may be. */
export const addressBounds: Required<{ [Part in keyof Address]: number }> = {
  address_line_1: 500,
  address_line_2: 500,
  city: 255,
  country: 255,
  country_code: 10,
  name: 500,
  phone: 100,
  province: 255,
  province_code: 50,
  street: 500,
  zip_code: 50,
  company: 500,
};

type Said<T> = { [Name in keyof T]: T[Name] | null | undefined };

/** Only what was said: absent and null leave the order as it is. */
export function said<T extends object>(fields: Said<T>): Partial<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}
