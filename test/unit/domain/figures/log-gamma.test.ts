import { expect, test } from 'vitest';
import { logGamma, logSum, timesLog } from '#domain/figures/log-gamma.ts';

test.each([
  [0.001, 6.907178885383854],
  [0.1, 2.252712651734206],
  [0.5, Math.log(Math.PI) / 2],
  [1, 0],
  [2, 0],
  [5, Math.log(24)],
  [10, Math.log(362_880)],
  [100, 359.1342053695754],
  [1e6, 12_815_504.569147611],
  [1e8, 1_742_068_066.1038346],
])('the gamma function of %d is the known one', (x, expected) => {
  expect(Math.abs(logGamma(x) - expected)).toBeLessThan(1e-13 * Math.max(1, Math.abs(expected)));
});

test('the gamma function has no step where its series begins', () => {
  for (const x of [8.9, 8.99999, 9, 9.00001, 9.5]) {
    expect(logGamma(x + 1) - logGamma(x)).toBeCloseTo(Math.log(x), 12);
  }
});

test('nothing of what cannot be is no surprise', () => {
  expect(timesLog(0, 0)).toBe(0);
  expect(timesLog(1, 0)).toBe(Number.NEGATIVE_INFINITY);
});

test('a sum is found where its terms are too small for a number', () => {
  expect(logSum([-10_000, -10_000])).toBeCloseTo(-10_000 + Math.log(2), 9);
});
