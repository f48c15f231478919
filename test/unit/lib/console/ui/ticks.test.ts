import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ticksOf } from '#lib/console/ui/ticks.ts';

describe('the ticks of an axis', () => {
  test.each([
    [0, 1, [0, 0.5, 1]],
    [0, 76.5, [0, 20, 40, 60]],
    [-1.1, 5.2, [0, 2, 4]],
    [-100, 100, [-100, -50, 0, 50, 100]],
    [0, 0, [0]],
  ])('from %d to %d are round numbers', (min, max, ticks) => {
    expect(ticksOf(min, max)).toEqual(ticks);
  });

  test('lie between its ends, are few, and have zero among them where the axis has it', () => {
    const end = fc.double({ min: -1000, max: 1000, noNaN: true });
    fc.assert(
      fc.property(end, end, (a, b) => {
        fc.pre(Math.abs(a - b) > 1e-3);
        const [min, max] = [Math.min(a, b), Math.max(a, b)];
        const ticks = ticksOf(min, max);
        const slack = (max - min) * 1e-6;
        expect(ticks.every((tick) => tick >= min - slack && tick <= max + slack)).toBe(true);
        expect(ticks.length).toBeLessThanOrEqual(5);
        if (min < 0 && max > 0) expect(ticks).toContain(0);
      }),
    );
  });
});
