import { gzipSync } from 'node:zlib';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { deliveryItem, newDelivery } from '#domain/deliveries/delivery-items.ts';
import { payloadItem } from '#domain/deliveries/delivery-messages.ts';
import type { Attempt, Delivery } from '#domain/deliveries/delivery-rules.ts';
import { chunks, mapConcurrently } from '#platform/batches.ts';
import type { SharedService } from './shared-stack.ts';

interface LogOptions {
  slug: string;
  target: string;
  count: number;
  kind?: Delivery['kind'];
  fields?: Partial<Delivery>;
  /** Only the deliveries that are opened or sent again need one. */
  payload?: object;
}

/** Writes deliveries of the last days as if they had been sent. Returns them, oldest first. */
export async function storeLog(service: SharedService, options: LogOptions): Promise<Delivery[]> {
  const { slug, target, count, kind = 'webhook', fields = {}, payload } = options;
  const now = Date.now();
  const deliveries = Array.from({ length: count }, (_, n) => {
    const at = new Date(now - (count - n) * 60_000);
    const source = {
      event_id: `event-${n}`,
      subject_id: `parcel-${n}`,
      ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED',
      event_group: 'shipment_delivered',
      triggered_at: at.toISOString(),
      shop_slug: slug,
    };
    return { ...newDelivery(source, { id: target, kind }, at), ...fields };
  });
  const body = payload && gzipSync(JSON.stringify(payload));
  const items = deliveries.flatMap((delivery) => [
    deliveryItem(delivery),
    ...(body ? [payloadItem(delivery, { body })] : []),
  ]);
  const write = (some: readonly object[]) =>
    service.table.send(
      new BatchWriteCommand({
        RequestItems: { [service.tableName]: some.map((Item) => ({ PutRequest: { Item: { ...Item } } })) },
      }),
    );
  await mapConcurrently(chunks(items, 25), write, 4);
  return deliveries;
}

export const failedAttempt = (more: Partial<Attempt> = {}): Attempt => ({
  at: new Date().toISOString(),
  duration_ms: 31,
  status: 500,
  error: 'http_500',
  response: 'Internal Server Error',
  ...more,
});
