import { validate as isUuid } from 'uuid';
import { comparableTrackingNumber } from '#platform/tracking-number.ts';
import type { SearchMatch } from '#schemas/shapes/timeline-shapes.ts';

/** What a text that somebody looks for can be, so that nothing else is read. */

const longestZipCode = 12;
const shortestTrackingNumber = 5;

/** The first of them says what an order was found by, if several find it. */
export function readingsOf(text: string): SearchMatch[] {
  if (isUuid(text)) return ['claim', 'uuid', 'order_number', 'external_id'];
  if (text.includes('@')) return ['email'];
  const hasDigit = /\p{N}/u.test(text);
  return [
    ...(claimNumberIn(text) === undefined ? [] : ['claim' as const]),
    'order_number',
    'external_id',
    'order_name',
    ...(hasDigit && comparableTrackingNumber(text).length >= shortestTrackingNumber
      ? ['tracking_number' as const]
      : []),
    ...(!hasDigit && /\p{L}/u.test(text) ? ['customer_name' as const] : []),
    ...(hasDigit && text.length <= longestZipCode ? ['zip_code' as const] : []),
  ];
}

/** The number of a claim as it is stored, if the text can be one: people also type it without its hyphen. */
export function claimNumberIn(text: string): string | undefined {
  const [, start, end] = /^([\da-f]{4})[- ]?([\da-f]{4})$/i.exec(text) ?? [];
  return start && end && `${start}-${end}`.toUpperCase();
}

/** Shops write order numbers and names with and without a number sign, and people say them without. */
export function spellingsOf(text: string): string[] {
  const bare = text.replace(/^#\s*/, '');
  return bare === '' ? [text] : [...new Set([text, bare, `#${bare}`])];
}
