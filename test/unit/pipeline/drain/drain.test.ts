import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Circuit, closedCircuit, draining } from '#domain/deliveries/circuit-rules.ts';
import { lastIdAt } from '#domain/deliveries/delivery-items.ts';
import { drain } from '#pipeline/drain/drain.ts';
import { keyOf, partitionOf } from '#platform/table/keys.ts';
import { dynamo } from '#test/kit/table.ts';

const sqs = mockClient(SQSClient);
process.env.DELIVERY_QUEUE_URL = 'https://deliveries';

const now = new Date('2026-11-14T12:00:00.000Z');
const earlier = new Date('2026-11-14T11:00:00.000Z').toISOString();
const plenty = () => 50_000;

const open: Circuit = { ...closedCircuit, state: 'open', since: earlier, probe_at: earlier, probe_interval_s: 60 };
const itemOf = (circuit: Circuit, target = 'endpoint') => ({
  ...keyOf.circuit('blue', target),
  ...circuit,
  shop_slug: 'blue',
  target,
  version: 3,
});

/** Circuits that are due, and the ids of parked deliveries by target. */
function stands(circuits: object[], parked: Record<string, string[]> = {}): void {
  dynamo.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values, Limit }) => {
    if (values[':circuits'] === partitionOf.openCircuits()) return { Items: circuits };
    const [, ids = []] = Object.entries(parked).find(
      ([target]) => values[':target'] === partitionOf.parkedDeliveries('blue', target),
    )!;
    const { ':cursor': cursor = '', ':last': last = '~' } = values;
    const behind = ids.filter((id) => id > cursor && id <= last).slice(0, Limit);
    return { Items: behind.map((list_sk) => ({ list_sk })) };
  });
}

beforeEach(() => {
  dynamo.reset();
  sqs.reset();
  dynamo.on(PutCommand).resolves({});
  sqs.on(SendMessageBatchCommand).resolves({});
});

const sent = () =>
  sqs
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args }) => args[0].input.Entries!)
    .map(({ MessageBody }) => JSON.parse(MessageBody!));
const written = () => dynamo.commandCalls(PutCommand).map(({ args }) => args[0].input);

describe('a target that is down', () => {
  test('is probed with one parked delivery, and next time later', async () => {
    stands([itemOf(open)], { endpoint: ['0a', '0b'] });
    expect(await drain(now, plenty)).toMatchObject({ circuits: 1, probes: 1, released: 0 });
    expect(sent()).toEqual([{ shop_slug: 'blue', target: 'endpoint', delivery_id: '0a', probe: true }]);
    expect(written()[0]!.Item).toMatchObject({ state: 'open', cursor: '0a', probe_interval_s: 120, version: 4 });
    expect(written()[0]!.Item!.list_sk).toBe('2026-11-14T12:01:00.000Z#blue#endpoint');
  });

  test('is probed with another delivery each time, and with the first again after the last', async () => {
    stands([itemOf({ ...open, cursor: '0a' }), itemOf({ ...open, cursor: '0b' })], { endpoint: ['0a', '0b'] });
    await drain(now, plenty);
    expect(sent().map(({ delivery_id }) => delivery_id)).toEqual(['0b', '0a']);
  });

  test('has what waited in vain for 29 days queued, to be recorded as failed, beside its probe', async () => {
    const [old, young] = [lastIdAt(new Date('2026-10-16T12:00:00Z')), lastIdAt(new Date('2026-10-16T12:00:01Z'))];
    stands([itemOf({ ...open, cursor: old })], { endpoint: [old, young] });
    await drain(now, plenty);
    const place = { shop_slug: 'blue', target: 'endpoint' };
    expect(sent()).toEqual([
      { ...place, delivery_id: old },
      { ...place, delivery_id: young, probe: true },
    ]);
  });

  test('for which nothing waits is tried again with whatever comes next', async () => {
    stands([itemOf(open)], { endpoint: [] });
    await drain(now, plenty);
    expect(sent()).toEqual([]);
    expect(written()[0]!.Item).toMatchObject({ state: 'draining' });
  });

  test('keeps its circuit as it was when the queue does not take the probe', async () => {
    sqs.on(SendMessageBatchCommand).rejects(new Error('down'));
    stands([itemOf(open)], { endpoint: ['0a'] });
    expect(await drain(now, plenty)).toMatchObject({ probes: 0, failed: 1 });
    expect(written()).toEqual([]);
  });
});

describe('a target that is back', () => {
  const ids = Array.from({ length: 25 }, (_, i) => `0${String(i).padStart(2, '0')}`);

  test('gets as many parked deliveries as its pace says, oldest first', async () => {
    stands([itemOf(draining(now))], { endpoint: ids });
    expect(await drain(now, plenty)).toMatchObject({ released: 10 });
    expect(sent().map(({ delivery_id }) => delivery_id)).toEqual(ids.slice(0, 10));
    expect(written()[0]!.Item).toMatchObject({ state: 'draining', pace: 20, cursor: ids[9] });
  });

  test('leaves the list of open circuits when nothing has waited for a minute', async () => {
    stands([itemOf({ ...draining(now), since: earlier })], { endpoint: [] });
    await drain(now, plenty);
    expect(written()[0]!.Item).toMatchObject({ state: 'closed' });
    expect(written()[0]!.Item).not.toHaveProperty('list_pk');
  });

  test('that a delivery has told more about in the meantime is left as that delivery said', async () => {
    dynamo.on(PutCommand).rejects(Object.assign(new Error(), { name: 'ConditionalCheckFailedException' }));
    stands([itemOf(draining(now))], { endpoint: ids });
    expect(await drain(now, plenty)).toMatchObject({ released: 10, failed: 0 });
  });
});

describe('a round', () => {
  test('looks after the others when one fails', async () => {
    sqs.on(SendMessageBatchCommand).rejectsOnce(new Error('down')).resolves({});
    stands([itemOf(open, 'a'), itemOf(open, 'b')], { a: ['0a'], b: ['0b'] });
    expect(await drain(now, plenty)).toMatchObject({ circuits: 2, probes: 1, failed: 1 });
  });

  test('leaves the rest to the next one when its time is up', async () => {
    stands([itemOf(open)], { endpoint: ['0a'] });
    expect(await drain(now, () => 1000)).toMatchObject({ circuits: 0 });
    expect(sent()).toEqual([]);
  });
});
