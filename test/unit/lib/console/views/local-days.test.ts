import { expect, test } from 'vitest';
import { endOf, startOf } from '#lib/console/views/local-days.ts';

test('a day of a filter is the whole day in the zone of the user', () => {
  const [start, end] = [new Date(startOf('2026-11-16')!), new Date(endOf('2026-11-16')!)];
  expect([start.getDate(), start.getHours(), start.getMinutes()]).toEqual([16, 0, 0]);
  expect([end.getDate(), end.getHours(), end.getMilliseconds()]).toEqual([16, 23, 999]);
});

test.each(['', 'yesterday', '0002-11-16'])('%j is no day, and filters nothing', (day) => {
  expect([startOf(day), endOf(day)]).toEqual([undefined, undefined]);
});
