import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleRatio } from '#domain/figures/sample-ratio.ts';

const p = (counts: readonly number[], shares: readonly number[]) => sampleRatio(counts, shares).p_value;

/** For two arms: the likelihood ratio, averaged over splits by adding up. */
function addedUp([a, b]: readonly [number, number], share: number): number {
  const parts = 200_000;
  let [weights, sum] = [0, 0];
  for (let i = 0; i < parts; i += 1) {
    const split = (i + 0.5) / parts;
    const weight = Math.exp(
      (100 * share - 1) * Math.log(split / share) + (100 * (1 - share) - 1) * Math.log((1 - split) / (1 - share)),
    );
    weights += weight;
    sum += weight * Math.exp(a * Math.log(split / share) + b * Math.log((1 - split) / (1 - share)));
  }
  return sum / weights;
}

test.each([
  [[60, 20] as const, 0.5],
  [[100, 100] as const, 0.4],
  [[700, 210] as const, 0.7],
  [[30, 5] as const, 0.1],
])('the p-value of %o with a planned share of %d is what adding up gives', (counts, share) => {
  expect(p(counts, [share, 1 - share])).toBeCloseTo(Math.min(1, 1 / addedUp(counts, share)), 6);
});

test('a planned split is fine, and one that is far off is not', () => {
  expect(sampleRatio([5050, 4950], [50, 50])).toMatchObject({ ok: true });
  expect(sampleRatio([5400, 4600], [50, 50])).toMatchObject({ ok: false });
  expect(sampleRatio([1000, 4500, 4500], [10, 45, 45])).toMatchObject({ ok: true });
  expect(sampleRatio([1000, 4000, 5000], [10, 45, 45])).toMatchObject({ ok: false });
});

test('nothing is wrong while nobody came, or with one arm', () => {
  expect(sampleRatio([0, 0], [50, 50])).toEqual({ p_value: 1, ok: true });
  expect(sampleRatio([], [])).toEqual({ p_value: 1, ok: true });
  expect(p([5000], [100])).toBeCloseTo(1, 9);
});

test('an arm without a share may have no customers', () => {
  expect(p([600, 500, 0], [50, 50, 0])).toBe(p([600, 500], [50, 50]));
  expect(sampleRatio([600, 500, 1], [50, 50, 0])).toEqual({ p_value: 0, ok: false });
  expect(sampleRatio([1, 0], [0, 0])).toEqual({ p_value: 0, ok: false });
});

test('the scale of the shares and the order of the arms change nothing', () => {
  expect(p([300, 200, 150], [50, 30, 20])).toBeCloseTo(p([150, 300, 200], [0.2, 0.5, 0.3]), 9);
});

test('it is a number from 0 to 1 for all counts', () => {
  const count = fc.oneof(fc.nat(100), fc.nat(1e9));
  fc.assert(
    fc.property(fc.array(fc.tuple(count, fc.integer({ min: 1, max: 100 })), { maxLength: 6 }), (arms) => {
      const { p_value, ok } = sampleRatio(
        arms.map(([customers]) => customers),
        arms.map(([, share]) => share),
      );
      expect(p_value).toBeGreaterThanOrEqual(0);
      expect(p_value).toBeLessThanOrEqual(1);
      expect(ok).toBe(p_value >= 0.01);
    }),
  );
});

test('one who looks after every customer is alarmed without a cause as rarely as promised', () => {
  const share = 0.3;
  let alarmed = 0;
  /** By the customers of the first arm: how probable it is to be there without an alarm. */
  let states = [1];
  for (let customers = 1; customers <= 1500; customers += 1) {
    const next = Array.from(
      { length: customers + 1 },
      (_, first) => (states[first] ?? 0) * (1 - share) + (states[first - 1] ?? 0) * share,
    );
    states = next.map((probability, first) => {
      // What is that improbable adds nothing.
      if (probability < 1e-15 || sampleRatio([first, customers - first], [share, 1 - share]).ok) return probability;
      alarmed += probability;
      return 0;
    });
  }
  expect(alarmed).toBeLessThanOrEqual(0.01);
  expect(alarmed).toBeGreaterThan(0.0005);
});
