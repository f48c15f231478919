import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { keyOf } from '#platform/table/keys.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import {
  advanceSimulation,
  callSimulations,
  holdsSimulations,
  simulationShop,
  startSimulation,
} from '#test/kit/simulations.ts';
import { beforeNextRequest, beforeRequest } from '#test/kit/table.ts';

/** Requests that move the clock of one simulation at the same time. */

beforeEach(() => holdsSimulations());

const start_at = '2026-11-02T08:00:00.000Z';
const steps = ['ORDER_PROCESSED', 'PICKUP_SUCCESSFUL', 'OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED'].map(
  (event_name, i) => ({ event_name, after_minutes: 60 * (i + 1) }),
);
const minutesAfterStart = (time: string) => (Date.parse(time) - Date.parse(start_at)) / 60_000;
const clockOf = async (uuid: string): Promise<string> =>
  (await callSimulations('GET', '/{uuid}', { params: { uuid } })).body.clock;
const stored = (uuid: string) => memoryTable.read(keyOf.simulation(simulationShop, uuid))!;

test.each([30, 100, 250])(
  'five times %d minutes at once are five times as far, and each step happens once',
  async (by) => {
    const { uuid } = await startSimulation({ steps, start_at });
    const answers = await Promise.all(Array.from({ length: 5 }, () => advanceSimulation(uuid, { by_minutes: by })));
    expect(minutesAfterStart(await clockOf(uuid))).toBe(5 * by);
    const clocks = answers.map(({ clock }) => minutesAfterStart(clock)).toSorted((a, b) => a - b);
    expect(clocks).toEqual([1, 2, 3, 4, 5].map((times) => times * by));
    const names = answers.flatMap(({ happened }) => happened.map((one: { event_name: string }) => one.event_name));
    expect(names.toSorted()).toEqual(
      steps
        .filter(({ after_minutes }) => after_minutes <= 5 * by)
        .map(({ event_name }) => event_name)
        .toSorted(),
    );
    expect(stored(uuid).held_until).toBeUndefined();
  },
);

test('four times one step at once are four steps', async () => {
  const { uuid } = await startSimulation({ steps, start_at });
  const answers = await Promise.all(steps.map(() => advanceSimulation(uuid, { steps: 1 })));
  expect(answers.map(({ happened }) => happened.length)).toEqual([1, 1, 1, 1]);
});

test('a move that comes while another one is between two writes waits for it, and counts from its end', async () => {
  const { uuid } = await startSimulation({ steps, start_at });
  const second: ReturnType<typeof advanceSimulation>[] = [];
  let writes = 0;
  beforeRequest(TransactWriteCommand, () => {
    if (++writes === 2) second.push(advanceSimulation(uuid, { by_minutes: 100 }));
  });
  const { clock } = await advanceSimulation(uuid, { by_minutes: 200 });
  expect(minutesAfterStart(clock)).toBe(200);
  expect(minutesAfterStart((await second[0]!).clock)).toBe(300);
});

test('a move that is written counts once, though its answer was lost and the SDK sends it again', async () => {
  const { uuid } = await startSimulation({ steps, start_at });
  // A transaction has a token, by which the table knows it. A single put that comes again loses its condition to itself.
  beforeNextRequest(PutCommand, ({ Item }) => memoryTable.put(Item!));
  const { clock } = await advanceSimulation(uuid, { by_minutes: 30 });
  expect(minutesAfterStart(clock)).toBe(30);
  expect(minutesAfterStart(await clockOf(uuid))).toBe(30);
});
