import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type StoredItem, toShipment } from '#domain/orders/order-items.ts';
import type { RegistrationMessage } from '#domain/tracking-providers/registration-queue.ts';
import { startSubmitting } from '#pipeline/fan-out/record-work.ts';
import { registerThrough } from '#pipeline/tracking-registration/handler.ts';
import { createCall } from '#platform/outgoing/call.ts';
import { keyOf, orderPartition, shipmentPrefix } from '#platform/table/keys.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { shopItems } from '#test/kit/parcels.ts';
import { type RunningProvider, startFakeProvider } from '#test/kit/providers/fake-provider.ts';
import { fakeProviders } from '#test/kit/providers/index.ts';
import { context, queuedMessage } from '#test/kit/queue-messages.ts';
import { tableWith } from '#test/kit/table.ts';
import { parcelsUnderWay, provider } from '#test/kit/tracking-providers.ts';

/** A parcel that is created while updates are switched on has two messages: that of its event and that of the backlog. */

Object.assign(process.env, {
  CREDENTIALS_KEY_ID: 'credentials',
  REGISTRATION_QUEUE_URL: 'https://registrations',
  REGISTRATION_GIVEN_UP_QUEUE_URL: 'https://given-up',
  TRACKING_REQUESTS_QUEUE_URL: 'https://requests',
});

const start = new Date('2026-11-14T12:00:00.000Z');
const number = '00340434161094042557';
const retryAfterSeconds = 120;
const { ship24 } = fakeProviders;
const busy = { ...ship24.answers.busy, headers: { 'retry-after': String(retryAfterSeconds) } };
const sqs = mockClient(SQSClient);
const kms = mockClient(KMSClient);

interface Queued {
  id: string;
  message: RegistrationMessage;
  due: number;
}

let running: RunningProvider;
let now: Date;
let queue: Queued[];
let askedAt: number[];
let sent = 0;

const secondsSinceStart = () => (now.getTime() - start.getTime()) / 1000;

function enqueue(message: RegistrationMessage, delay = 0): void {
  queue.push({ id: `message-${sent++}`, message, due: now.getTime() + delay * 1000 });
}

const call = createCall({ allowLocal: true, deadlineMs: 10_000 });
const handler = registerThrough({
  call: (outgoing) => {
    askedAt.push(secondsSinceStart());
    return call(outgoing);
  },
  now: () => now,
});

beforeAll(async () => {
  running = await startFakeProvider({ ...ship24, answers: { ...ship24.answers, busy } });
});
afterAll(() => running.stop());
beforeEach(() => {
  [now, queue, askedAt] = [start, [], []];
  running.registered.clear();
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: CiphertextBlob }));
  sqs.reset();
  sqs.on(SendMessageBatchCommand).callsFake(({ Entries }) => {
    for (const { MessageBody, DelaySeconds } of Entries) enqueue(JSON.parse(MessageBody), DelaySeconds);
    return {};
  });
  const switchedOn = { ...keyOf.settings('blue'), carriers: { shipment_updates: true, generation: 3 } };
  const set = provider('ship24', { api_key: Buffer.from(ship24.apiKey), base_url: running.url });
  tableWith(...shopItems('blue', true), switchedOn, ...parcelsUnderWay('blue', [number], start), set);
});

const shipment = () =>
  toShipment(memoryTable.all(orderPartition('blue', '')).find(({ sk }) => sk.startsWith(shipmentPrefix)) as StoredItem);

/** Hands messages to the function at once. Those that it wants to see again go back, as they are. */
async function handle(...messages: Queued[]): Promise<void> {
  const Records = messages.map(({ id, message }) => queuedMessage(id, message));
  const { batchItemFailures } = await handler({ Records }, context);
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  queue.push(...messages.filter(({ id }) => failed.has(id)));
}

/** Handles one message after the other when it is due, until none is left. */
async function drain(): Promise<void> {
  for (let i = 0; queue.length > 0; i++) {
    expect(i).toBeLessThan(50);
    const [next] = queue.toSorted((a, b) => a.due - b.due) as [Queued];
    queue = queue.filter((other) => other !== next);
    now = new Date(Math.max(now.getTime(), next.due));
    await handle(next);
  }
}

const fromEvent = async (): Promise<void> => {
  const { uuid: shipment_id, tracking_number, carrier_reference } = shipment();
  const parcels = [{ shipment_id, tracking_number: tracking_number!, carrier_reference }];
  const outgoing = await startSubmitting(async () => true)({ kind: 'tracking_request', shop_slug: 'blue', parcels });
  for (const { to, message } of outgoing) if (to === 'registrations') enqueue(message);
};

/** Reads the page of the backlog, which sends one message. */
const fromBacklog = (): Promise<void> =>
  handle({
    id: `backlog-${sent++}`,
    message: { shop_slug: 'blue', backlog: { generation: 3, since: '2026-08-16T12:00:00.000Z' } },
    due: now.getTime(),
  });

describe.each([
  ['the event first', [fromEvent, fromBacklog]],
  ['the backlog first', [fromBacklog, fromEvent]],
])('a parcel that is created in the middle of a backlog (%s)', (_, ways) => {
  const twoMessages = async () => {
    for (const way of ways) await way();
    expect(queue).toHaveLength(2);
  };

  test.each(['one after the other', 'at once'])('is registered once, handled %s', async (how) => {
    await twoMessages();
    if (how === 'at once') await handle(...queue.splice(0));
    await drain();
    expect(askedAt).toEqual([0]);
    expect(shipment().tracking_submission).toMatchObject({ status: 'submitted' });
  });

  test.each(['one after the other', 'at once'])('waits as long as the provider asks for, handled %s', async (how) => {
    running.behave(number, 'busy');
    await twoMessages();
    if (how === 'at once') await handle(...queue.splice(0));
    await drain();
    expect(askedAt).toEqual([0, retryAfterSeconds]);
    expect(shipment().tracking_submission).toMatchObject({ status: 'submitted' });
  });

  test('waits as long as the provider asks for, if the second message comes a while later', async () => {
    running.behave(number, 'busy', 'busy');
    await twoMessages();
    queue[1]!.due += 60_000;
    await drain();
    expect(askedAt).toEqual([0, retryAfterSeconds, 2 * retryAfterSeconds]);
  });
});

describe('the message that asks', () => {
  test('goes on if it comes again because its next attempt could not be sent', async () => {
    running.behave(number, 'busy');
    await fromEvent();
    sqs.on(SendMessageBatchCommand).rejectsOnce(new Error('down'));
    await drain();
    expect(askedAt).toHaveLength(2);
    expect(shipment().tracking_submission).toMatchObject({ status: 'submitted' });
  });

  test('does not keep a refused parcel from being tried again when updates are switched on again', async () => {
    running.behave(number, 'no quota');
    await fromEvent();
    await drain();
    expect(shipment().tracking_submission).toMatchObject({ status: 'refused' });
    now = new Date(now.getTime() + 1000);
    await fromBacklog();
    await drain();
    expect(askedAt).toEqual([0, 1]);
    expect(shipment().tracking_submission).toMatchObject({ status: 'submitted' });
  });

  test('does not keep the parcel if its function died and its message is lost', async () => {
    await fromEvent();
    const { shipment_id, tracking_number } = queue[0]!.message as { shipment_id: string; tracking_number: string };
    memoryTable.put({
      ...keyOf.parcelRegistration('blue', shipment_id, 'ship24', tracking_number),
      begun_by: 'another message',
      begun_at: start.toISOString(),
    });
    now = new Date(start.getTime() + 60_000);
    await drain();
    expect(askedAt).toEqual([60]);
  });
});
