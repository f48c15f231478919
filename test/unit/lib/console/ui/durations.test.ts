import { expect, test } from 'vitest';
import { counted, spoken, unitsFrom } from '#lib/console/ui/durations.ts';

test.each([
  [2880, 'minutes', { count: 2, unit: 'days' }],
  [90, 'minutes', { count: 90, unit: 'minutes' }],
  [120, 'minutes', { count: 2, unit: 'hours' }],
  [0, 'minutes', { count: 0, unit: 'minutes' }],
  [72, 'hours', { count: 3, unit: 'days' }],
  [4, 'hours', { count: 4, unit: 'hours' }],
] as const)('%i %s are said in the largest unit that has no fraction', (count, base, said) => {
  expect(spoken(count, base)).toEqual(said);
});

test('what somebody types is counted in the unit of the API', () => {
  expect(counted('2', 'days', 'minutes')).toBe('2880');
  expect(counted('1.5', 'hours', 'minutes')).toBe('90');
  expect(counted('3', 'days', 'hours')).toBe('72');
  expect(counted('', 'days', 'minutes')).toBe('');
  expect(unitsFrom('hours')).toEqual(['hours', 'days']);
});
