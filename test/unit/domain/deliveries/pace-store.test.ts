import { beforeEach, describe, expect, test } from 'vitest';
import { postpone, takeTurns } from '#domain/deliveries/pace-store.ts';
import { tableWith } from '#test/kit/table.ts';

const pace = { perMinute: 60, burst: 3 };
const start = Date.parse('2026-11-14T12:00:00Z');
const at = (seconds: number) => new Date(start + seconds * 1000);
const take = (count: number, seconds = 0) => takeTurns('blue', 'integration_1', count, pace, at(seconds));

beforeEach(() => tableWith());

test('after a pause, some requests may go at once, and the next ones have their turns one after the other', async () => {
  const waits: number[] = [];
  for (let i = 0; i < 7; i++) waits.push((await take(1)).waitSeconds);
  expect(waits).toEqual([0, 0, 0, 0, 1, 2, 3]);
  expect(await take(1, 60)).toEqual({ waitSeconds: 0, hasTurn: true });
});

test('each shop and each target has its own pace', async () => {
  await take(10);
  expect((await take(1)).waitSeconds).toBeGreaterThan(0);
  expect((await takeTurns('red', 'integration_1', 1, pace, at(0))).waitSeconds).toBe(0);
  expect((await takeTurns('blue', 'integration_2', 1, pace, at(0))).waitSeconds).toBe(0);
});

test('requests at the same time get different turns', async () => {
  const turns = await Promise.all(Array.from({ length: 10 }, () => take(1)));
  expect(turns.map(({ waitSeconds }) => waitSeconds).sort((a, b) => a - b)).toEqual([0, 0, 0, 0, 1, 2, 3, 4, 5, 6]);
});

test('nobody takes a turn that is more than a quarter of an hour away', async () => {
  await take(2_000);
  expect(await take(1)).toEqual({ waitSeconds: 900, hasTurn: false });
  expect(await take(1, 1_200)).toEqual({ waitSeconds: 797, hasTurn: true });
});

describe('a target that asks us to wait', () => {
  test('gets nothing before that time', async () => {
    await postpone('blue', 'integration_1', 100, pace, at(0));
    expect((await take(1)).waitSeconds).toBe(100);
    expect((await take(1, 99)).waitSeconds).toBe(2);
  });

  test('does not make an earlier turn than there is', async () => {
    await take(200);
    await postpone('blue', 'integration_1', 10, pace, at(0));
    expect((await take(1)).waitSeconds).toBe(197);
  });
});
