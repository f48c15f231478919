import type { Order } from '#domain/orders/model.ts';
import type { Attribution } from '#schemas/families/orders.ts';

type Analytics = NonNullable<Order['order_analytics']>;

const fields = [
  'source',
  'campaign',
  'medium',
  'landing_url',
  'landing_path',
  'referrer',
  'captured_at',
  'reference_order_id',
  'order_external_id',
  'order_number',
  'order_name',
] as const satisfies readonly (keyof Attribution)[];

/** Every attribution field is overwritten, with null where it is absent; the other fields stay. */
export function attributed(analytics: Analytics | undefined, attribution: Attribution): Analytics {
  return { ...analytics, ...Object.fromEntries(fields.map((field) => [field, attribution[field] ?? null])) };
}
