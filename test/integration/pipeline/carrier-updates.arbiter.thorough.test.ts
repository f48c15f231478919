import { randomUUID } from 'node:crypto';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { enclosedEvents } from '#domain/orders/enclosed-events.ts';
import { type StoredItem, toOrder, toShipment } from '#domain/orders/order-items.ts';
import { orderPartition, orderSortKey, outboxOf, shipmentPrefix } from '#platform/table/keys.ts';
import type { CarrierUpdate, TrackingRequest } from '#schemas/shapes/carrier-updates.ts';
import { type Api, clientOf } from '#test/e2e/kit/client.ts';
import { postWebhook, setProvider, strangeCheckpoint } from '#test/e2e/kit/tracking-providers-tour.ts';
import { type RunningProvider, startFakeProvider } from '#test/kit/providers/fake-provider.ts';
import { fakeProviders } from '#test/kit/providers/index.ts';
import { thirtyCheckpoints } from '#test/kit/providers/thirty-checkpoints.ts';
import { batchOf } from '#test/kit/queue-messages.ts';
import { type RunningService, startService } from '#test/kit/service.ts';

let service: RunningService;
let sqs: SQSClient;
let api: Api;
let key: string;
let provider: RunningProvider;

beforeAll(async () => {
  provider = await startFakeProvider(fakeProviders.aftership);
  // A message that fails comes again after a second.
  service = await startService({ environment: { ALLOW_LOCAL_TARGETS: 'true', RETRY_BASE_SECONDS: '1' } });
  sqs = new SQSClient(service.stack.clientConfig);
  api = clientOf(service.stack.url);
  key = `${service.operator.username}:${service.operator.secret}`;
});
afterAll(async () => {
  sqs?.destroy();
  await service?.stop();
  await provider?.stop();
});

const within = { timeout: 25_000, interval: 100 };
const unique = (prefix: string) => `${prefix}-${randomUUID()}`;
const queues = () => ({
  updates: service.stack.outputs.CarrierUpdatesQueueUrl!,
  failures: service.stack.outputs.CarrierUpdatesFailuresQueueUrl!,
  requests: service.stack.outputs.TrackingRequestsQueueUrl!,
});

async function newShop({ takesUpdates }: { takesUpdates: boolean }): Promise<string> {
  const slug = unique('shop');
  const body = { name: slug, slug, settings: { carriers_enabled: takesUpdates } };
  expect((await api('POST', '/v1/shops', { key, body })).status).toBe(200);
  return slug;
}

async function switchUpdates(slug: string, shipment_updates: boolean): Promise<string> {
  const path = `/v1/shops/${slug}/settings/carriers`;
  expect((await api('PATCH', path, { key, body: { shipment_updates } })).body).toEqual({ shipment_updates });
  return slug;
}

async function fulfil(slug: string, ...numbers: string[]): Promise<string> {
  const orderNumber = unique('order');
  const trackings = numbers.map((tracking_number) => ({ tracking_number, tracking_placed_at: '2026-11-01T08:00:00Z' }));
  const body = { id: orderNumber, order: {}, trackings };
  expect((await api('PUT', `/v1/shops/${slug}/orders`, { key, body })).status).toBe(200);
  return orderNumber;
}

/** A parcel of the one carrier that the provider of these tests takes. */
async function fulfilWithProvider(slug: string, ...numbers: string[]): Promise<string> {
  const order = unique('order');
  const trackings = numbers.map((tracking_number) => ({ tracking_number, carrier_reference: 'ups' }));
  const body = { id: order, order: {}, trackings };
  expect((await api('PUT', `/v1/shops/${slug}/orders`, { key, body })).status).toBe(200);
  return order;
}

async function parcelsOf(slug: string, orderNumber: string) {
  const query = { order_number: orderNumber };
  const { body } = await api('GET', `/v1/shops/${slug}/orders`, { key, query });
  return body[0].trackings as {
    order_id: string;
    phase: string;
    flag: string;
    carrier: { tracking_number: string };
    events: { event_name: string; time: string; location: { city?: string } | null }[];
    estimated_arrival: { from: string; to: string; time_prediction: string; language: string } | null;
    pickup: { name: string } | null;
    tracking_submission: { provider: string; status: string; reason: string | null; at: string } | null;
  }[];
}

const update = (number: string, event_name: CarrierUpdate['event_name'], time: string, more: object = {}) => ({
  tracking_number: number,
  event_name,
  event_time: time,
  ...more,
});

async function send(...bodies: (object | string)[]): Promise<void> {
  const Entries = bodies.map((body, i) => ({
    Id: String(i),
    MessageBody: typeof body === 'string' ? body : JSON.stringify(body),
  }));
  for (let from = 0; from < Entries.length; from += 10) {
    const part = Entries.slice(from, from + 10);
    const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl: queues().updates, Entries: part }));
    expect(Failed).toEqual([]);
  }
}

/** Waits until every message is recorded, ignored or given up. */
const done = () =>
  vi.waitFor(async () => {
    const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
    const command = new GetQueueAttributesCommand({ QueueUrl: queues().updates, AttributeNames: [...AttributeNames] });
    const { Attributes = {} } = await sqs.send(command);
    expect(AttributeNames.map((name) => Attributes[name])).toEqual(['0', '0']);
  }, within);

/** Receives messages until one is found. */
const take = (QueueUrl: string, isMeant: (body: string) => boolean) =>
  vi.waitFor(async () => {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    for (const { ReceiptHandle } of Messages) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    const bodies = Messages.map(({ Body }) => Body!);
    taken.push(...bodies);
    const found = taken.find(isMeant);
    expect(found).toBeDefined();
    return found!;
  }, within);
const taken: string[] = [];

async function itemsOf(pk: string) {
  const { Items = [] } = await service.table.send(
    new QueryCommand({
      TableName: service.tableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
    }),
  );
  return Items;
}

/** The refs of the outgoing events of an order. */
async function sentOf(slug: string, orderId: string): Promise<string[]> {
  const stored = (await itemsOf(orderPartition(slug, orderId))) as StoredItem[];
  const order = toOrder(stored.find(({ sk }) => sk === orderSortKey)!);
  const shipments = stored.filter(({ sk }) => sk.startsWith(shipmentPrefix)).map((item) => toShipment(item));
  const enclosed = enclosedEvents(slug, { order, shipments }).map(({ ref }) => ref);
  const others = await itemsOf(outboxOf(slug, orderId));
  return [...enclosed, ...others.flatMap(({ ref }) => (ref ? [ref as string] : []))];
}

const journey = (number: string) => [
  update(number, 'PICKUP_SUCCESSFUL', '2026-11-02T08:00:00Z'),
  update(number, 'ARRIVED_AT_SORTING_CENTER', '2026-11-03T08:00:00Z'),
  update(number, 'DELAY_IN_TRANSPORT', '2026-11-04T08:00:00Z'),
  update(number, 'OUT_FOR_DELIVERY', '2026-11-05T08:00:00+01:00'),
  update(number, 'SUCCESSFULLY_DELIVERED', '2026-11-05T12:00:00Z'),
];
const names = (updates: { event_name: string }[]) => updates.map(({ event_name }) => event_name);

describe('a carrier update', () => {
  test('becomes an event of the shipment with all its details, and one outgoing event', async () => {
    const slug = await newShop({ takesUpdates: true });
    const number = unique('N');
    const order = await fulfil(slug, number);
    await send(
      update(number, 'OUT_FOR_DELIVERY', '2026-11-05T08:00:00+01:00', {
        carrier_reference: 'dhl',
        timezone: 'Europe/Berlin',
        location: { city: 'Bonn' },
        expected_delivery: { start: '2026-11-05T10:00:00Z', end: '2026-11-05T14:00:00Z' },
        pickup: { name: 'Kiosk' },
        unknown_field: 'is dropped',
      }),
    );
    await done();
    const [parcel] = await parcelsOf(slug, order);
    expect(parcel).toMatchObject({ phase: 'in_delivery', flag: 'normal', pickup: { name: 'Kiosk' } });
    expect(parcel!.events.at(-1)).toMatchObject({ time: '2026-11-05T07:00:00.000Z', location: { city: 'Bonn' } });
    expect(parcel!.estimated_arrival).toMatchObject({
      from: '2026-11-05T10:00:00Z',
      to: '2026-11-05T14:00:00Z',
      time_prediction: expect.stringContaining('5 November 2026'),
      language: 'en',
    });
    expect(JSON.stringify(parcel)).not.toContain('is dropped');
    const refs = await sentOf(slug, parcel!.order_id);
    expect(refs.filter((ref) => ref.endsWith('/OUT_FOR_DELIVERY'))).toEqual(['shipments/in_delivery/OUT_FOR_DELIVERY']);
  });

  test('has the same effect in any order and however often it is repeated', async () => {
    const slug = await newShop({ takesUpdates: true });
    const number = unique('N');
    const order = await fulfil(slug, number);
    const updates = journey(number);
    await send(...updates.toReversed(), ...updates, updates[2]!);
    await done();
    await send(updates[1]!, updates[4]!);
    await done();
    const [parcel] = await parcelsOf(slug, order);
    expect(names(parcel!.events)).toEqual(['ORDER_PROCESSED', ...names(updates)]);
    expect(parcel).toMatchObject({ phase: 'delivered', flag: 'normal' });
    const sent = (await sentOf(slug, parcel!.order_id)).map((ref) => ref.split('/').at(-1)!);
    expect(sent.sort()).toEqual(['ORDER_PROCESSED', ...names(updates)].sort());
  });

  test('that arrives late is sorted by its time and does not move the phase back', async () => {
    const slug = await newShop({ takesUpdates: true });
    const number = unique('N');
    const order = await fulfil(slug, number);
    await send(update(number, 'SUCCESSFULLY_DELIVERED', '2026-11-05T12:00:00Z'));
    await done();
    await send(update(number, 'PICKUP_SUCCESSFUL', '2026-11-02T08:00:00Z'));
    await done();
    const [parcel] = await parcelsOf(slug, order);
    expect(parcel!.phase).toBe('delivered');
    expect(names(parcel!.events)).toEqual(['ORDER_PROCESSED', 'PICKUP_SUCCESSFUL', 'SUCCESSFULLY_DELIVERED']);
  });

  test('reaches the parcels of all shops with that number and updates switched on, and no other', async () => {
    const [here, there, silent] = [
      await newShop({ takesUpdates: true }),
      await switchUpdates(await newShop({ takesUpdates: false }), true),
      await switchUpdates(await newShop({ takesUpdates: true }), false),
    ];
    const number = unique('N');
    const orders = [await fulfil(here, number), await fulfil(there, number), await fulfil(silent, number)] as const;
    await send(update(number, 'OUT_FOR_DELIVERY', '2026-11-05T08:00:00Z'));
    await done();
    expect((await parcelsOf(here, orders[0]))[0]!.phase).toBe('in_delivery');
    expect((await parcelsOf(there, orders[1]))[0]!.phase).toBe('in_delivery');
    expect((await parcelsOf(silent, orders[2]))[0]!.phase).toBe('order_processed');
  });

  test('reaches all orders in a parcel once, however often it is repeated', async () => {
    const slug = await newShop({ takesUpdates: true });
    const number = unique('N');
    const orders = Array.from({ length: 20 }, () => unique('order'));
    const body = orders.map((id) => ({ id, order: {}, trackings: [{ tracking_number: number }] }));
    expect((await api('PUT', `/v1/shops/${slug}/orders/bulk`, { key, body })).status).toBe(200);
    const updates = [update(number, 'OUT_FOR_DELIVERY', '2030-11-05T08:00:00Z')];
    await send(...updates, ...updates);
    await done();
    await send(...updates);
    await done();
    for (const order of orders) {
      const [parcel] = await parcelsOf(slug, order);
      expect(names(parcel!.events)).toEqual(['ORDER_PROCESSED', 'OUT_FOR_DELIVERY']);
    }
    const [last] = await parcelsOf(slug, orders.at(-1)!);
    const refs = (await sentOf(slug, last!.order_id)).toSorted();
    expect(refs).toEqual(['shipments/in_delivery/OUT_FOR_DELIVERY', 'shipments/order_processed/ORDER_PROCESSED']);
  });

  test('that arrives before its shop reports the number is recorded once the number is known', async () => {
    const slug = await newShop({ takesUpdates: true });
    const number = unique('N');
    await send(update(number, 'PICKUP_SUCCESSFUL', '2026-11-02T08:00:00Z'));
    await vi.waitFor(
      () => expect(service.stack.logs('CarrierUpdatesIngest').join()).toContain('unknown_number'),
      within,
    );
    const order = await fulfil(slug, number);
    await done();
    expect((await parcelsOf(slug, order))[0]!.phase).toBe('in_transit');
  });

  test('of an unknown number, or an unreadable one, ends unchanged in the failure queue and delays no other', async () => {
    const slug = await newShop({ takesUpdates: true });
    const number = unique('N');
    const order = await fulfil(slug, number);
    const unknown = update(unique('unknown'), 'OUT_FOR_DELIVERY', '2026-11-05T08:00:00Z');
    await send('no JSON', update(number, 'PICKUP_SUCCESSFUL', '2026-11-02T08:00:00Z'));
    await vi.waitFor(async () => expect((await parcelsOf(slug, order))[0]!.phase).toBe('in_transit'), within);
    // It waits for its shop for a quarter of an hour.
    await service.stack.invoke('CarrierUpdatesIngest', batchOf([unknown], { ageSeconds: 900 }));
    await take(queues().failures, (body) => body === JSON.stringify(unknown));
    await take(queues().failures, (body) => body === 'no JSON');
  });
});

describe('a fulfilled shipment', () => {
  test('is submitted for tracking, unless its shop has updates switched off', async () => {
    const [silent, slug] = [await newShop({ takesUpdates: false }), await newShop({ takesUpdates: true })];
    const [unwanted, first, second] = [unique('N'), '00340434161094042557', unique('N')];
    // The stream keeps the order, so that the second one shows that the first was ignored.
    await fulfil(silent, unwanted);
    const order = await fulfil(slug, first, second);
    const asked = await Promise.all(
      [first, second].map((number) => take(queues().requests, (body) => body.includes(number))),
    );
    const parcels = await parcelsOf(slug, order);
    const requests: TrackingRequest[] = asked.map((body) => JSON.parse(body));
    expect(requests).toEqual(
      [first, second].map((tracking_number) => ({
        shop_slug: slug,
        shipment_id: expect.any(String),
        tracking_number,
        carrier_reference: tracking_number === first ? 'dhl' : null,
      })),
    );
    expect(parcels.map(({ carrier }) => carrier.tracking_number).sort()).toEqual([first, second].sort());
    expect(taken.filter((body) => body.includes(unwanted))).toEqual([]);
  });
});

describe('a tracking provider', () => {
  const submissions = async (slug: string, order: string) =>
    (await parcelsOf(slug, order)).map(({ tracking_submission: submission }) => submission?.status ?? null);
  const parcelNumber = () => `1Z${randomUUID().slice(0, 8).toUpperCase()}`;

  beforeAll(async () => {
    expect((await setProvider(api, key, { base_url: provider.url, carriers: ['ups'] })).status).toBe(200);
  });

  test('gets the parcels of its carriers, and what it reports moves them', async () => {
    const slug = await newShop({ takesUpdates: true });
    const number = parcelNumber();
    const order = await fulfilWithProvider(slug, number);
    await vi.waitFor(async () => expect(await submissions(slug, order)).toEqual(['submitted']), within);
    expect(provider.registered).toContain(number);
    const [{ checkpoints, events }] = fakeProviders.aftership.histories as [History];
    expect((await postWebhook(api, number, checkpoints, 'wrong')).body.key).toBe('signature_invalid');
    expect((await postWebhook(api, number, [...checkpoints, strangeCheckpoint('odd')])).status).toBe(200);
    expect((await postWebhook(api, number, checkpoints.toReversed())).status).toBe(200);
    await done();
    const [parcel] = await parcelsOf(slug, order);
    const carriers = parcel!.events.filter(({ event_name }) => event_name !== 'ORDER_PROCESSED');
    expect(carriers.map(({ time, event_name }) => [time, event_name])).toEqual(events);
    expect(parcel!.phase).toBe('delivered');
    const refs = (await sentOf(slug, parcel!.order_id)).map((ref) => ref.split('/').at(-1)!);
    expect(refs.sort()).toEqual(['ORDER_PROCESSED', ...events.map(([, name]) => name)].sort());
    const { body: codes } = await api('GET', '/v1/tracking-providers/aftership/unmapped', { key });
    expect(codes).toMatchObject([{ code: 'odd', count: 1 }]);
  });

  test('may send many webhooks of thirty checkpoints at once: each event is recorded, once', async () => {
    const slug = await newShop({ takesUpdates: true });
    const numbers = Array.from({ length: 10 }, () => unique('N'));
    const order = await fulfil(slug, ...numbers);
    const posts = [...numbers, ...numbers].map((number) => postWebhook(api, number, thirtyCheckpoints));
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual(posts.map(() => 200));
    await done();
    for (const { events } of await parcelsOf(slug, order)) {
      const distinct = new Set(events.map(({ event_name, time }) => `${event_name} ${time}`));
      expect([events.length, distinct.size]).toEqual([31, 31]);
    }
  });

  test('gets the parcels that are under way when a shop switches updates on', async () => {
    const slug = await newShop({ takesUpdates: false });
    const numbers = Array.from({ length: 12 }, parcelNumber);
    const order = await fulfilWithProvider(slug, ...numbers);
    await switchUpdates(slug, true);
    await vi.waitFor(
      async () => expect(await submissions(slug, order)).toEqual(numbers.map(() => 'submitted')),
      within,
    );
    const asked = provider.asked.map(({ body }) => (body as { tracking_number: string }).tracking_number);
    for (const number of numbers) expect(asked.filter((one) => one === number)).toHaveLength(1);
  });

  test('that refuses a parcel leaves its reason on the shipment, and no secret anywhere', async () => {
    const slug = await newShop({ takesUpdates: true });
    const [unpaid, busy] = [parcelNumber(), parcelNumber()];
    provider.behave(unpaid, 'no quota');
    provider.behave(busy, 'busy');
    const order = await fulfilWithProvider(slug, unpaid, busy);
    await vi.waitFor(async () => expect(await submissions(slug, order)).toEqual(['refused', 'pending']), within);
    const { apiKey, webhookSecret } = fakeProviders.aftership;
    const logs = ['TrackingSubmissionRegister', 'ProvidersApi', 'CarrierUpdatesIngest']
      .flatMap((name) => service.stack.logs(name))
      .join();
    expect(logs).toContain('tracking registrations');
    for (const secret of [apiKey, webhookSecret]) expect(logs).not.toContain(secret);
  });
});

type History = (typeof fakeProviders.aftership.histories)[number];
