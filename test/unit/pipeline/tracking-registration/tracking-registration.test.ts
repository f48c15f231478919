import { inspect } from 'node:util';
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type StoredItem, shipmentItem, toShipment } from '#domain/orders/order-items.ts';
import type { ParcelMessage, RegistrationMessage } from '#domain/tracking-providers/registration-queue.ts';
import { registerThrough } from '#pipeline/tracking-registration/handler.ts';
import { logger } from '#platform/logging.ts';
import type { CallResult, Outgoing } from '#platform/outgoing/call.ts';
import { keyOf, orderPartition, shipmentPrefix } from '#platform/table/keys.ts';
import type { TrackingSubmission } from '#schemas/shapes/order-shapes.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { parcelItems, shopItems } from '#test/kit/parcels.ts';
import { batchOf, context } from '#test/kit/queue-messages.ts';
import { beforeNextRequest, dynamo, tableWith } from '#test/kit/table.ts';
import { provider } from '#test/kit/tracking-providers.ts';

vi.mock('#domain/tracking-providers/providers.ts', async () => {
  const { simpleProvider } = await import('#test/kit/tracking-providers.ts');
  return { providers: new Proxy({}, { get: () => async () => simpleProvider }) };
});

Object.assign(process.env, {
  CREDENTIALS_KEY_ID: 'credentials',
  REGISTRATION_QUEUE_URL: 'https://registrations',
  REGISTRATION_GIVEN_UP_QUEUE_URL: 'https://given-up',
  TRACKING_REQUESTS_QUEUE_URL: 'https://requests',
});

const kms = mockClient(KMSClient);
const sqs = mockClient(SQSClient);
const apiKey = 'the-api-key-of-the-provider';
const sealed = { api_key: Buffer.from(apiKey) };

let answers: CallResult[];
let calls: Outgoing[];
let time: Date;
let beforeAnswer: (() => void) | undefined;
beforeEach(() => {
  [answers, calls, time] = [[], [], new Date('2026-11-14T12:00:00.000Z')];
  beforeAnswer = undefined;
  kms.reset();
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: CiphertextBlob }));
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  tableWith(...shopItems('blue', true), ...parcelItems('blue', 'A', 'B', 'C'), provider('ship24', sealed));
});
afterEach(() => vi.restoreAllMocks());

const handler = registerThrough({
  call: async (outgoing) => {
    calls.push(outgoing);
    beforeAnswer?.();
    return answers.shift() ?? { status: 201, headers: {}, body: Buffer.from('') };
  },
  now: () => time,
});

/** Hands messages to the function and returns how many it wants to see again. */
async function handle(...messages: RegistrationMessage[]): Promise<number> {
  return (await handler(batchOf(messages), context)).batchItemFailures.length;
}

const shipments = () =>
  memoryTable
    .all(orderPartition('blue', ''))
    .filter(({ sk }) => sk.startsWith(shipmentPrefix))
    .map((item) => toShipment(item as StoredItem));
const shipmentWith = (number: string) => shipments().find(({ tracking_number }) => tracking_number === number)!;
const submissionOf = (number: string) => shipmentWith(number).tracking_submission;

const parcel = (number: string, more: Partial<ParcelMessage> = {}): ParcelMessage => ({
  shop_slug: 'blue',
  shipment_id: shipmentWith(number).uuid,
  tracking_number: number,
  carrier_reference: 'dhl',
  ...more,
});

const sentTo = (queue: string) =>
  sqs
    .commandCalls(SendMessageBatchCommand)
    .filter(({ args }) => args[0].input.QueueUrl === queue)
    .flatMap(({ args }) =>
      args[0].input.Entries!.map(({ MessageBody, DelaySeconds, MessageGroupId }) => ({
        body: JSON.parse(MessageBody!),
        delay: DelaySeconds,
        group: MessageGroupId,
      })),
    );
const again = () => sentTo('https://registrations');

/** Writes what came of a registration onto a parcel. */
function put(number: string, tracking_submission: TrackingSubmission): void {
  const shipment = shipmentWith(number);
  const item = memoryTable.read(keyOf.shipment('blue', shipment.order_id, shipment.uuid)) as unknown as StoredItem;
  memoryTable.put(shipmentItem('blue', { ...shipment, tracking_submission }, item.version));
}

function replaceNumber(number: string, tracking_number: string): void {
  memoryTable.put(shipmentItem('blue', { ...shipmentWith(number), tracking_number }, 1));
}

describe('a parcel', () => {
  test('is registered with the provider, and its shipment says so', async () => {
    expect(await handle(parcel('A'))).toBe(0);
    expect(calls).toMatchObject([{ method: 'POST', url: 'https://provider.example.com/v1/parcels' }]);
    expect(calls[0]!.headers['x-key']).toBe(apiKey);
    expect(JSON.parse(Buffer.from(calls[0]!.body!).toString())).toMatchObject({
      tracking_number: 'A',
      carrier_reference: 'dhl',
      shipped_at: '2026-11-01T08:00:00.000Z',
    });
    expect(submissionOf('A')).toEqual({
      provider: 'ship24',
      status: 'submitted',
      reason: null,
      at: '2026-11-14T12:00:00.000Z',
    });
  });

  test('is registered by its number without spaces, dashes and lower case', async () => {
    memoryTable.put(...parcelItems('blue', '1z 999-aa1'));
    await handle(parcel('1z 999-aa1'));
    expect(JSON.parse(Buffer.from(calls[0]!.body!).toString()).tracking_number).toBe('1Z999AA1');
    expect(submissionOf('1z 999-aa1')).toMatchObject({ status: 'submitted' });
  });

  test('causes no outgoing event and does not count as changed', async () => {
    const before = shipmentWith('A').updated_at;
    await handle(parcel('A'));
    expect(shipmentWith('A').updated_at).toBe(before);
    expect(memoryTable.all('OUTBOX#')).toEqual([]);
  });

  test('is registered at the address that the operator has set', async () => {
    memoryTable.put(provider('ship24', { ...sealed, base_url: 'https://proxy.example.com/base//' }));
    await handle(parcel('A'));
    expect(calls[0]!.url).toBe('https://proxy.example.com/base/parcels');
  });

  test('that the provider knows already is submitted', async () => {
    answers = [{ status: 409, headers: {}, body: Buffer.from('exists') }];
    await handle(parcel('A'));
    expect(submissionOf('A')).toMatchObject({ status: 'submitted', reason: null });
  });

  test('that is registered already is not registered again', async () => {
    await handle(parcel('A'));
    await handle(parcel('A'), parcel('A'));
    expect(calls).toHaveLength(1);
  });

  test('goes to the first provider by priority that takes its carrier', async () => {
    memoryTable.put(
      provider('aftership', { ...sealed, priority: 1, carriers: ['ups'] }),
      provider('shippo', { ...sealed, priority: 2, carriers: ['dhl', 'dpd'] }),
    );
    await handle(parcel('A'), parcel('B', { carrier_reference: null }), parcel('C', { carrier_reference: 'ups' }));
    expect(['A', 'B', 'C'].map((number) => submissionOf(number)?.provider)).toEqual(['shippo', 'ship24', 'aftership']);
  });

  test('that is gone, or whose number was replaced, is passed over', async () => {
    const gone = parcel('A', { shipment_id: '01930000-0000-7000-8000-0000000ff001' });
    expect(await handle(gone, parcel('B', { tracking_number: 'other' }))).toBe(0);
    expect(calls).toEqual([]);
  });

  test('of a shop that has switched updates off is not registered', async () => {
    memoryTable.put(...shopItems('blue', false));
    put('B', { provider: 'ship24', status: 'pending', reason: 'Busy.', at: '2026-11-14T11:00:00.000Z' });
    await handle(parcel('A'), parcel('B', { attempts: 2 }));
    expect(calls).toEqual([]);
    expect(again()).toEqual([]);
    expect([submissionOf('A'), submissionOf('B')?.status]).toEqual([undefined, 'refused']);
  });

  test('whose shipment changes at the same moment keeps the change', async () => {
    beforeNextRequest(PutCommand, () => {
      const shipment = shipmentWith('A');
      memoryTable.put(shipmentItem('blue', { ...shipment, external_shipment_id: 'changed' }, 2));
    });
    await handle(parcel('A'));
    expect(shipmentWith('A')).toMatchObject({
      external_shipment_id: 'changed',
      tracking_submission: { status: 'submitted' },
    });
  });
});

describe('a provider that took a parcel while another attempt was under way', () => {
  const taken = { provider: 'ship24', status: 'submitted', reason: null, at: '2026-11-14T11:59:59.000Z' } as const;

  test.each([400, 503])('and answers that attempt with %i still has the parcel', async (status) => {
    answers = [{ status, headers: {}, body: Buffer.from('') }];
    beforeAnswer = () => put('A', taken);
    expect(await handle(parcel('A'))).toBe(0);
    expect(calls).toHaveLength(1);
    expect(submissionOf('A')).toEqual(taken);
  });

  test('does not keep another provider from taking it', async () => {
    beforeAnswer = () => put('A', { ...taken, provider: 'shippo' });
    await handle(parcel('A'));
    expect(submissionOf('A')).toMatchObject({ provider: 'ship24', status: 'submitted' });
  });

  test('under another number leaves what is known of the new number', async () => {
    beforeAnswer = () => replaceNumber('A', 'A2');
    await handle(parcel('A'));
    expect(submissionOf('A2')).toBeUndefined();
  });
});

describe('a provider that refuses a parcel', () => {
  test.each([400, 401, 402, 403, 404, 422])(
    'with %i is not asked again, and the shipment has the reason',
    async (status) => {
      answers = [{ status, headers: {}, body: Buffer.from(`{"secret":"${apiKey}"}`) }];
      expect(await handle(parcel('A'))).toBe(0);
      expect(submissionOf('A')).toMatchObject({ status: 'refused', reason: `The provider refused it (${status}).` });
      expect(again()).toEqual([]);
      expect(sentTo('https://given-up')).toEqual([]);
    },
  );
});

describe('a provider that fails', () => {
  test.each<[string, CallResult]>([
    ['with 500', { status: 500, headers: {}, body: Buffer.from('') }],
    ['with 429', { status: 429, headers: {}, body: Buffer.from('') }],
    ['by hanging', { failure: 'timeout' }],
    ['in the middle of its answer', { status: 201, headers: {}, failure: 'connection_reset' }],
  ])('%s is asked again after half a minute, and the shipment is pending', async (_, answer) => {
    answers = [answer];
    expect(await handle(parcel('A'))).toBe(0);
    expect(submissionOf('A')).toMatchObject({ status: 'pending', reason: expect.any(String) });
    const times = {
      begun_by: 'm0',
      attempts: 1,
      first_at: '2026-11-14T12:00:00.000Z',
      not_before: '2026-11-14T12:00:30.000Z',
    };
    expect(again()).toEqual([{ body: parcel('A', times), delay: 30, group: 'blue' }]);
  });

  test('is asked again after the time that it names, also if that is longer than a queue can wait', async () => {
    answers = [{ status: 429, headers: { 'retry-after': '3000' }, body: Buffer.from('') }];
    await handle(parcel('A'));
    const { body, delay } = again()[0]!;
    expect(delay).toBe(900);
    expect(body.not_before).toBe('2026-11-14T12:50:00.000Z');
    time = new Date('2026-11-14T12:15:00.000Z');
    await handle(body);
    expect(calls).toHaveLength(1);
    expect(again().at(-1)).toMatchObject({ body, delay: 900 });
    time = new Date('2026-11-14T12:50:00.000Z');
    await handle(body);
    expect(submissionOf('A')).toMatchObject({ status: 'submitted' });
  });

  test.each(['172800', '9'.repeat(400)])(
    'and asks to wait too long (%s s) is asked once more after a day',
    async (s) => {
      const busy = { status: 429, headers: { 'retry-after': s }, body: Buffer.from('') };
      answers = [busy];
      await handle(parcel('A'));
      expect(submissionOf('A')?.status).toBe('pending');
      expect(sentTo('https://given-up')).toEqual([]);
      const { body } = again()[0]!;
      expect(body.not_before).toBe('2026-11-15T12:00:00.000Z');
      time = new Date(body.not_before);
      answers = [busy];
      await handle(body);
      expect(calls).toHaveLength(2);
      expect([submissionOf('A')?.status, sentTo('https://given-up')]).toMatchObject(['refused', [{}]]);
    },
  );

  test('is asked ever more rarely, for a day, and then the parcel is given up', async () => {
    let message: ParcelMessage | undefined = parcel('A');
    const pauses: number[] = [];
    while (message) {
      answers = [{ status: 503, headers: {}, body: Buffer.from('') }];
      const before = again().length;
      await handle(message);
      message = again()[before]?.body;
      if (message) pauses.push((Date.parse(message.not_before!) - time.getTime()) / 1000);
      if (message) time = new Date(message.not_before!);
    }
    expect(pauses.slice(0, 9)).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThanOrEqual(24 * 3600);
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(22 * 3600);
    expect(submissionOf('A')).toMatchObject({
      status: 'refused',
      reason: 'The service gave up after 24 hours. The last reason was: The provider is busy.',
    });
    expect(sentTo('https://given-up').map(({ body }) => body)).toEqual([parcel('A')]);
  });

  test('writes the shipment only when the reason changes', async () => {
    for (let attempts = 0; attempts < 3; attempts++) {
      answers = [{ status: 503, headers: {}, body: Buffer.from('') }];
      await handle(parcel('A', { attempts }));
    }
    const puts = dynamo.commandCalls(PutCommand).map(({ args: [{ input }] }) => input.Item!.sk as string);
    expect(puts.filter((sk) => sk.startsWith(shipmentPrefix))).toHaveLength(1);
  });

  test('is asked again by the message itself if the queue does not take the next attempt', async () => {
    answers = [{ status: 503, headers: {}, body: Buffer.from('') }];
    sqs.on(SendMessageBatchCommand).rejects(new Error('down'));
    expect(await handle(parcel('A'))).toBe(1);
  });
});

describe('a provider that is deleted meanwhile', () => {
  test('is replaced by the next one', async () => {
    put('A', { provider: 'aftership', status: 'pending', reason: 'Busy.', at: '2026-11-14T11:00:00.000Z' });
    await handle(parcel('A', { attempts: 3 }));
    expect(submissionOf('A')).toMatchObject({ provider: 'ship24', status: 'submitted' });
  });

  test('and was the only one leaves the parcel to the queue of tracking requests', async () => {
    memoryTable.remove(keyOf.trackingProvider('ship24'));
    put('A', { provider: 'ship24', status: 'pending', reason: 'Busy.', at: '2026-11-14T11:00:00.000Z' });
    await handle(parcel('A', { attempts: 3, first_at: '2026-11-14T11:00:00.000Z' }));
    expect(sentTo('https://requests').map(({ body }) => body)).toEqual([parcel('A')]);
    expect(submissionOf('A')).toBeUndefined();
  });
});

test('no secret is in a log, a message or a shipment', async () => {
  const lines: unknown[] = [];
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(logger, level).mockImplementation((...line) => void lines.push(line));
  answers = [
    { status: 401, headers: { 'x-key': apiKey }, body: Buffer.from(apiKey) },
    { status: 500, headers: {}, body: Buffer.from(apiKey) },
    { failure: 'tls_error' },
  ];
  await handle(parcel('A'), parcel('B'), parcel('C'));
  sqs.on(SendMessageBatchCommand).rejects(new Error('down'));
  answers = [{ status: 500, headers: {}, body: Buffer.from(apiKey) }];
  await handle(parcel('C', { begun_by: 'm2', attempts: 1 }));
  const seen = inspect([lines, shipments(), again()], { depth: 20 });
  expect(seen).toContain('NotEnqueued');
  expect(seen).not.toContain(apiKey);
});

test.each([
  ['neither a parcel nor a backlog', { shop_slug: 'blue', pallet: 'P' }],
  ['a backlog without a beginning', { shop_slug: 'blue', backlog: { generation: 3 } }],
])('a message of a newer version waits for that version: %s', async (_, message) => {
  expect(await handle(message as never)).toBe(1);
  expect(sentTo('https://given-up')).toEqual([]);
});
