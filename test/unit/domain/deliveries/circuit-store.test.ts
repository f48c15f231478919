import { BatchGetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  isOpen,
  recordAbandoned,
  recordFailure,
  recordSuccess,
  resetCircuit,
} from '#domain/deliveries/circuit-store.ts';
import { keyOf } from '#platform/table/keys.ts';
import { dynamo } from '#test/kit/table.ts';

const now = new Date('2026-11-14T12:00:00.000Z');
type Item = Record<string, unknown> & { version?: number };

/** A table of circuits that keeps what is put and holds to the conditions. */
let items: Map<string, Item>;

beforeEach(() => {
  items = new Map();
  dynamo.reset();
  dynamo.on(BatchGetCommand).callsFake(({ RequestItems }) => {
    const found = RequestItems.table.Keys.map(({ pk }: { pk: string }) => items.get(pk)).filter(Boolean);
    return { Responses: { table: found } };
  });
  dynamo.on(PutCommand).callsFake(({ Item, ExpressionAttributeValues: values }) => {
    if (items.get(Item.pk)?.version !== values?.[':read']) {
      throw Object.assign(new Error(), { name: 'ConditionalCheckFailedException' });
    }
    items.set(Item.pk, Item);
    return {};
  });
});

const requests = () => dynamo.calls().length;
const stored = (target: string) => items.get(keyOf.circuit('blue', target).pk);
const fail = async (target: string, count: number) => {
  for (let i = 0; i < count; i++) await recordFailure('blue', target, `d${i}`, now);
};

describe('the circuit of a target', () => {
  test('is closed where nothing ever failed, and a success there costs no request', async () => {
    expect(await isOpen('blue', 'fresh')).toBe(false);
    const before = requests();
    await recordSuccess('blue', 'fresh', now);
    expect(requests()).toBe(before);
  });

  test('is open after ten failures, and stands in the list of those to look after', async () => {
    await fail('down', 9);
    expect(await isOpen('blue', 'down')).toBe(false);
    await fail('down', 10);
    expect(await isOpen('blue', 'down')).toBe(true);
    expect(stored('down')).toMatchObject({ list_pk: 'CIRCUITS', list_sk: '2026-11-14T12:01:00.000Z#blue#down' });
  });

  test('is written once for a delivery that fails again and again', async () => {
    await recordFailure('blue', 'stubborn', 'd', now);
    await recordFailure('blue', 'stubborn', 'd', now);
    expect(dynamo.commandCalls(PutCommand)).toHaveLength(1);
  });

  test('lets a success after failures through to the table', async () => {
    await fail('shaky', 5);
    await isOpen('blue', 'shaky');
    await recordSuccess('blue', 'shaky', now);
    expect(stored('shaky')).toMatchObject({ state: 'closed', failing: [] });
  });

  test('counts every failure when several workers write at once', async () => {
    await Promise.all(Array.from({ length: 3 }, (_, i) => recordFailure('blue', 'busy', `d${i}`, now)));
    expect(stored('busy')!.failing).toHaveLength(3);
  });

  test('is reset by hand, whatever this environment remembers of it', async () => {
    await fail('moved', 10);
    await resetCircuit('blue', 'moved', now);
    expect(stored('moved')).toMatchObject({ state: 'draining', list_pk: 'CIRCUITS' });
    const before = requests();
    await resetCircuit('blue', 'untouched', now);
    expect(requests()).toBe(before + 1);
  });

  test('that cannot be reset stops nobody', async () => {
    dynamo.on(BatchGetCommand).rejects(new Error('down'));
    await resetCircuit('blue', 'moved', now);
  });

  test('of a target that takes nothing any more lets go what waits, at the cost of no request where nothing does', async () => {
    await fail('gone', 10);
    await isOpen('blue', 'gone');
    await recordAbandoned('blue', 'gone', now);
    expect(stored('gone')).toMatchObject({ state: 'draining', pace: 1000 });
    const before = requests();
    await recordAbandoned('blue', 'gone', now);
    expect(requests()).toBe(before);
  });

  test('never makes a delivery fail, however often others write first', async () => {
    dynamo.on(PutCommand).rejects(Object.assign(new Error(), { name: 'ConditionalCheckFailedException' }));
    await recordFailure('blue', 'crowded', 'd', now);
  });
});
