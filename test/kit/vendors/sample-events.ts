import { testEvent } from '#domain/deliveries/test-event.ts';
import { viewerOf } from '#domain/orders/presentation.ts';
import type { VendorDelivery } from '#domain/vendors/dialect.ts';
import type { EventPayload } from '#domain/vendors/event-facts.ts';

const at = new Date('2026-11-14T12:00:00.000Z');
const shop = { slug: 'blue', uuid: '0196a2f0-0000-7000-8000-000000000001' };
const { body } = testEvent(
  await viewerOf({ shop, language: 'en', serviceUrl: 'https://service.example.com', now: at }),
  at,
);

export interface Sample {
  event?: Record<string, unknown>;
  customer?: Partial<EventPayload['context']['customer']>;
  ref?: string;
  source?: string;
  group?: string | null;
  is_return?: boolean;
}

/** A payload as fan-out makes it, for a parcel on its way, with what a test changes. */
export function samplePayload({ event = {}, customer = {}, ref, source, group, is_return }: Sample = {}): EventPayload {
  const payload = JSON.parse(body) as EventPayload;
  const shipments = payload.context.shipments.map((one) => ({ ...one, ...(is_return !== undefined && { is_return }) }));
  return {
    ...payload,
    ...(ref && { ref }),
    ...(source && { source }),
    ...(group !== undefined && { event_group: group }),
    event_data: { ...payload.event_data, external_order_id: '4711', ...event },
    context: {
      ...payload.context,
      shipments,
      customer: { ...payload.context.customer, external_id: 'c-1', ...customer },
    },
  };
}

export const sampleDelivery = (id: string, sample: Sample = {}): VendorDelivery => ({
  id,
  payload: samplePayload(sample),
});
