import { amountOf, type Decimal, rounded } from '#domain/shop-systems/decimal.ts';
import { isAbsent, type ValueReader } from '#domain/shop-systems/fields.ts';
import { type Fields, fieldsOf } from '#platform/foreign-json.ts';

/** A part of an order, such as a delivery. A hook has null for those that it did not load. */
export interface Part {
  fields: Fields;
  /** Where it lies in the order, in the system's words: `deliveries.0`. Empty for the order itself. */
  at: string;
}

export const partOf = (value: unknown, at: string): Part => ({ fields: fieldsOf(value), at });

/** Undefined if the list was not loaded. PHP writes a list with gaps as an object. */
export function listIn(read: ValueReader, { fields, at }: Part, name: string): unknown[] | undefined {
  const list = fields[name];
  if (typeof list === 'object' && list !== null) return Object.values(list);
  return isAbsent(list) ? undefined : read.note(inside(at, name));
}

export const partsOf = (read: ValueReader, part: Part, name: string): Part[] | undefined =>
  listIn(read, part, name)?.map((value, i) => partOf(value, `${inside(part.at, name)}.${i}`));

export const inside = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

/** A name in the language of the API. The untranslated one may be null. */
export function nameOf(read: ValueReader, { fields, at }: Part, bound: number): string | undefined {
  const { name } = fieldsOf(fields.translated);
  return read.text(isAbsent(name) ? fields.name : name, inside(at, 'name'), bound);
}

/** `technicalName` of the state that a part is in. */
export const stateOf = (read: ValueReader, { fields, at }: Part): string | undefined =>
  read.text(fieldsOf(fields.stateMachineState).technicalName, inside(at, 'stateMachineState.technicalName'), 100);

/** Amounts are floats of PHP: what lies beyond so many decimals comes from its arithmetic. */
const decimalsKept = 6;

export function decimalIn(read: ValueReader, { fields, at }: Part, name: string): Decimal | undefined {
  const amount = read.decimal(fields[name], inside(at, name));
  return amount && rounded(amount, decimalsKept);
}

/** In the currency of the order. */
export function moneyIn(read: ValueReader, part: Part, name: string): number | undefined {
  const amount = decimalIn(read, part, name);
  return amount && (amountOf(amount) ?? read.note(inside(part.at, name)));
}

export const timeIn = (read: ValueReader, { fields, at }: Part, name: string): string | undefined =>
  read.time(fields[name], inside(at, name));

/** The time of its last change. What was never changed has none, and then that of its creation counts. */
export function changeOf(read: ValueReader, part: Part): string | undefined {
  const times = ['updatedAt', 'createdAt'].flatMap((name) => timeIn(read, part, name) ?? []);
  return times.sort().at(-1);
}
