import { BatchGetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  isCircuitOpen,
  recordAbandoned,
  recordFailure,
  recordSuccess,
  resetCircuit,
} from '#domain/deliveries/circuit-store.ts';
import { logger } from '#platform/logging.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeRequest, dynamo, tableWith } from '#test/kit/table.ts';

const now = new Date('2026-11-14T12:00:00.000Z');

beforeEach(() => tableWith());
afterEach(() => vi.restoreAllMocks());

const requests = () => dynamo.calls().length;
const writes = () => dynamo.commandCalls(PutCommand).length;
const stored = (target: string) => memoryTable.read(keyOf.circuit('blue', target));
const fail = async (target: string, count: number) => {
  for (let i = 0; i < count; i++) await recordFailure('blue', target, `d${i}`, now);
};

describe('the circuit of a target', () => {
  test('is closed before any failure, and a success then costs no request', async () => {
    expect(await isCircuitOpen('blue', 'fresh')).toBe(false);
    const before = requests();
    await recordSuccess('blue', 'fresh', now);
    expect(requests()).toBe(before);
    expect(stored('fresh')).toBeUndefined();
  });

  test('is open after ten failures, and is listed among the open circuits', async () => {
    await fail('down', 9);
    expect(await isCircuitOpen('blue', 'down')).toBe(false);
    await fail('down', 10);
    expect(await isCircuitOpen('blue', 'down')).toBe(true);
    expect(stored('down')).toMatchObject(indexKeyOf.openCircuits('2026-11-14T12:01:00.000Z', 'blue', 'down'));
  });

  test('is written once for a delivery that fails several times', async () => {
    await recordFailure('blue', 'stubborn', 'd', now);
    await recordFailure('blue', 'stubborn', 'd', now);
    expect(writes()).toBe(1);
    expect(stored('stubborn')).toMatchObject({ failing: ['d'], version: 1 });
  });

  test('is written by a success after failures', async () => {
    await fail('shaky', 5);
    await isCircuitOpen('blue', 'shaky');
    await recordSuccess('blue', 'shaky', now);
    expect(stored('shaky')).toMatchObject({ state: 'closed', failing: [] });
  });

  test('counts every failure when several workers write at once', async () => {
    await Promise.all(Array.from({ length: 3 }, (_, i) => recordFailure('blue', 'busy', `d${i}`, now)));
    expect(stored('busy')!.failing.toSorted()).toEqual(['d0', 'd1', 'd2']);
  });

  test('can be reset by a merchant, whatever this function remembers of it', async () => {
    await fail('moved', 10);
    await resetCircuit('blue', 'moved', now);
    expect(stored('moved')).toMatchObject({ state: 'draining', list_pk: expect.stringMatching(/^CIRCUITS#\d$/) });
    const before = requests();
    await resetCircuit('blue', 'untouched', now);
    expect(requests()).toBe(before + 1);
  });

  test('that cannot be reset causes no error, and the log has the reason', async () => {
    await fail('stuck', 10);
    const warn = vi.spyOn(logger, 'warn').mockImplementation(() => undefined);
    dynamo.on(BatchGetCommand).rejects(Object.assign(new Error('down'), { name: 'InternalServerError' }));
    await expect(resetCircuit('blue', 'stuck', now)).resolves.toBeUndefined();
    expect(stored('stuck')).toMatchObject({ state: 'open' });
    const reason = { shop: 'blue', target: 'stuck', reason: 'InternalServerError' };
    expect(warn.mock.calls).toEqual([['circuit not reset', reason]]);
  });

  test('drains when the target is gone, and costs no request when nothing waits', async () => {
    await fail('gone', 10);
    await isCircuitOpen('blue', 'gone');
    await recordAbandoned('blue', 'gone', now);
    expect(stored('gone')).toMatchObject({ state: 'draining', pace: 1000 });
    const before = requests();
    await recordAbandoned('blue', 'gone', now);
    expect(requests()).toBe(before);
  });

  test('never makes a delivery fail: after five lost races it stays as others wrote it', async () => {
    await fail('crowded', 1);
    const first = stored('crowded')!;
    let version = first.version;
    beforeRequest(PutCommand, () => memoryTable.put({ ...first, version: ++version }));
    const tried = writes();
    await expect(recordFailure('blue', 'crowded', 'another', now)).resolves.toBeUndefined();
    expect(writes() - tried).toBe(5);
    expect(stored('crowded')).toEqual({ ...first, version });
  });
});
