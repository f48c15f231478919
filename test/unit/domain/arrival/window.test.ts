import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scoresOf, windowAt } from '#domain/arrival/window.ts';

test.each([
  [0.5, { first: 2, last: 2 }],
  [0.6, { first: 2, last: 3 }],
  [0.9, { first: 1, last: 3 }],
  [0.96, { first: 1, last: 4 }],
])('at the level %d a window has the likeliest days around the likeliest one', (level, run) => {
  expect(windowAt([0, 0.15, 0.55, 0.25, 0.05], level)).toEqual(run);
});

test('of two days that are as likely the later one is taken first', () => {
  expect(windowAt([0.25, 0.5, 0.25], 0.7)).toEqual({ first: 1, last: 2 });
});

const distributions = fc
  .array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 31 })
  .filter((counts) => counts.some((count) => count > 0))
  .map((counts) => {
    const all = counts.reduce((sum, count) => sum + count, 0);
    return counts.map((count) => count / all);
  });

test('a window is as likely as its level says', () => {
  fc.assert(
    fc.property(distributions, fc.double({ min: 0, max: 0.999, noNaN: true }), (distribution, level) => {
      const { first, last } = windowAt(distribution, level);
      const mass = distribution.slice(first, last + 1).reduce((sum, share) => sum + share, 0);
      expect(mass).toBeGreaterThanOrEqual(level - 1e-9);
    }),
  );
});

test('a day is in a window if and only if its score is below the level', () => {
  fc.assert(
    fc.property(distributions, fc.double({ min: 0.001, max: 0.999, noNaN: true }), (distribution, level) => {
      const scores = scoresOf(distribution);
      fc.pre(scores.every((score) => Math.abs(score - level) > 1e-9));
      const { first, last } = windowAt(distribution, level);
      const inWindow = distribution.map((_, n) => n >= first && n <= last);
      expect(scores.map((score) => score < level)).toEqual(inWindow);
    }),
  );
});
