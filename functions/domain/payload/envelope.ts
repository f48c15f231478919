import type { OutboxFields } from '#domain/outbox/outbox.ts';

/** What is posted for an event of any source: to webhook endpoints and to integrations alike. */
export function envelope<D extends object, C extends object, S extends string>(
  { source, ref, triggered_at, event_group }: OutboxFields & { source: S },
  event_data: D,
  context: C,
  shop: { slug: string; uuid: string },
) {
  return {
    source,
    ref,
    version: 1 as const,
    triggered_at,
    event_group,
    event_data,
    context,
    shop_slug: shop.slug,
    shop_id: shop.uuid,
  };
}
