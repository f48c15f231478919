import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Circuit, closedCircuit, draining } from '#domain/deliveries/circuit-rules.ts';
import { lastIdAt } from '#domain/deliveries/delivery-items.ts';
import { keepRetry } from '#domain/deliveries/retry-store.ts';
import { drain } from '#pipeline/drain/drain.ts';
import { handler } from '#pipeline/drain/handler.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, dynamo, tableWith } from '#test/kit/table.ts';

const sqs = mockClient(SQSClient);
process.env.DELIVERY_QUEUE_URL = 'https://deliveries';

const now = new Date('2026-11-14T12:00:00.000Z');
const earlier = new Date('2026-11-14T11:00:00.000Z').toISOString();
const plenty = () => 50_000;

const open: Circuit = { ...closedCircuit, state: 'open', since: earlier, probe_at: earlier, probe_interval_s: 60 };
const itemOf = (circuit: Circuit, target = 'endpoint') => ({
  ...keyOf.circuit('blue', target),
  ...indexKeyOf.openCircuits(earlier, 'blue', target),
  ...circuit,
  shop_slug: 'blue',
  target,
  version: 3,
});

/** Thirty days after the time in the id. */
const expiryOf = (id: string) =>
  Math.floor(Number.parseInt(id.replace('-', '').slice(0, 12), 16) / 1000) + 30 * 24 * 3600;

/** Fills the table with circuits that are due, and for each target with parked deliveries of these ids. */
function given(circuits: object[], parked: Record<string, string[]> = {}): void {
  const deliveries = Object.entries(parked).flatMap(([target, ids]) =>
    ids.map((id) => ({
      ...keyOf.delivery('blue', target, id),
      ...indexKeyOf.parkedDeliveries('blue', target, id),
      shop_slug: 'blue',
      target,
      id,
      payload_id: `event-${id}`,
      expires_at: expiryOf(id),
    })),
  );
  tableWith(...circuits, ...deliveries);
}

beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
});

const sent = () =>
  sqs
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args }) => args[0].input.Entries!)
    .map(({ MessageBody }) => JSON.parse(MessageBody!));
/** The circuit as it is stored now. */
const circuit = (target = 'endpoint') => memoryTable.read(keyOf.circuit('blue', target));

const invoke = () => handler({}, { getRemainingTimeInMillis: plenty } as Context);

describe('a target that is down', () => {
  test('is probed with one parked delivery, and the next time later', async () => {
    given([itemOf(open)], { endpoint: ['0a', '0b'] });
    expect(await drain(now, plenty)).toMatchObject({ circuits: 1, probes: 1, released: 0 });
    expect(sent()).toEqual([
      { shop_slug: 'blue', target: 'endpoint', delivery_id: '0a', payload_id: 'event-0a', probe: true },
    ]);
    expect(circuit()).toMatchObject({ state: 'open', cursor: '0a', probe_interval_s: 120, version: 4 });
    expect(circuit()!.list_sk).toBe('2026-11-14T12:01:00.000Z#blue#endpoint');
  });

  test('is probed with another delivery each time, and with the first again after the last', async () => {
    for (const cursor of ['0a', '0b']) {
      given([itemOf({ ...open, cursor })], { endpoint: ['0a', '0b'] });
      await drain(now, plenty);
    }
    expect(sent().map(({ delivery_id }) => delivery_id)).toEqual(['0b', '0a']);
  });

  test('has deliveries that were parked for 29 days queued beside its probe, to be recorded as failed', async () => {
    const [old, young] = [lastIdAt(new Date('2026-10-16T12:00:00Z')), lastIdAt(new Date('2026-10-16T12:00:01Z'))];
    given([itemOf({ ...open, cursor: old })], { endpoint: [old, young] });
    await drain(now, plenty);
    const place = { shop_slug: 'blue', target: 'endpoint' };
    expect(sent()).toEqual([
      { ...place, delivery_id: old, payload_id: `event-${old}` },
      { ...place, delivery_id: young, payload_id: `event-${young}`, probe: true },
    ]);
  });

  test('has all deliveries that were parked for 29 days queued, however many they are', async () => {
    const ids = Array.from({ length: 2500 }, (_, i) => lastIdAt(new Date(Date.parse('2026-10-16T11:00:00Z') + i)));
    given([itemOf(open)], { endpoint: ids });
    await drain(now, plenty);
    const overdue = sent().filter(({ probe }) => !probe);
    expect(overdue.map(({ delivery_id }) => delivery_id)).toEqual(ids);
  });

  test('says that some of them could not be queued in time, and goes on with them in the next minute', async () => {
    const ids = Array.from({ length: 2500 }, (_, i) => lastIdAt(new Date(Date.parse('2026-10-16T11:00:00Z') + i)));
    given([itemOf(open)], { endpoint: ids });
    const remaining = () => (sent().length < 1000 ? 50_000 : 9_000);
    expect(await drain(now, remaining)).toMatchObject({ stuckCircuits: 1, failed: 1 });
    expect(circuit()).toMatchObject({ state: 'open', probe_at: '2026-11-14T12:00:30.000Z' });
  });

  test('does not end a delivery that was sent again late and is kept for longer', async () => {
    const old = lastIdAt(new Date('2026-10-16T12:00:00Z'));
    given([itemOf(open)], { endpoint: [old] });
    const kept = memoryTable.read(keyOf.delivery('blue', 'endpoint', old))!;
    memoryTable.put({ ...kept, expires_at: now.getTime() / 1000 + 8 * 24 * 3600 });
    await drain(now, plenty);
    expect(sent()).toEqual([expect.objectContaining({ delivery_id: old, probe: true })]);
  });

  test('is tried with the next delivery when nothing is parked', async () => {
    given([itemOf(open)], { endpoint: [] });
    await drain(now, plenty);
    expect(sent()).toEqual([]);
    expect(circuit()).toMatchObject({ state: 'draining' });
  });

  test('keeps its circuit when the queue refuses the probe, behind the others that wait', async () => {
    sqs.on(SendMessageBatchCommand).rejects(new Error('down'));
    given([itemOf(open)], { endpoint: ['0a'] });
    expect(await drain(now, plenty)).toMatchObject({ probes: 0, failed: 1, stuckCircuits: 1 });
    expect(circuit()).toMatchObject({ ...open, probe_at: '2026-11-14T12:00:30.000Z', version: 4 });
    sqs.on(SendMessageBatchCommand).resolves({});
    expect(await drain(new Date('2026-11-14T12:01:00.000Z'), plenty)).toMatchObject({ probes: 1, failed: 0 });
  });

  test('and cannot be probed by a fault of ours makes the function fail, so that an alarm fires', async () => {
    sqs.on(SendMessageBatchCommand).rejects(new Error('down'));
    given([itemOf(open)], { endpoint: ['0a'] });
    await expect(invoke()).rejects.toMatchObject({ name: 'ParkedNotSent' });
  });

  test('keeps its circuit as it is when not even the table answers', async () => {
    given([itemOf(open)], { endpoint: ['0a'] });
    dynamo.on(PutCommand).rejects(new Error('down'));
    expect(await drain(now, plenty)).toMatchObject({ failed: 1, stuckCircuits: 1 });
    expect(circuit()).toEqual(itemOf(open));
  });
});

describe('a target that is up again', () => {
  const ids = Array.from({ length: 25 }, (_, i) => `0${String(i).padStart(2, '0')}`);

  test('gets as many parked deliveries as its pace says, oldest first', async () => {
    given([itemOf(draining(now))], { endpoint: ids });
    expect(await drain(now, plenty)).toMatchObject({ released: 10 });
    expect(sent().map(({ delivery_id }) => delivery_id)).toEqual(ids.slice(0, 10));
    expect(circuit()).toMatchObject({ state: 'draining', pace: 20, cursor: ids[9] });
  });

  test('leaves the list of open circuits when nothing was parked for a minute', async () => {
    given([itemOf({ ...draining(now), since: earlier })], { endpoint: [] });
    await drain(now, plenty);
    expect(circuit()).toMatchObject({ state: 'closed' });
    expect(circuit()).not.toHaveProperty('list_pk');
  });

  test('keeps the circuit that a delivery wrote in the meantime', async () => {
    const told = { ...itemOf(closedCircuit), version: 4 };
    given([itemOf(draining(now))], { endpoint: ids });
    beforeNextRequest(PutCommand, () => memoryTable.put(told));
    expect(await drain(now, plenty)).toMatchObject({ released: 10, failed: 0 });
    expect(circuit()).toEqual(told);
  });
});

describe('a round of the drain', () => {
  test('handles the other circuits when one fails', async () => {
    sqs.on(SendMessageBatchCommand).rejectsOnce(new Error('down')).resolves({});
    given([itemOf(open, 'a'), itemOf(open, 'b')], { a: ['0a'], b: ['0b'] });
    expect(await drain(now, plenty)).toMatchObject({ circuits: 2, probes: 1, failed: 1 });
  });

  test('leaves the rest to the next round when its time is up', async () => {
    given([itemOf(open)], { endpoint: ['0a'] });
    expect(await drain(now, () => 1000)).toMatchObject({ circuits: 0 });
    expect(sent()).toEqual([]);
  });
});

describe('retries that are due', () => {
  const retry = { shop_slug: 'blue', target: 'endpoint', delivery_id: '0a', payload_id: 'event-0a' };

  beforeEach(async () => {
    given([]);
    await keepRetry(retry, 0, new Date(earlier));
  });

  test('are sent and leave the table', async () => {
    await invoke();
    expect([sent(), memoryTable.all('RETRIES#')]).toEqual([[retry], []]);
  });

  test('and are refused by the queue stay due, and make the function fail, so that an alarm fires', async () => {
    sqs.on(SendMessageBatchCommand).rejects(new Error('down'));
    expect(await drain(now, plenty)).toMatchObject({ retries: 0, failed: 1 });
    await expect(invoke()).rejects.toThrow('retries');
    expect(memoryTable.all('RETRIES#')).toHaveLength(1);
  });
});
