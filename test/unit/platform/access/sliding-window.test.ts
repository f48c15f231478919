import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneMore, secondsOf } from '#platform/access/sliding-window.ts';

const window = { max: 3, ms: 1000 };

test('there is room until the period has as many as it may have', () => {
  expect(oneMore([], 5000, window)).toEqual({ times: [5000] });
  expect(oneMore([4100, 4500], 5000, window)).toEqual({ times: [4100, 4500, 5000] });
});

test('the wait ends when the earliest of the period leaves it', () => {
  expect(oneMore([4100, 4500, 4900], 5000, window)).toEqual({ waitMs: 100 });
  expect(oneMore([4100, 4500, 4900], 5099, window)).toEqual({ waitMs: 1 });
  expect(oneMore([4100, 4500, 4900], 5100, window)).toEqual({ times: [4500, 4900, 5100] });
});

test('a time ahead of the clock counts as now', () => {
  expect(oneMore([9000, 9000, 9000], 5000, window)).toEqual({ waitMs: 1000 });
});

test('no period ever has more than it may have, and whoever waits as told gets in', () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 60 });
  fc.assert(
    fc.property(pauses, (all) => {
      let now = 0;
      let times: number[] = [];
      const accepted: number[] = [];
      for (const pause of all) {
        now += pause;
        const counted = oneMore(times, now, window);
        if ('waitMs' in counted) {
          expect(counted.waitMs).toBeGreaterThan(0);
          expect(oneMore(times, now + counted.waitMs, window)).toHaveProperty('times');
          expect(oneMore(times, now + counted.waitMs - 1, window)).toHaveProperty('waitMs');
          continue;
        }
        times = counted.times;
        accepted.push(now);
      }
      for (const start of accepted)
        expect(accepted.filter((at) => at >= start && at < start + window.ms).length).toBeLessThanOrEqual(window.max);
    }),
  );
});

test('Retry-After has whole seconds, at least one', () => {
  expect([1, 1000, 1001].map(secondsOf)).toEqual([1, 1, 2]);
});
