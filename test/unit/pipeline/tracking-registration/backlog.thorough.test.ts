import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { RegistrationMessage } from '#domain/tracking-providers/registration-queue.ts';
import { registerThrough } from '#pipeline/tracking-registration/handler.ts';
import { keyOf } from '#platform/table/keys.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { shopItems } from '#test/kit/parcels.ts';
import { batchOf, context } from '#test/kit/queue-messages.ts';
import { tableWith } from '#test/kit/table.ts';
import { parcelsUnderWay, provider } from '#test/kit/tracking-providers.ts';

vi.mock('#domain/tracking-providers/providers.ts', async () => {
  const { simpleProvider } = await import('#test/kit/tracking-providers.ts');
  return { providers: new Proxy({}, { get: () => async () => simpleProvider }) };
});

Object.assign(process.env, {
  CREDENTIALS_KEY_ID: 'credentials',
  REGISTRATION_QUEUE_URL: 'https://registrations',
  TRACKING_REQUESTS_QUEUE_URL: 'https://requests',
});

const now = new Date('2026-11-14T12:00:00.000Z');
const backlog = { generation: 3, since: '2026-08-16T12:00:00.000Z' };
const sqs = mockClient(SQSClient);
const kms = mockClient(KMSClient);

let queue: RegistrationMessage[];
let requests: { tracking_number: string }[];
let registered: string[];
beforeEach(() => {
  [queue, requests, registered] = [[], [], []];
  sqs.reset();
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: CiphertextBlob }));
  sqs.on(SendMessageBatchCommand).callsFake(({ QueueUrl, Entries }) => {
    const bodies = Entries.map(({ MessageBody }: { MessageBody: string }) => JSON.parse(MessageBody));
    (QueueUrl === 'https://requests' ? requests : queue).push(...bodies);
    return {};
  });
  tableWith(...shopItems('blue', true), switchedOn(3));
});

const switchedOn = (generation: number, shipment_updates = true) => ({
  ...keyOf.settings('blue'),
  version: generation,
  carriers: { shipment_updates, generation },
});

const handler = registerThrough({
  call: async ({ body }) => {
    registered.push(JSON.parse(Buffer.from(body!).toString()).tracking_number);
    return { status: 201, headers: {}, body: Buffer.from('') };
  },
  now: () => now,
});
const handle = (...messages: RegistrationMessage[]) => handler(batchOf(messages), context);

/** Handles messages until the queue is empty. */
async function drain(...first: RegistrationMessage[]): Promise<void> {
  queue.push(...first);
  while (queue.length > 0) expect(await handle(...queue.splice(0, 10))).toEqual({ batchItemFailures: [] });
}

const switchOn: RegistrationMessage = { shop_slug: 'blue', backlog };
const numbers = (count: number, prefix = 'N') => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

describe('the parcels under way in a shop that switches updates on', () => {
  test('are registered, each once, page by page', async () => {
    memoryTable.put(...parcelsUnderWay('blue', numbers(130), now));
    memoryTable.put(provider('ship24'));
    await drain(switchOn);
    expect(registered.toSorted()).toEqual(numbers(130).toSorted());
  });

  test('go to the queue of tracking requests if no provider takes them', async () => {
    memoryTable.put(...parcelsUnderWay('blue', numbers(120), now), provider('ship24', { carriers: ['ups'] }));
    await drain(switchOn);
    expect(requests.map(({ tracking_number }) => tracking_number).toSorted()).toEqual(numbers(120).toSorted());
  });

  test('are those that got their number within 90 days and have not ended', async () => {
    memoryTable.put(
      ...parcelsUnderWay('blue', ['NEW'], now),
      ...parcelsUnderWay('blue', ['LIMIT'], now, { placedAt: backlog.since }),
      ...parcelsUnderWay('blue', ['too old'], now, { placedAt: '2026-08-16T11:59:59.999Z' }),
      ...parcelsUnderWay('blue', ['delivered'], now, { event: 'SUCCESSFULLY_DELIVERED' }),
      ...parcelsUnderWay('blue', ['cancelled'], now, { event: 'ORDER_CANCELLED' }),
      ...parcelsUnderWay('blue', ['returned'], now, { event: 'SHIPMENT_SUCCESSFULLY_RETURNED_TO_SENDER' }),
      ...parcelsUnderWay('blue', ['lost'], now, { event: 'SHIPMENT_LOST' }),
      ...parcelsUnderWay('blue', ['lost on the way'], now, { event: 'SHIPMENT_LOST_IN_TRANSIT' }),
      ...parcelsUnderWay('blue', ['destroyed'], now, { event: 'DELIVERY_FAILED_SHIPMENT_DESTROYED' }),
      ...parcelsUnderWay('blue', ['ATTEMPTED'], now, { event: 'DELIVERY_ATTEMPTED_LAST_ATTEMPT' }),
      ...parcelsUnderWay('blue', ['ONVAN'], now, { event: 'OUT_FOR_DELIVERY' }),
      ...parcelsUnderWay('green', ['of another shop'], now),
      provider('ship24'),
    );
    await drain(switchOn);
    expect(registered.toSorted()).toEqual(['ATTEMPTED', 'LIMIT', 'NEW', 'ONVAN']);
  });

  test('are registered once if a page comes again because the function died', async () => {
    memoryTable.put(...parcelsUnderWay('blue', numbers(150), now), provider('ship24'));
    await handle(switchOn);
    await drain(switchOn);
    expect(new Set(registered).size).toBe(150);
    expect(registered).toHaveLength(150);
  });

  test('are registered once if the shop switches twice', async () => {
    memoryTable.put(...parcelsUnderWay('blue', numbers(150), now), provider('ship24'));
    await handle(switchOn);
    memoryTable.put(switchedOn(5));
    await drain({ shop_slug: 'blue', backlog: { ...backlog, generation: 5 } });
    expect(registered.toSorted()).toEqual(numbers(150).toSorted());
  });

  test('are not queued by the list of an earlier switch', async () => {
    memoryTable.put(...parcelsUnderWay('blue', numbers(3), now), provider('ship24'), switchedOn(5));
    await handle(switchOn);
    expect(queue).toEqual([]);
  });

  test('are not looked for any further when the shop switches updates off', async () => {
    memoryTable.put(...parcelsUnderWay('blue', numbers(150), now), provider('ship24'));
    memoryTable.put(switchedOn(4, false));
    await drain(switchOn);
    expect(registered).toEqual([]);
  });

  test('are queued at a pace of ten in a second', async () => {
    memoryTable.put(...parcelsUnderWay('blue', numbers(150), now), provider('ship24'));
    await handle(switchOn);
    const delays = sqs
      .commandCalls(SendMessageBatchCommand)
      .flatMap(({ args }) => args[0].input.Entries!.map(({ DelaySeconds }) => DelaySeconds));
    expect(delays.filter((delay) => delay === undefined)).toHaveLength(100);
    expect(delays.at(-1)).toBe(10);
  });

  test('that wait for another attempt are not queued a second time, unless they have waited too long', async () => {
    const pending = (at: string) => ({ provider: 'ship24', status: 'pending', reason: 'Busy.', at }) as const;
    memoryTable.put(
      ...parcelsUnderWay('blue', ['WAITING'], now, { submission: pending('2026-11-13T12:00:00.001Z') }),
      ...parcelsUnderWay('blue', ['FORGOTTEN'], now, { submission: pending('2026-11-13T12:00:00.000Z') }),
      provider('ship24'),
    );
    await drain(switchOn);
    expect(registered).toEqual(['FORGOTTEN']);
  });

  test('that a provider refused before are tried again', async () => {
    const refused = { provider: 'ship24', status: 'refused', reason: 'Unpaid.', at: now.toISOString() } as const;
    const done = { ...refused, status: 'submitted', reason: null } as const;
    memoryTable.put(
      ...parcelsUnderWay('blue', ['REFUSED'], now, { submission: refused }),
      ...parcelsUnderWay('blue', ['done'], now, { submission: done }),
      ...parcelsUnderWay('blue', ['ELSEWHERE'], now, { submission: { ...done, provider: 'shippo' } }),
      provider('ship24'),
    );
    await drain(switchOn);
    expect(registered.toSorted()).toEqual(['ELSEWHERE', 'REFUSED']);
  });
});
