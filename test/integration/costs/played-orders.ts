import { randomInt } from 'node:crypto';
import { DynamoDBStreamsClient, ListStreamsCommand } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { expect, vi } from 'vitest';
import type { Usage } from '#lib/local/aws/usage.ts';
import { sdkStreams } from '#lib/local/dynamodb/streams-api.ts';
import { createShardReader } from '#lib/local/functions/event-sources/shard-reader.ts';
import { toEventRecord } from '#lib/local/functions/event-sources/stream-record.ts';
import type { LocalStack } from '#lib/local/stack.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { isPrefix, readOf } from '#schemas/catalogues/stream-kinds.ts';
import { orderExamples } from '#schemas/examples/orders.ts';
import { type Api, clientOf } from '#test/e2e/kit/client.ts';
import { type EventReceiver, startEventReceiver } from '#test/kit/event-receiver.ts';
import { queuedMessage } from '#test/kit/queue-messages.ts';
import type { RunningService } from '#test/kit/service.ts';

/** A shop with one endpoint, whose orders go the whole way while somebody counts what functions ask of AWS. */
export interface PlayedShop extends AsyncDisposable {
  slug: string;
  receiver: EventReceiver;
  switchFeedOn(): Promise<void>;
  /** Places an order; returns its number. */
  place(): Promise<string>;
  /** Gives the order its one parcel. */
  fulfil(orderNumber: string): Promise<void>;
  /** The carrier reports an event of the parcel. @param daysAgo when it happened */
  report(orderNumber: string, event: ShipmentEventName, daysAgo?: number): Promise<void>;
  /** What was asked of AWS since the last call. Waits until the function for deliveries has sent these requests. */
  usageUntil(...requests: string[]): Promise<Usage[]>;
}

/** The logical ids of the functions begin so. */
export const functionIds = {
  api: 'OrdersApi',
  ingest: 'CarrierUpdatesIngest',
  'fan-out': 'EventsFanOut',
  delivery: 'DeliverySend',
  due: 'DueWork',
  counts: 'CountsCount',
} as const;

export type MeasuredFunction = keyof typeof functionIds;

export const measuredFunctions = Object.keys(functionIds) as MeasuredFunction[];

export const usagesOf = (name: MeasuredFunction, usages: readonly Usage[]): Usage[] =>
  usages.filter(({ functionId }) => functionId.startsWith(functionIds[name]));

export const invoke = (stack: LocalStack, name: MeasuredFunction, event: object): Promise<unknown> =>
  stack.invoke(functionIds[name], event);

/** What the carrier reports of each order. */
const journey = ['SHIPMENT_EN_ROUTE', 'IN_DELIVERY', 'SUCCESSFULLY_DELIVERED'] as const;

/** Where the merchant's system listens. */
export const listeningAt = '/events';

export async function openPlayedShop({ stack, operator }: RunningService, slug: string): Promise<PlayedShop> {
  const key = `${operator.username}:${operator.secret}`;
  const api = clientOf(stack.url);
  const receiver = await startEventReceiver();
  const call = (...request: Parameters<Api>) => succeeded(api, key, request);
  await call('POST', '/v1/shops', { body: { name: slug, slug, settings: { carriers_enabled: true } } });
  await call('POST', `/v1/shops/${slug}/webhooks`, { body: { url: receiver.urlOf(listeningAt) } });
  const upsert = (body: object) => call('PUT', `/v1/shops/${slug}/orders`, { body });
  const seen: Usage[] = [];
  // Carriers know a parcel by its number alone, so no other shop may have the same.
  const series = randomInt(1000, 10_000);
  let placed = 0;
  return {
    slug,
    receiver,
    switchFeedOn: () => call('PATCH', `/v1/shops/${slug}/settings/events`, { body: { feed_enabled: true } }),
    place: async () => {
      const id = `${series}${String(++placed).padStart(4, '0')}`;
      await upsert({ id, order: orderOf(id), trackings: [] });
      return id;
    },
    fulfil: (id) => upsert({ id, trackings: [{ tracking_number: trackingNumberOf(id), carrier_reference: 'dhl' }] }),
    report: async (id, event_name, daysAgo = 0) => {
      const location = { city: 'Hamburg', country_code: 'DE' };
      const event_time = new Date(Date.now() - daysAgo * 24 * 3600 * 1000).toISOString();
      const event = { event_name, event_time, location };
      const body = JSON.stringify({ tracking_number: trackingNumberOf(id), ...event });
      // Not through the queue, which would wait a second for more.
      const Records = [queuedMessage(event_name, body)];
      expect(await invoke(stack, 'ingest', { Records })).toEqual({ batchItemFailures: [] });
    },
    usageUntil: async (...requests) => {
      await vi.waitFor(
        () => {
          seen.push(...stack.usage.take());
          const missing = [...requests];
          for (const { action } of usagesOf('delivery', seen)) {
            if (missing.includes(action)) missing.splice(missing.indexOf(action), 1);
          }
          expect(missing).toEqual([]);
        },
        { timeout: 20_000, interval: 5 },
      );
      return seen.splice(0);
    },
    [Symbol.asyncDispose]: receiver.stop,
  };
}

async function succeeded(api: Api, key: string, [method, path, call]: Parameters<Api>): Promise<void> {
  const { status, text } = await api(method, path, { key, ...call });
  expect(status, text).toBe(200);
}

const { order } = orderExamples.upsertOrder.body;

/** The order of the examples, with ids of its own and one parcel. */
const orderOf = (id: string) => ({
  ...order,
  external_id: `51209${id}`,
  order_name: `#${id}`,
  order_placed_at: new Date().toISOString(),
  expected_number_of_shipments: 1,
});

const trackingNumberOf = (id: string) => `003404341610${id}`;

/** Writes the delivery with its first attempt, as the last thing that a successful delivery does. */
export const attempt = 'PutItem';

/** Plays the orders, one after the other. */
export async function playOrders(shop: PlayedShop, orders: number): Promise<Usage[]> {
  const usages: Usage[] = [];
  for (let i = 0; i < orders; i++) usages.push(...(await playOrder(shop)).usages);
  return usages;
}

/** Placed, fulfilled, and three events of the carrier. The endpoint hears of all five. */
export async function playOrder(shop: PlayedShop): Promise<{ id: string; usages: Usage[] }> {
  const usages: Usage[] = [];
  const step = async <T>(action: Promise<T>): Promise<T> => {
    const done = await action;
    usages.push(...(await shop.usageUntil(attempt)));
    return done;
  };
  const id = await step(shop.place());
  await step(shop.fulfil(id));
  for (const event of journey) await step(shop.report(id, event));
  return { id, usages };
}

/** The records of a shop that the counts function gets, oldest first. */
export async function recordsToCount({ clientConfig }: LocalStack, slug: string): Promise<DynamoDBRecord[]> {
  const client = new DynamoDBStreamsClient(clientConfig);
  const { Streams = [] } = await client.send(new ListStreamsCommand({}));
  const arn = Streams[0]!.StreamArn!;
  const reader = createShardReader(sdkStreams(client), arn, {});
  const found: DynamoDBRecord[] = [];
  for (let page = await reader.read(1000); page.records.length > 0; page = await reader.read(1000)) {
    found.push(...page.records.map((record) => toEventRecord(record, arn) as DynamoDBRecord));
  }
  client.destroy();
  return found.filter((record) => isCounted(record) && record.dynamodb!.Keys!.pk!.S!.includes(`#${slug}#`));
}

function isCounted({ eventName, dynamodb }: DynamoDBRecord): boolean {
  const sk = dynamodb!.Keys!.sk!.S!;
  return readOf('counts').changes.some(
    ({ changes, sortKeys, having }) =>
      (changes as readonly string[]).includes(eventName!) &&
      (having === undefined || dynamodb!.NewImage?.[having] !== undefined) &&
      sortKeys.some((key) => (isPrefix(key) ? sk.startsWith(key) : sk === key)),
  );
}

/** What the counts function asks of AWS for a batch of these records, which it gets only here. */
export async function countBatch(stack: LocalStack, records: readonly DynamoDBRecord[]): Promise<Usage[]> {
  stack.usage.take();
  expect(await invoke(stack, 'counts', { Records: records })).toEqual({ batchItemFailures: [] });
  return usagesOf('counts', stack.usage.take());
}
