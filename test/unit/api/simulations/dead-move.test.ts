import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { simulationLimits } from '#schemas/catalogues/limits.ts';
import { holdsSimulations, startSimulation, tryAdvance } from '#test/kit/simulations.ts';
import { beforeRequest } from '#test/kit/table.ts';

// Whoever waits for the simulation would wait for seconds.
vi.mock('node:timers/promises', () => ({ setTimeout: () => new Promise((resolve) => setImmediate(resolve)) }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-14T12:00:00Z') });
  holdsSimulations();
});
afterEach(() => {
  vi.useRealTimers();
});

function beforeWrites(act: () => void): void {
  beforeRequest(PutCommand, act);
  beforeRequest(TransactWriteCommand, act);
}

test('a move by minutes is refused while a request that died holds the simulation, and one to a time is not', async () => {
  const steps = [60, 120, 180].map((after_minutes) => ({ event_name: 'ORDER_PROCESSED', after_minutes }));
  const { uuid } = await startSimulation({ steps, start_at: '2026-11-02T08:00:00Z' });
  let writes = 0;
  beforeWrites(() => {
    if (++writes > 1) throw new Error('killed');
  });
  expect((await tryAdvance(uuid, { by_minutes: 300 })).status).toBe(500);
  beforeWrites(() => {});
  expect(await tryAdvance(uuid, { by_minutes: 60 })).toMatchObject({ status: 409, body: { key: 'write_conflict' } });
  const to = { to: '2026-11-02T10:00:00Z' };
  expect(await tryAdvance(uuid, to)).toMatchObject({ status: 200, body: { clock: '2026-11-02T10:00:00.000Z' } });
  expect((await tryAdvance(uuid, { by_minutes: 60 })).status).toBe(409);
  vi.setSystemTime(Date.now() + simulationLimits.heldSeconds * 1000);
  expect((await tryAdvance(uuid, { by_minutes: 60 })).body.clock).toBe('2026-11-02T11:00:00.000Z');
});
