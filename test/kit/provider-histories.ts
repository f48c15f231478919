import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { expect } from 'vitest';
import { handler as webhooks } from '#api/tracking-providers/handler.ts';
import { type StoredItem, toShipment } from '#domain/orders/order-items.ts';
import { handler as ingest } from '#pipeline/ingest/handler.ts';
import { chunks } from '#platform/batches.ts';
import { orderPartition, shipmentPrefix } from '#platform/table/keys.ts';
import { trackingProviders } from '#schemas/catalogues/tracking-providers.ts';
import { invoke } from './invoke.ts';
import { memoryTable } from './memory-table.ts';
import { outgoingOf } from './order-writes.ts';
import { parcelItems, shopItems } from './parcels.ts';
import { fakeProviders } from './providers/index.ts';
import { batchOf, context } from './queue-messages.ts';
import { tableWith } from './table.ts';
import { provider } from './tracking-providers.ts';

/** The way of a history from a provider's signed webhook through the queue to the parcel, in this process. */

process.env.CREDENTIALS_KEY_ID = 'credentials';
process.env.CARRIER_UPDATES_QUEUE_URL = 'https://carrier-updates';

const kms = mockClient(KMSClient);
const sqs = mockClient(SQSClient);
const number = '00340434161094042557';

export let queue: string[] = [];
kms.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: CiphertextBlob }));
sqs.on(SendMessageBatchCommand).callsFake(({ Entries }) => {
  queue.push(...Entries.map(({ MessageBody }: { MessageBody: string }) => MessageBody));
  return {};
});

export function newParcel(): void {
  queue = [];
  const set = trackingProviders.map((name) =>
    provider(name, { webhook_secret: Buffer.from(fakeProviders[name].webhookSecret) }),
  );
  tableWith(...shopItems('blue', true), ...parcelItems('blue', number), ...set);
}

export const histories = trackingProviders.flatMap((name) =>
  fakeProviders[name].histories.map((history) => ({ name, title: history.title, history, fake: fakeProviders[name] })),
);
type Case = (typeof histories)[number];

export async function post({ name, fake }: Case, checkpoints: readonly unknown[], secret?: string): Promise<number> {
  const bytes = Buffer.from(JSON.stringify(fake.webhook(number, checkpoints)));
  const { status } = await invoke(webhooks, {
    method: 'POST',
    resource: '/v1/tracking-providers/{provider}/webhook',
    params: { provider: name },
    rawBody: bytes.toString('utf8'),
    headers: fake.signed(bytes, secret),
  });
  return status;
}

/** Records what waits in the queue, this many messages at a time. */
export async function record(atOnce = 10): Promise<void> {
  const { Records } = batchOf(queue.splice(0));
  for (const part of chunks(Records, atOnce)) {
    expect(await ingest({ Records: part }, context)).toEqual({ batchItemFailures: [] });
  }
}

export function parcel() {
  const item = memoryTable.all(orderPartition('blue', '')).find(({ sk }) => sk.startsWith(shipmentPrefix));
  const { events, expected_delivery } = toShipment(item as StoredItem);
  const { updated_at: _when, ...estimate } = expected_delivery ?? {};
  return { events, estimate };
}

export const sentEvents = () => outgoingOf('blue').length;
export const timeline = () =>
  parcel().events.flatMap(({ event_name, time }) => (event_name === 'ORDER_PROCESSED' ? [] : [[time, event_name]]));
