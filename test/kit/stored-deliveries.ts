import { gzipSync } from 'node:zlib';
import { deliveryItem, newDelivery, toDelivery } from '#domain/deliveries/delivery-items.ts';
import { payloadItem } from '#domain/deliveries/delivery-messages.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { keyOf } from '#platform/table/keys.ts';
import { memoryTable } from './memory-table.ts';
import { tableWith } from './table.ts';

export const body = '{"ref":"shipments/in_transit/OUT_FOR_DELIVERY","name":"Zoë"}';

/** The n-th delivery to a target, as fan-out makes it. */
export function aDelivery(n: number, target = 'endpoint-1', more: Partial<Delivery> = {}): Delivery {
  const source = {
    event_id: `event-${n}`,
    subject_id: `shipment-${n}`,
    ref: 'shipments/in_transit/OUT_FOR_DELIVERY',
    event_group: 'out_for_delivery',
    triggered_at: '2026-11-14T12:00:00.000Z',
    shop_slug: 'blue',
  };
  return { ...newDelivery(source, { id: target, kind: 'webhook' }, new Date('2026-11-14T12:00:00Z')), ...more };
}

/** Fills the table with these deliveries and their payloads only. */
export function tableWithDeliveries(...deliveries: Delivery[]): void {
  tableWith(...deliveries.flatMap((one) => [deliveryItem(one), payloadItem(one, { body: gzipSync(body) })]));
}

/** Fills the table as fan-out leaves it: with what these deliveries send, and without the deliveries. */
export function tableWithPayloads(...deliveries: Delivery[]): void {
  tableWith(...deliveries.map((one) => payloadItem(one, { body: gzipSync(body) })));
}

export const storedItem = ({ shop_slug, target, id }: Delivery) =>
  memoryTable.read(keyOf.delivery(shop_slug, target, id));

/** A delivery as it is stored now. */
export const stored = (delivery: Delivery): Delivery => toDelivery(storedItem(delivery)!);

/** Changes a delivery as another worker would. */
export const store = (delivery: Delivery): void => memoryTable.put(deliveryItem(delivery));

export const conditionLost = () =>
  Object.assign(new Error('lost'), { name: 'ConditionalCheckFailedException', $metadata: {} });
