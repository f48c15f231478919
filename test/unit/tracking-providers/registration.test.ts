import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type StoredItem, toShipment } from '#domain/orders/order-items.ts';
import { registerThrough } from '#pipeline/tracking-registration/handler.ts';
import { createCall } from '#platform/outgoing/call.ts';
import { orderPartition, shipmentPrefix } from '#platform/table/keys.ts';
import { trackingProviders } from '#schemas/catalogues/tracking-providers.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { shopItems } from '#test/kit/parcels.ts';
import { type RunningProvider, type Situation, startFakeProvider } from '#test/kit/providers/fake-provider.ts';
import { fakeProviders } from '#test/kit/providers/index.ts';
import { batchOf, context } from '#test/kit/queue-messages.ts';
import { tableWith } from '#test/kit/table.ts';
import { parcelsUnderWay, provider } from '#test/kit/tracking-providers.ts';

/** The function that registers parcels, against a fake of each provider that answers as its documentation says. */

Object.assign(process.env, {
  CREDENTIALS_KEY_ID: 'credentials',
  REGISTRATION_QUEUE_URL: 'https://registrations',
  REGISTRATION_GIVEN_UP_QUEUE_URL: 'https://given-up',
  TRACKING_REQUESTS_QUEUE_URL: 'https://requests',
});

const kms = mockClient(KMSClient);
const sqs = mockClient(SQSClient);
const now = new Date('2026-11-14T12:00:00.000Z');
const number = '00340434161094042557';
const handlerWithin = (deadlineMs: number) =>
  registerThrough({ call: createCall({ allowLocal: true, deadlineMs }), now: () => now });
const [patient, impatient] = [handlerWithin(10_000), handlerWithin(300)];

const shipment = () =>
  toShipment(memoryTable.all(orderPartition('blue', '')).find(({ sk }) => sk.startsWith(shipmentPrefix)) as StoredItem);

async function register(handler = patient): Promise<void> {
  const { uuid: shipment_id, tracking_number, carrier_reference } = shipment();
  const message = { shop_slug: 'blue', shipment_id, tracking_number, carrier_reference };
  expect(await handler(batchOf([message]), context)).toEqual({ batchItemFailures: [] });
}

/** The delays of the messages that were sent for another attempt. */
const delays = () =>
  sqs
    .commandCalls(SendMessageBatchCommand)
    .filter(({ args }) => args[0].input.QueueUrl === 'https://registrations')
    .flatMap(({ args }) => args[0].input.Entries!.map(({ DelaySeconds }) => DelaySeconds));

describe.each(trackingProviders)('a registration with %s', (name) => {
  const fake = fakeProviders[name];
  let running: RunningProvider;
  beforeAll(async () => {
    running = await startFakeProvider(fake);
  });
  afterAll(() => running.stop());
  beforeEach(() => {
    kms.reset();
    kms.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: CiphertextBlob }));
    sqs.reset();
    sqs.on(SendMessageBatchCommand).resolves({});
    running.registered.clear();
    running.asked.length = 0;
    const set = provider(name, { api_key: Buffer.from(fake.apiKey), base_url: running.url });
    tableWith(...shopItems('blue', true), ...parcelsUnderWay('blue', [number], now), set);
  });

  test.each<[Situation, 'submitted' | 'refused' | 'pending']>([
    ['accepted', 'submitted'],
    ['exists', 'submitted'],
    ['no quota', 'refused'],
    ['invalid', 'refused'],
    ['busy', 'pending'],
    ['down', 'pending'],
    ['hangs', 'pending'],
  ])('that ends with "%s" is %s', async (situation, status) => {
    running.behave(number, situation);
    await register(situation === 'hangs' ? impatient : patient);
    const { reason, ...submission } = shipment().tracking_submission!;
    expect(submission).toEqual({ provider: name, status, at: now.toISOString() });
    expect(running.faults).toEqual([]);
    expect(running.asked).toHaveLength(1);
    if (status === 'submitted') expect(reason).toBeNull();
    else expect(reason).toMatch(/^[A-Z].{10,}\.$/);
    expect(delays()).toEqual(status === 'pending' ? [30] : []);
    expect(reason ?? '').not.toContain(fake.apiKey);
  });

  test('with a wrong key is refused', async () => {
    const set = provider(name, { api_key: Buffer.from('wrong'), base_url: running.url });
    memoryTable.put(set);
    await register();
    expect(shipment().tracking_submission).toMatchObject({ status: 'refused', reason: expect.any(String) });
    expect(running.registered.size).toBe(0);
  });

  test('is made when the provider has recovered', async () => {
    running.behave(number, 'busy', 'down');
    for (let attempt = 0; attempt < 3; attempt++) await register();
    expect(shipment().tracking_submission).toMatchObject({ status: 'submitted', reason: null });
    expect([...running.registered]).toEqual([number]);
    await register();
    expect(running.asked).toHaveLength(3);
  });
});
