import { invalidValue } from '#platform/errors.ts';
import type { FieldNames } from '#platform/pick.ts';
import { unknownAnalytics } from '#schemas/catalogues/limits.ts';
import type { Attribution } from '#schemas/families/orders.ts';
import type { Order } from './model.ts';

type Analytics = NonNullable<Order['order_analytics']>;

/** All fields of an attribution, except those that name its order. */
const attributionFields: FieldNames<Exclude<keyof Attribution, 'id' | 'id_type'>> = {
  source: true,
  campaign: true,
  medium: true,
  landing_url: true,
  landing_path: true,
  referrer: true,
  captured_at: true,
  reference_order_id: true,
  order_external_id: true,
  order_number: true,
  order_name: true,
};

export const attributionNames = Object.keys(attributionFields) as (keyof typeof attributionFields)[];
const knownNames: readonly string[] = [
  ...attributionNames,
  'landing_site',
  'landing_site_ref',
  'note_attributes',
  // Of the order, as the shop's own system writes it: that one has nobody to correct a refused order.
  'language',
];

/** Overwrites every attribution field, with null if it is absent. The other fields stay. */
export function attributed(analytics: Analytics | undefined, attribution: Attribution): Analytics {
  return { ...analytics, ...Object.fromEntries(attributionNames.map((name) => [name, attribution[name] ?? null])) };
}

/**
 * Field by field. An attribution that the order has stays: only its own operation changes it.
 * @param isDecided what is given may change the attribution: who may was decided before
 */
export function mergedAnalytics(before: Analytics = {}, given: Analytics, isDecided = false): Analytics {
  const isKept = !isDecided && attributionNames.some((name) => before[name] != null);
  const kept: readonly string[] = isKept ? attributionNames : [];
  const changes = Object.entries(given).filter(([name]) => !kept.includes(name));
  const merged = { ...before, ...Object.fromEntries(changes) };
  checkUnknown(before, merged);
  return merged;
}

/** The shape limits what one request gives. All requests together have the same limits. */
function checkUnknown(before: Analytics, merged: Analytics): void {
  const [old, all] = [unknownOf(before), unknownOf(merged)];
  const { fields, bytes } = unknownAnalytics;
  const isOver = (measure: (entries: Entries) => number, limit: number) =>
    measure(all) > limit && measure(all) > measure(old);
  const limit = isOver(countOf, fields)
    ? `${fields} fields`
    : isOver(bytesOf, bytes)
      ? `${bytes} bytes of JSON in fields`
      : '';
  if (!limit) return;
  const msg = `must have at most ${limit} that the service does not know, also those of earlier requests`;
  throw invalidValue(['body', 'order', 'order_analytics'], msg);
}

type Entries = readonly [string, unknown][];

const unknownOf = (analytics: Analytics): Entries =>
  Object.entries(analytics).filter(([name]) => !knownNames.includes(name));
const countOf = (entries: Entries) => entries.length;
const bytesOf = (entries: Entries) => entries.reduce((sum, entry) => sum + Buffer.byteLength(JSON.stringify(entry)), 0);
