import { orderLimits, orderTexts, shopWebhookLimits } from '#schemas/catalogues/limits.ts';
import { isLink, webLink } from '#schemas/catalogues/links.ts';

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

/** An amount exactly as it is written: `units` divided by ten as often as `scale` says. */
export interface Decimal {
  units: bigint;
  scale: number;
}

/** Longer ones are no money, and would only cost time. */
const maxDigits = 40;

/** A decimal text such as `-19.90`, or a JSON number. Undefined for everything else, also for `1e3` and `12,50`. */
export function decimalOf(value: unknown): Decimal | undefined {
  const text = typeof value === 'number' ? plainDigits(value) : value;
  if (typeof text !== 'string' || text.length > maxDigits) return undefined;
  const [, sign, whole, fraction = ''] = /^\s*([+-]?)(\d+)(?:\.(\d*))?\s*$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { units: BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`), scale: fraction.length };
}

/** JavaScript writes 0.0000001 as `1e-7`. Twenty decimals hold what is left of it. */
function plainDigits(value: number): string {
  const text = String(value);
  return /e-/.test(text) ? value.toFixed(20).replace(/0+$/, '') : text;
}

export const sumOf = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce(
    (sum, amount) => {
      const scale = Math.max(sum.scale, amount.scale);
      return { units: unitsAt(sum, scale) + unitsAt(amount, scale), scale };
    },
    { units: 0n, scale: 0 },
  );

const unitsAt = ({ units, scale }: Decimal, wanted: number): bigint => units * 10n ** BigInt(wanted - scale);

/** Half a unit is rounded away from zero, as people do. */
export function rounded({ units, scale }: Decimal, decimals: number): Decimal {
  if (scale <= decimals) return { units, scale };
  return { units: dividedUnits(units, 10n ** BigInt(scale - decimals)), scale: decimals };
}

/** An equal part, rounded to as many decimals as the whole has, and at least to hundredths. @param count at least 1 */
export function partOf(amount: Decimal, count: number): Decimal {
  const scale = Math.max(amount.scale, 2);
  return { units: dividedUnits(unitsAt(amount, scale), BigInt(count)), scale };
}

function dividedUnits(units: bigint, by: bigint): bigint {
  const size = units < 0n ? -units : units;
  const quotient = (2n * size + by) / (2n * by);
  return units < 0n ? -quotient : quotient;
}

/** The number that is written as this amount. Undefined if there is none: numbers hold about fifteen digits. */
export function amountOf(amount: Decimal): number | undefined {
  const number = Number(digitsOf(amount));
  const written = decimalOf(number);
  return written && isSameAmount(written, amount) ? number || 0 : undefined;
}

/** The amount as a text, with all its decimals. */
export function digitsOf({ units, scale }: Decimal): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const fraction = scale > 0 ? `.${digits.slice(-scale)}` : '';
  return `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${fraction}`;
}

const isSameAmount = (a: Decimal, b: Decimal): boolean => {
  const scale = Math.max(a.scale, b.scale);
  return unitsAt(a, scale) === unitsAt(b, scale);
};

/** A field, in the words of the shop's system, with a value that could not be read and was left out. */
interface Unread {
  field: string;
}

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
