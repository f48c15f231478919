import { expect, test } from 'vitest';
import { readOptions } from '#test/bench/day/options.ts';
import { playDay } from '#test/bench/day/play.ts';

test('a small day on a stack that is killed once loses nothing', { timeout: 600_000 }, async () => {
  const options = readOptions(['--orders', '50', '--kills', '1', '--visibility', '5', '--concurrency', '4']);
  const day = await playDay(options);
  expect(day.faults).toEqual([]);
  expect(day).toMatchObject({ orders: 50, webhooks: 5 * 50 + 1, registrations: 50, kills: [{}] });
});
