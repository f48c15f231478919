import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { newDelivery } from '#domain/deliveries/delivery-items.ts';
import { firstMessageOf, payloadItem } from '#domain/deliveries/delivery-messages.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { chunks } from '#platform/batches.ts';
import type { RunningService } from '#test/kit/service.ts';

/** As large as the event of an order with a few parcels. */
export const body = JSON.stringify({ source: 'shipments', event_data: 'x'.repeat(4000) });

export const compressed = gzipSync(body);

export function newDeliveries(slug: string, target: string, count: number): Delivery[] {
  const now = new Date();
  return Array.from({ length: count }, () => {
    const source = {
      event_id: randomUUID(),
      subject_id: randomUUID(),
      ref: 'shipments/in_transit/SHIPMENT_EN_ROUTE',
      event_group: null,
      triggered_at: now.toISOString(),
      shop_slug: slug,
    };
    return newDelivery(source, { id: target, kind: 'webhook' }, now);
  });
}

/** Deliveries as fan-out leaves them: the table has what they send. */
export async function makeDeliveries(
  { table, tableName }: RunningService,
  slug: string,
  target: string,
  count: number,
): Promise<Delivery[]> {
  const deliveries = newDeliveries(slug, target, count);
  const items = deliveries.map((delivery) => payloadItem(delivery, { body: compressed }));
  for (const part of chunks(items, 25)) {
    const puts = part.map((Item) => ({ PutRequest: { Item } }));
    await table.send(new BatchWriteCommand({ RequestItems: { [tableName]: puts } }));
  }
  return deliveries;
}

/** Resolves when all are on the queue. With a delay none is delivered before that. */
export async function send(
  { stack }: RunningService,
  deliveries: readonly Delivery[],
  DelaySeconds = 0,
): Promise<void> {
  const sqs = new SQSClient(stack.clientConfig);
  for (const part of chunks(chunks(deliveries, 10), 10)) await Promise.all(part.map((batch) => sendBatch(batch)));
  sqs.destroy();

  function sendBatch(batch: readonly Delivery[]) {
    const Entries = batch.map((delivery, i) => ({
      Id: String(i),
      MessageBody: JSON.stringify(firstMessageOf(delivery)),
      DelaySeconds,
      MessageGroupId: `${delivery.shop_slug}#${delivery.target}`,
    }));
    return sqs.send(new SendMessageBatchCommand({ QueueUrl: stack.outputs.DeliveryQueueUrl!, Entries }));
  }
}
