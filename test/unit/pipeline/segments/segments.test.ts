import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newOrderId, type Order } from '#domain/orders/model.ts';
import { orderItem, type StoredItem, toOrder } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import type { SegmentRequest } from '#domain/segments/segment-request.ts';
import { fetchSegmentsBy } from '#pipeline/segments/handler.ts';
import { keyOf } from '#platform/table/keys.ts';
import { laterThan } from '#platform/time.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextOrderWrite, orderWrites } from '#test/kit/order-writes.ts';
import { batchOf, context } from '#test/kit/queue-messages.ts';
import { shopItem, tableWith } from '#test/kit/table.ts';
import { KlaviyoWithSegments, klaviyoKey } from '#test/kit/vendors/klaviyo-segments.ts';

const kms = mockClient(KMSClient);
const sqs = mockClient(SQSClient);

const now = new Date('2026-11-14T12:00:00Z');
const input = { order_number: '1', email_id: 'ada@example.com', segments: ['spring'] };
const placed = newOrder(newOrderId(now), input, now);
const request: SegmentRequest = {
  shop_slug: 'blue',
  order_id: placed.uuid,
  integration: 'integration_1',
  since: now.toISOString(),
};

const unwell = { status: 503 };
let klaviyo: KlaviyoWithSegments;
let clock: Date;

beforeEach(() => {
  kms.reset();
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob, EncryptionContext }) => {
    expect(EncryptionContext).toEqual({ shop: shopItem('blue').uuid, integration: 'integration_1' });
    return { Plaintext: CiphertextBlob };
  });
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  vi.stubEnv('SEGMENTS_QUEUE_URL', 'https://segments');
  const target = { url: 'https://a.klaviyo.com', dialect: 'klaviyo' };
  vi.stubEnv('INTEGRATION_TARGETS', JSON.stringify({ integration_1: target }));
  klaviyo = new KlaviyoWithSegments();
  klaviyo.profiles.push({ id: 'p', email: 'ada@example.com', segments: ['VIP', 'spring'] });
  clock = now;
  holds(placed);
});
afterEach(() => void vi.unstubAllEnvs());

const settings = { ...keyOf.settings('blue'), segments: { integration_1: true } };
const key = {
  ...keyOf.integrationKey('blue', 'integration_1'),
  origin: null,
  ciphertext: Buffer.from(JSON.stringify({ api_key: klaviyoKey })),
};

const holds = (order: Order) => tableWith(shopItem('blue'), settings, key, orderItem('blue', order, 1));

const handle = (...requests: object[]) =>
  fetchSegmentsBy({ call: klaviyo.call, now: () => clock, random: () => 0.5 })(batchOf(requests), context);

const stored = () => toOrder(memoryTable.read(keyOf.order('blue', placed.uuid)) as unknown as StoredItem);
const sent = () =>
  sqs
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args }) => args[0].input.Entries!)
    .map(({ MessageBody, DelaySeconds, MessageGroupId }) => ({
      ...JSON.parse(MessageBody!),
      DelaySeconds,
      MessageGroupId,
    }));

test.each([
  ['an unknown integration', { ...request, integration: 'integration_99' }],
  ['no order', { shop_slug: 'blue', customer_id: 'c', since: request.since, integration: request.integration }],
])('a request of a newer version waits for that version: %s', async (_, unknown) => {
  expect(await handle(unknown, request)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }] });
  expect(stored().segments).toEqual(['spring', 'VIP']);
});

describe('the segments of a customer', () => {
  test('are joined to those of the order, in one write without an event', async () => {
    expect(await handle(request)).toEqual({ batchItemFailures: [] });
    expect(stored()).toEqual({ ...placed, segments: ['spring', 'VIP'], updated_at: laterThan(placed.updated_at, now) });
    expect(orderWrites().map((actions) => actions.map(({ Put }) => Put!.Item!.sk))).toEqual([['ORDER']]);
    expect(sent()).toEqual([]);
  });

  test('are not joined again when the message comes again', async () => {
    await handle(request);
    await handle(request);
    expect(stored().segments).toEqual(['spring', 'VIP']);
    expect(orderWrites()).toHaveLength(1);
  });

  test('are joined to what the merchant changed in between', async () => {
    const renamed = { ...placed, order_name: 'renamed', segments: ['summer'] };
    beforeNextOrderWrite(() => memoryTable.put(orderItem('blue', renamed, 2)));
    await handle(request);
    expect(stored()).toMatchObject({ order_name: 'renamed', segments: ['summer', 'VIP', 'spring'] });
  });

  test('cost no write if the order has them', async () => {
    holds({ ...placed, segments: ['VIP', 'spring'] });
    await handle(request);
    expect(klaviyo.requests).toHaveLength(2);
    expect(orderWrites()).toEqual([]);
  });

  test('are left out if the order is full, and nothing is tried again', async () => {
    holds({ ...placed, segments: Array.from({ length: 100 }, (_, i) => `s${i}`) });
    expect(await handle(request)).toEqual({ batchItemFailures: [] });
    expect([orderWrites(), sent()]).toEqual([[], []]);
  });

  test.each([
    ['the switch was turned off', { ...settings, segments: { integration_1: false } }],
    ['the integration was paused', { ...settings, trigger_settings: { integration_1: { segments_enabled: false } } }],
    ['the customer was removed from the order', orderItem('blue', { ...placed, email_id: '' }, 2)],
    [
      'the key is for another server',
      { ...settings, trigger_settings: { integration_1: { rest_endpoint: 'https://a.org' } } },
    ],
  ])('are not fetched any more if %s', async (_, item) => {
    memoryTable.put(item);
    expect(await handle(request)).toEqual({ batchItemFailures: [] });
    expect([klaviyo.requests, sent()]).toEqual([[], []]);
  });

  test('are not fetched without a key, and not for an order or a shop that is gone', async () => {
    await handle({ ...request, order_id: newOrderId(now) }, { ...request, shop_slug: 'red' });
    tableWith(shopItem('blue'), settings, orderItem('blue', placed, 1));
    await handle(request);
    expect([klaviyo.requests, sent()]).toEqual([[], []]);
  });
});

describe('the segments of a shop at Shopify', () => {
  const urls: string[] = [];
  const asked = async (origin: string | null) => {
    urls.length = 0;
    const target = { url: 'https://deployment.myshopify.com', dialect: 'shopify' };
    vi.stubEnv('INTEGRATION_TARGETS', JSON.stringify({ integration_1: target }));
    memoryTable.put(shopItem('blue', { shop_admin_url: 'https://blue.myshopify.com/admin/' }));
    memoryTable.put({ ...key, origin });
    const call = async ({ url }: { url: string }) => {
      urls.push(new URL(url).origin);
      return { status: 503, body: Buffer.from('') };
    };
    const fetchSegments = fetchSegmentsBy({ call, now: () => clock, random: () => 0.5 });
    await fetchSegments(batchOf([request]), context);
    return urls;
  };

  test('are asked for at the shop’s own address, and not at that of the deployment', async () => {
    expect(await asked('https://blue.myshopify.com')).toEqual(['https://blue.myshopify.com']);
    expect(sent()).toHaveLength(1);
  });

  test.each([null, 'https://red.myshopify.com'])('are not wanted with a key for the server %s', async (origin) => {
    expect(await asked(origin)).toEqual([]);
    expect(sent()).toEqual([]);
  });
});

describe('a vendor', () => {
  test.each([
    ['is unwell', unwell],
    ['does not answer', 'hangs'],
  ] as const)('that %s is asked again later, and the order stays as it is', async (_, trouble) => {
    klaviyo.meet(trouble);
    expect(await handle(request)).toEqual({ batchItemFailures: [] });
    const again = { ...request, tries: 1, has_turn: false, not_before: '2026-11-14T12:00:10.000Z' };
    expect(sent()).toEqual([{ ...again, DelaySeconds: 10, MessageGroupId: 'blue' }]);
    expect(stored()).toEqual(placed);
  });

  test('that asks for a pause gets it, also from the orders after this one', async () => {
    klaviyo.meet({ status: 429, headers: { 'retry-after': '2000' } });
    await handle(request);
    await handle(request);
    expect(klaviyo.requests).toHaveLength(1);
    const [first, second] = sent();
    expect(first).toMatchObject({ not_before: '2026-11-14T12:33:20.000Z', DelaySeconds: 900, tries: 1 });
    expect(second).toMatchObject({ ...request, DelaySeconds: 900 });
    expect(second.tries).toBeUndefined();
  });

  test('is not asked before the time, whenever the queue hands the message out', async () => {
    const early = { ...request, tries: 1, not_before: '2026-11-14T12:33:20.000Z' };
    await handle(early);
    expect(klaviyo.requests).toEqual([]);
    expect(sent()).toEqual([{ ...early, DelaySeconds: 900, MessageGroupId: 'blue' }]);
  });

  test('gets no more requests a minute than it allows, and none is lost', async () => {
    await handle(...Array.from({ length: 10 }, () => request));
    const asked = klaviyo.requests.length / 2;
    expect(asked).toBeLessThanOrEqual(3);
    const waiting = sent();
    expect(waiting).toHaveLength(10 - asked);
    expect(waiting.every(({ DelaySeconds }) => DelaySeconds > 0 && DelaySeconds <= 12)).toBe(true);
    clock = new Date(now.getTime() + 13_000);
    await handle(...waiting);
    expect(klaviyo.requests).toHaveLength(20);
  });

  test('is given up after a day', async () => {
    klaviyo.meet(unwell);
    clock = new Date(now.getTime() + 24 * 3_600_000);
    expect(await handle({ ...request, tries: 30 })).toEqual({ batchItemFailures: [] });
    expect(klaviyo.requests).toHaveLength(1);
    expect(sent()).toEqual([]);
  });

  test('that refuses the key is not asked again for this order', async () => {
    klaviyo.meet({ status: 401 });
    expect(await handle(request)).toEqual({ batchItemFailures: [] });
    expect(sent()).toEqual([]);
  });
});

test('only the message whose next try cannot be queued returns to the queue', async () => {
  klaviyo.meet(unwell);
  sqs.on(SendMessageBatchCommand).rejects(new Error('unreachable'));
  const gone = { ...request, shop_slug: 'red' };
  expect(await handle(request, gone)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }] });
});
