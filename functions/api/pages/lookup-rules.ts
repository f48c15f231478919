import { createHash, timingSafeEqual } from 'node:crypto';
import type { Order } from '#domain/orders/model.ts';
import { normalizeEmail, normalizeZipCode } from '#platform/table/keys.ts';
import type { FormFields } from '#schemas/families/operation.ts';
import { textOf } from './form-fields.ts';

export interface LookupForm {
  order_number: string;
  email_or_postcode: string;
}

export const readLookup = (fields: FormFields): LookupForm => ({
  order_number: textOf(fields, 'order_number').trim(),
  email_or_postcode: textOf(fields, 'email_or_postcode').trim(),
});

export const isComplete = ({ order_number, email_or_postcode }: LookupForm): boolean =>
  bareNumber(order_number) !== '' && email_or_postcode !== '';

/** One character more than the number of an order can have. So a longer text finds nothing, and fits into a key. */
const maxCharacters = 256;

const bareNumber = (typed: string) => [...typed.replace(/^#\s*/, '')].slice(0, maxCharacters).join('');

/**
 * The numbers that a customer may mean, the more likely one first: shops print numbers with a `#`, and store them with or
 * without it. There are always two, so that every try reads the same.
 */
export function numbersOf(typed: string): [string, string] {
  const bare = bareNumber(typed);
  return typed.startsWith('#') ? [`#${bare}`, bare] : [bare, `#${bare}`];
}

/** Compares all that there is, however early it is clear, so that the time says nothing about the order. */
export function isCustomerOf(order: Pick<Order, 'email_id' | 'address'> | undefined, emailOrPostcode: string): boolean {
  const hasEmail = isSame(order?.email_id ?? '', emailOrPostcode, normalizeEmail);
  const hasPostcode = isSame(order?.address?.zip_code ?? '', emailOrPostcode, normalizeZipCode);
  return hasEmail || hasPostcode;
}

function isSame(stored: string, typed: string, normalize: (text: string) => string): boolean {
  const [a, b] = [stored, typed].map((text) => createHash('sha256').update(normalize(text)).digest());
  return timingSafeEqual(a!, b!) && normalize(typed) !== '';
}

/** Long enough for the reads of almost every try. What takes longer is held until the next step of the same length. */
const stepMs = 250;

/** When to answer a try that found nothing: at a time that does not depend on what was read for it. */
export const answerAt = (startedAt: number, now: number): number =>
  startedAt + Math.max(1, Math.ceil((now - startedAt) / stepMs)) * stepMs;
