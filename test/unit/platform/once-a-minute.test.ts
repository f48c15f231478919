import { beforeEach, expect, test } from 'vitest';
import { dueCount, noted } from '#platform/once-a-minute.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 14, 12, 0, seconds));

beforeEach(() => noted.clear());

test('a mark is due at once, and then again after a minute with what came in between', () => {
  const counts = [0, 1, 59, 60, 61, 119, 120].map((second) => dueCount('a', at(second)));
  expect(counts).toEqual([1, undefined, undefined, 3, undefined, undefined, 3]);
});

test('marks of different names do not wait for each other', () => {
  expect([dueCount('a', at(0)), dueCount('b', at(1)), dueCount('a', at(2))]).toEqual([1, 1, undefined]);
});

test('callers cannot fill the memory with names', () => {
  for (let i = 0; i < 3000; i++) dueCount(`name ${i}`, at(0));
  expect(noted.size).toBe(1000);
  expect(dueCount('name 2999', at(1))).toBeUndefined();
});
