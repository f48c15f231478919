import { createHash } from 'node:crypto';
import { type Fields, fieldsOf, parsed } from '#platform/foreign-json.ts';
import { orderLimits, orderTexts, shopWebhookLimits } from '#schemas/catalogues/limits.ts';
import { isLink, webLink } from '#schemas/catalogues/links.ts';
import { amountOf, type Decimal, decimalOf } from './decimal.ts';

/** Values of other systems, made to fit the fields of an order. What is empty counts as absent. */

/** Cuts a text to the length, without half a character at its end or anywhere else. */
export const clip = (text: string, length: number): string =>
  text
    .toWellFormed()
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '');

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

/**
 * The entries of a list. PHP writes a list with gaps as an object, such as `{"0": …, "2": …}`, and some extensions store
 * their list as text. Undefined if it is no list.
 */
export function entriesOf(value: unknown): readonly Fields[] | undefined {
  const list = typeof value === 'string' ? parsed(value) : value;
  if (Array.isArray(list)) return list.map(fieldsOf);
  const isList = typeof list === 'object' && list !== null && Object.keys(list).every((key) => /^\d+$/.test(key));
  return isList ? Object.values(list as object).map(fieldsOf) : undefined;
}

/** Tells two states of one moment apart. */
export const shortHash = (state: object): string =>
  createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 12);

/** A field, in the words of the shop's system, with a value that could not be read and was left out. */
interface Unread {
  field: string;
}

/**
 * The text of a value that should be a text or a number. Of anything else it is empty: an object may have a `toString` that
 * cannot be called.
 */
export const plainOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Absent are also empty texts, lists and objects. PHP does not tell the last two apart. */
export const isAbsent = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Reads the values of one payload that anybody may have written. A reader returns undefined for an absent value. For one
 * that it cannot read it does too, and notes the field.
 */
export interface ValueReader {
  readonly unread: readonly Unread[];
  /** For a value that is found to be wrong elsewhere. */
  note(field: string): undefined;
  /** Cut to the bound. A number counts as a text. */
  text(value: unknown, field: string, bound: number): string | undefined;
  /** A text of which a part would be wrong, such as an id or an e-mail address: a longer one is not read. */
  wholeText(value: unknown, field: string, bound: number): string | undefined;
  decimal(value: unknown, field: string): Decimal | undefined;
  money(value: unknown, field: string): number | undefined;
  /** Its code of three letters. */
  currency(value: unknown, field: string): string | undefined;
  /** A whole number that is not negative. */
  count(value: unknown, field: string, most: number): number | undefined;
  /** In UTC with milliseconds. A time without an offset is UTC. */
  time(value: unknown, field: string): string | undefined;
  /** The address of a page or a picture. */
  link(value: unknown, field: string): string | undefined;
}

export function valueReader(): ValueReader {
  const fields = new Set<string>();
  const note = (field: string): undefined => {
    if (fields.size < shopWebhookLimits.unreadFields) fields.add(field);
  };
  /** Applies a reader to a value that is there, and notes the field if that gives nothing. */
  const read = <T>(value: unknown, field: string, reader: (value: unknown) => T | undefined): T | undefined =>
    isAbsent(value) ? undefined : (reader(value) ?? note(field));
  return {
    get unread() {
      return [...fields].map((field) => ({ field }));
    },
    note,
    text: (value, field, bound) => read(value, field, (given) => textWithin(given, bound)),
    wholeText: (value, field, bound) =>
      read(value, field, (given) => {
        const text = plainText(given);
        return text !== undefined && text.length <= bound ? text : undefined;
      }),
    decimal: (value, field) => read(value, field, decimalOf),
    money: (value, field) => read(value, field, moneyOf),
    currency: (value, field) => read(value, field, currencyOf),
    count: (value, field, most) => read(value, field, (given) => wholeNumber(given, most)),
    time: (value, field) => read(value, field, timeOf),
    link: (value, field) =>
      read(value, field, (given) => {
        const text = plainText(given);
        return text !== undefined && isLink(text) ? (webLink(text) ?? undefined) : undefined;
      }),
  };
}

function moneyOf(value: unknown): number | undefined {
  const amount = decimalOf(value);
  return amount && amountOf(amount);
}

function currencyOf(value: unknown): string | undefined {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return /^[A-Z]{3}$/.test(code) ? code : undefined;
}

function plainText(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  return typeof text === 'string' ? text.trim().toWellFormed() : undefined;
}

const textWithin = (value: unknown, bound: number): string | undefined => {
  const text = plainText(value);
  return text === undefined ? undefined : clip(text, bound).trim() || undefined;
};

function wholeNumber(value: unknown, most: number): number | undefined {
  const number = moneyOf(value);
  return Number.isSafeInteger(number) && number! >= 0 && number! <= most ? number : undefined;
}

const times = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/i;

/** A day that its month does not have is no time: Date would take it for one of the next month. */
function timeOf(value: unknown): string | undefined {
  const [, day, clock, fraction = '', offset = 'Z'] = times.exec(typeof value === 'string' ? value.trim() : '') ?? [];
  if (day === undefined || new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) !== day) return undefined;
  const zone = offset.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const time = new Date(`${day}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`).toJSON();
  return time?.length === 24 ? time : undefined;
}
