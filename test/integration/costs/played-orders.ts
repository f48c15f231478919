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
import { sortKeys } from '#schemas/catalogues/table.ts';
import { orderExamples } from '#schemas/examples/orders.ts';
import { type Api, clientOf } from '#test/e2e/kit/client.ts';
import { setProvider } from '#test/e2e/kit/tracking-providers-tour.ts';
import { type EventReceiver, startEventReceiver } from '#test/kit/event-receiver.ts';
import { fakeProviders } from '#test/kit/providers/index.ts';
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
  /** A carrier reports an event of the parcel, in a message of its own. @param daysAgo when it happened */
  report(orderNumber: string, event: ShipmentEventName, daysAgo?: number): Promise<void>;
  /** The next step of the parcel's journey. Its tracking provider reports it with all that was before, in a webhook. */
  reportNext(orderNumber: string): Promise<void>;
  /**
   * The customer looks at the page of the order, and again soon after. @param lang nobody waits here until a view is another
   * visit, but one in another language is written like it
   */
  visit(orderNumber: string, lang: string): Promise<void>;
  /** What was asked of AWS since the last call. Waits until the function for deliveries has sent these requests. */
  usageUntil(...requests: string[]): Promise<Usage[]>;
}

/** The logical ids of the functions begin so. */
export const functionIds = {
  api: 'OrdersApi',
  pages: 'CustomerPagesApi',
  'tracking-providers': 'ProvidersApi',
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

/** What happens to each parcel, in the words of its tracking provider. */
const journey = [
  ['InTransit', 'InTransit_001'],
  ['OutForDelivery', 'OutForDelivery_001'],
  ['Delivered', 'Delivered_001'],
] as const;

const inHamburg = { city: 'Hamburg', country_region: 'DEU' };

const provider = fakeProviders.aftership;
const webhookPath = '/v1/tracking-providers/aftership/webhook';

/** Where the merchant's system listens. */
export const listeningAt = '/events';

export async function openPlayedShop(service: RunningService, slug: string): Promise<PlayedShop> {
  const { stack, operator } = service;
  const key = `${operator.username}:${operator.secret}`;
  const api = clientOf(stack.url);
  const receiver = await startEventReceiver();
  const call = (...request: Parameters<Api>) => succeeded(api, key, request);
  await call('POST', '/v1/shops', { body: { name: slug, slug, settings: { carriers_enabled: true } } });
  await call('POST', `/v1/shops/${slug}/webhooks`, { body: { url: receiver.urlOf(listeningAt) } });
  // As every shop whose customers look at its pages.
  await call('PATCH', `/v1/shops/${slug}/settings/tracking-page`, { body: { show_products: true } });
  // Makes the view of the storefront, which is made once an hour, and after each change.
  const showStorefront = () => call('GET', `/lookup/${slug}`, { key: undefined });
  await showStorefront();
  // It registers no parcel that is played, so it is not called.
  expect((await setProvider(api, key, { carriers: ['ups'] })).status).toBe(200);
  const upsert = (body: object) => call('PUT', `/v1/shops/${slug}/orders`, { body });
  const seen: Usage[] = [];
  const histories = new Map<string, object[]>();
  // Carriers know a parcel by its number alone, so no other shop may have the same.
  const series = randomInt(1000, 10_000);
  let placed = 0;
  return {
    slug,
    receiver,
    switchFeedOn: async () => {
      await call('PATCH', `/v1/shops/${slug}/settings/events`, { body: { feed_enabled: true } });
      await showStorefront();
    },
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
    reportNext: async (id) => {
      const history = histories.get(id) ?? [];
      const [tag, subtag] = journey[history.length]!;
      history.push({ tag, subtag, checkpoint_time: new Date().toISOString(), ...inHamburg });
      histories.set(id, history);
      const bytes = Buffer.from(JSON.stringify(webhookOf(id, history)));
      await call('POST', webhookPath, { body: bytes, headers: provider.signed(bytes), key: undefined });
    },
    visit: async (id, lang) => {
      seen.push(...stack.usage.take());
      const { body } = await api('GET', `/v1/shops/${slug}/orders`, { key, query: { order_number: id } });
      const token = body[0].tracking_page_url.split('/').at(-1);
      stack.usage.take();
      for (let view = 0; view < 2; view++) await call('GET', `/t/${token}`, { query: { lang }, key: undefined });
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
  expect(status, text).toBeLessThan(300);
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

/** Without an estimate of the carrier: our own window is shown. */
function webhookOf(id: string, history: readonly object[]): object {
  const { msg, ...rest } = provider.webhook(trackingNumberOf(id), history) as { msg: object };
  return { ...rest, msg: { ...msg, courier_estimated_delivery_date: null, latest_estimated_delivery: null } };
}

const trackingNumberOf = (id: string) => `003404341610${id}`;

/** Writes the delivery with its first attempt, as the last thing that a successful delivery does. */
export const attempt = 'PutItem';

/** Plays the orders, one after the other. */
export async function playOrders(shop: PlayedShop, orders: number): Promise<Usage[]> {
  const usages: Usage[] = [];
  for (let i = 0; i < orders; i++) usages.push(...(await playOrder(shop)).usages);
  return usages;
}

/** Placed, fulfilled, looked at four times, and three webhooks of the tracking provider. The endpoint hears of five events. */
export async function playOrder(shop: PlayedShop): Promise<{ id: string; usages: Usage[] }> {
  const usages: Usage[] = [];
  const step = async <T>(action: Promise<T>): Promise<T> => {
    const done = await action;
    usages.push(...(await shop.usageUntil(attempt)));
    return done;
  };
  const id = await step(shop.place());
  await step(shop.fulfil(id));
  await shop.visit(id, 'en');
  for (let report = 0; report < journey.length; report++) await step(shop.reportNext(id));
  await shop.visit(id, 'de');
  usages.push(...(await shop.usageUntil()));
  return { id, usages: usages.filter((usage) => !isNoteOfMinute(usage)) };
}

/** Once a minute an execution environment notes that a provider has sent a webhook. Whether it is now is left to chance. */
const isNoteOfMinute = (usage: Usage) =>
  usagesOf('tracking-providers', [usage]).length > 0 && usage.action === 'UpdateItem';

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
  // A visit lies at the token of its page.
  const isOfShop = ({ dynamodb }: DynamoDBRecord) =>
    dynamodb!.Keys!.pk!.S!.includes(`#${slug}#`) ||
    (dynamodb!.Keys!.sk!.S === sortKeys.pageVisits && dynamodb!.NewImage?.slug?.S === slug);
  return found.filter((record) => isCounted(record) && isOfShop(record));
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
