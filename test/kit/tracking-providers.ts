import { newOrderId } from '#domain/orders/model.ts';
import { orderItem, shipmentItem, trackingItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { fulfilled, newShipment, reported } from '#domain/orders/shipment-rules.ts';
import type { Checkpoint, ProviderReport, TrackingProvider } from '#domain/tracking-providers/provider.ts';
import type { ProviderItem } from '#domain/tracking-providers/provider-store.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import type { TrackingProviderName } from '#schemas/catalogues/tracking-providers.ts';
import type { TrackingSubmission } from '#schemas/shapes/order-shapes.ts';
import { signatureOf } from './shop-payloads.ts';

/** A provider as the table stores it. */
export const provider = (name: TrackingProviderName, fields: Partial<ProviderItem> = {}) => ({
  ...keyOf.trackingProvider(name),
  provider: name,
  api_key: Buffer.from('sealed key'),
  webhook_secret: Buffer.from('sealed secret'),
  masked: { api_key: '****key', webhook_secret: '****cret' },
  base_url: null,
  priority: 100,
  carriers: [],
  updated_at: '2026-11-01T00:00:00.000Z',
  ...fields,
});

/** A provider of the tests: the simplest that the interface allows. */
export const simpleProvider: TrackingProvider = {
  baseUrl: 'https://provider.example.com/v1',
  registration: (parcel, { api_key }) => ({
    method: 'POST',
    path: '/parcels',
    headers: { 'content-type': 'application/json', 'x-key': api_key },
    body: JSON.stringify(parcel),
  }),
  outcomeOf: ({ status, headers }) => {
    if (status < 300 || status === 409) return { status: 'submitted' };
    if (status !== 429 && status < 500) return { status: 'refused', reason: `The provider refused it (${status}).` };
    const after = headers['retry-after'];
    return { status: 'again', reason: 'The provider is busy.', ...(after && { afterSeconds: Number(after) }) };
  },
  isGenuine: ({ headers, rawBody }, secret) => headers['x-signature'] === signatureOf(secret, rawBody),
  reportsIn: (body) => (body as { parcels?: ProviderReport[] }).parcels ?? [],
  codes: {
    picked_up: { event: 'PICKUP_SUCCESSFUL' },
    sorted: { event: 'ARRIVED_AT_SORTING_CENTER' },
    on_van: { event: 'OUT_FOR_DELIVERY' },
    delivered: { event: 'SUCCESSFULLY_DELIVERED' },
    advertisement: { none: 'It says nothing about the parcel.' },
  },
};

/** What a webhook of the simple provider says of one parcel. */
export const report = (
  tracking_number: string,
  ...checkpoints: [code: string, time: string, more?: Partial<Checkpoint>][]
): ProviderReport => ({
  tracking_number,
  carrier: null,
  carrier_reference: null,
  checkpoints: checkpoints.map(([code, time, more]) => ({ codes: [code], text: `Text of ${code}`, time, ...more })),
});

interface UnderWay {
  placedAt?: string;
  /** What happened last. */
  event?: ShipmentEventName;
  submission?: TrackingSubmission;
}

/** Orders with one parcel each, as the table stores them. */
export function parcelsUnderWay(
  slug: string,
  numbers: readonly string[],
  now: Date,
  { placedAt: placed_at = now.toISOString(), event, submission }: UnderWay = {},
): object[] {
  const at = now.toISOString();
  return numbers.flatMap((tracking_number) => {
    const placed = newOrder(newOrderId(now), { order_number: tracking_number }, now);
    const order = { ...placed, drafts: [], shipments: [1] };
    const carrier = { tracking_number, carrier_reference: 'dhl', tracking_url: null };
    const fresh = fulfilled(newShipment(order, 1, 'merchant_customer', at), { ...carrier, placed_at }, at);
    const parcel = event ? reported(fresh, { event: { event_name: event, time: at } }, at).shipment : fresh;
    return [
      orderItem(slug, order, 1),
      shipmentItem(slug, { ...parcel, ...(submission && { tracking_submission: submission }) }, 1),
      trackingItem(slug, tracking_number, parcel),
    ];
  });
}
