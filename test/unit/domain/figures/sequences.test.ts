import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timesLog } from '#domain/figures/log-gamma.ts';
import { differenceOf, logMixture, type Trials, verdictOf } from '#domain/figures/sequences.ts';

const of = (trials: number, successes: number): Trials => ({ trials, successes });
const alpha = 0.05;

const logLikelihood = ({ trials, successes }: Trials, rate: number) =>
  timesLog(successes, rate) + timesLog(trials - successes, 1 - rate);

/** Even parts of the rates from 0 to 1, by their middles. */
const grid = (parts: number) => Array.from({ length: parts }, (_, i) => (i + 0.5) / parts);

/** The averaged likelihood by adding up, without a gamma function. */
function addedUp(arm: Trials, against: Trials): number {
  const rates = grid(4000);
  const means = Array.from({ length: 32 }, (_, i) => Math.sin((Math.PI * (i + 0.5)) / 64) ** 2).map((mean) => {
    const logDensities = rates.map(
      (rate) => (300 * mean - 1) * Math.log(rate) + (300 * (1 - mean) - 1) * Math.log(1 - rate),
    );
    const greatest = Math.max(...logDensities);
    const weights = logDensities.map((density) => Math.exp(density - greatest));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const meanOf = (trials: Trials) =>
      weights.reduce((sum, weight, i) => sum + weight * Math.exp(logLikelihood(trials, rates[i]!)), 0) / total;
    return meanOf(arm) * meanOf(against);
  });
  return means.reduce((sum, mean) => sum + mean, 0) / means.length;
}

describe('the averaged likelihood', () => {
  test.each([
    [of(20, 3), of(25, 9)],
    [of(40, 20), of(30, 15)],
    [of(60, 58), of(50, 40)],
  ])('of %o and %o is what adding up gives', (arm, against) => {
    expect(Math.exp(logMixture(arm, against)) / addedUp(arm, against)).toBeCloseTo(1, 4);
  });

  test('of one customer more is shared between success and failure, so that it is a martingale', () => {
    for (const [arm, against] of [
      [of(0, 0), of(0, 0)],
      [of(7, 2), of(3, 3)],
      [of(900, 130), of(1100, 180)],
    ] as const) {
      const now = logMixture(arm, against);
      const { trials, successes } = arm;
      const next = [successes, successes + 1].map((some) => logMixture(of(trials + 1, some), against));
      expect(Math.exp(next[0]! - now) + Math.exp(next[1]! - now)).toBeCloseTo(1, 10);
    }
  });

  test('divided by the true one has the mean 1, whatever the true rates are', () => {
    const [n, m] = [6, 9];
    for (const [rate, other] of [
      [0.05, 0.05],
      [0.2, 0.7],
    ] as const) {
      let mean = 0;
      for (let s = 0; s <= n; s += 1) {
        for (let t = 0; t <= m; t += 1) {
          const truth = logLikelihood(of(n, s), rate) + logLikelihood(of(m, t), other);
          const probability = ways(n, s) * ways(m, t) * Math.exp(truth);
          mean += probability * Math.exp(logMixture(of(n, s), of(m, t)) - truth);
        }
      }
      expect(mean).toBeCloseTo(1, 10);
    }
  });
});

function ways(n: number, k: number): number {
  return k === 0 ? 1 : (ways(n, k - 1) * (n - k + 1)) / k;
}

describe('the difference of two rates', () => {
  test.each([
    [of(50, 20), of(60, 12)],
    [of(30, 0), of(25, 5)],
    [of(200, 190), of(150, 100)],
    [of(3, 3), of(4, 0)],
  ])('of %o and %o is between the farthest rates that are plausible', (arm, against) => {
    const parts = 500;
    const mixture = logMixture(arm, against);
    const own = grid(parts).map((rate) => logLikelihood(arm, rate));
    const others = grid(parts).map((rate) => logLikelihood(against, rate));
    let [low, high] = [1, -1];
    for (const [i, likelihood] of own.entries()) {
      for (const [j, other] of others.entries()) {
        if (mixture - likelihood - other >= -Math.log(alpha)) continue;
        low = Math.min(low, (i - j) / parts);
        high = Math.max(high, (i - j) / parts);
      }
    }
    const found = differenceOf(arm, against, alpha);
    // The grid ends half a part before the rates 0 and 1.
    expect(Math.abs(found.low - low)).toBeLessThan(2 / parts);
    expect(Math.abs(found.high - high)).toBeLessThan(2 / parts);
  });

  test('is unknown while an arm has no customers', () => {
    const unknown = { difference: null, low: -1, high: 1, verdict: 'undecided' };
    expect(differenceOf(of(0, 0), of(100, 50), alpha)).toEqual(unknown);
    expect(differenceOf(of(100, 50), of(0, 0), alpha)).toEqual(unknown);
  });

  test('bears a success that was counted before its trial', () => {
    expect(differenceOf(of(10, 12), of(20, -1), alpha)).toEqual(differenceOf(of(10, 10), of(20, 0), alpha));
    expect(verdictOf(of(10, 12), of(20, -1), alpha)).toBe(verdictOf(of(10, 10), of(20, 0), alpha));
  });

  test.each([
    [of(1e8, 5e6), of(1e8, 5e6)],
    [of(1e8, 5.1e6), of(1e8, 5e6)],
    [of(1e8, 0), of(1e8, 1e8)],
    [of(1e8, 0), of(1e8, 0)],
    [of(1e8, 1e8), of(1, 0)],
    [of(1, 1), of(1, 0)],
  ])('of %o and %o is a number within its sequence', (arm, against) => {
    const { difference, low, high } = differenceOf(arm, against, alpha);
    expect(low).toBeGreaterThanOrEqual(-1);
    expect(low).toBeLessThanOrEqual(difference!);
    expect(high).toBeGreaterThanOrEqual(difference!);
    expect(high).toBeLessThanOrEqual(1);
    expect(high - low).toBeGreaterThan(0);
  });

  test('is narrow once many customers are known', () => {
    const { low, high, verdict } = differenceOf(of(10_000, 1800), of(10_000, 1500), alpha);
    expect(verdict).toBe('better');
    expect(low).toBeGreaterThan(0);
    expect(high).toBeLessThan(0.06);
    expect(verdictOf(of(10_000, 1500), of(10_000, 1800), alpha)).toBe('worse');
    expect(verdictOf(of(1000, 180), of(1000, 150), alpha)).toBe('undecided');
  });

  const trials = fc
    .tuple(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([count, rate]) => of(count, Math.round(count * rate)));

  test('turns round with its arms, and with what is called a success', () => {
    fc.assert(
      fc.property(trials, trials, (arm, against) => {
        const { low, high, verdict } = differenceOf(arm, against, alpha);
        const turned = differenceOf(against, arm, alpha);
        expect(turned.low).toBeCloseTo(-high, 9);
        expect(turned.high).toBeCloseTo(-low, 9);
        expect(turned.verdict).toBe({ better: 'worse', worse: 'better', undecided: 'undecided' }[verdict]);
        const failures = ({ trials: all, successes }: Trials) => of(all, all - successes);
        expect(differenceOf(failures(against), failures(arm), alpha).low).toBeCloseTo(low, 9);
      }),
    );
  });

  test('is in a wider sequence if the sequence may miss it less often', () => {
    fc.assert(
      fc.property(trials, trials, (arm, against) => {
        const [narrow, wide] = [0.05, 0.05 / 3].map((level) => differenceOf(arm, against, level));
        expect(wide!.low).toBeLessThanOrEqual(narrow!.low);
        expect(wide!.high).toBeGreaterThanOrEqual(narrow!.high);
        expect(narrow!.low).toBeLessThanOrEqual(narrow!.difference!);
        expect(narrow!.high).toBeGreaterThanOrEqual(narrow!.difference!);
      }),
    );
  });

  test('is called exactly if zero is outside of the sequence', () => {
    fc.assert(
      fc.property(trials, trials, (arm, against) => {
        const { low, high, verdict } = differenceOf(arm, against, alpha);
        expect(verdict).toBe(low > 0 ? 'better' : high < 0 ? 'worse' : 'undecided');
        expect(verdictOf(arm, against, alpha)).toBe(verdict);
      }),
    );
  });
});

test('verdict and sequence agree also if zero is at the very end of it', () => {
  const found = Array.from({ length: 40 }, (_, i) => {
    const [arm, against] = [of(2000 + 37 * i, 400 + 11 * i), of(2000 + 41 * i, 300 + 5 * i)];
    const both = of(arm.trials + against.trials, arm.successes + against.successes);
    const edge = Math.exp(logLikelihood(both, both.successes / both.trials) - logMixture(arm, against));
    return [1 - 1e-12, 1 - 1e-15, 1, 1 + 1e-15, 1 + 1e-12].map((factor) => {
      const { low, high, verdict } = differenceOf(arm, against, edge * factor);
      expect(high).toBeGreaterThan(0);
      if (verdict === 'better') expect(low).toBeGreaterThanOrEqual(0);
      else expect(low).toBeLessThanOrEqual(0);
      return verdict;
    });
  }).flat();
  expect(new Set(found)).toEqual(new Set(['better', 'undecided']));
});

describe('one who looks after every customer', () => {
  /**
   * The probability that a look ever finds something, by all ways that things can go: customers of the two arms come in turn.
   */
  function everFound(
    customers: number,
    rates: readonly [number, number],
    finds: (a: Trials, b: Trials) => boolean,
  ): number {
    let found = 0;
    /** By the successes of both: how probable it is to be there without having found anything. */
    let states = new Map([['0 0', 1]]);
    for (let n = 1; n <= 2 * customers; n += 1) {
      const [a, b] = [Math.ceil(n / 2), Math.floor(n / 2)];
      const rate = rates[n % 2 === 1 ? 0 : 1];
      const next = new Map<string, number>();
      for (const [state, probability] of states) {
        const [s, t] = state.split(' ').map(Number) as [number, number];
        const success = n % 2 === 1 ? `${s + 1} ${t}` : `${s} ${t + 1}`;
        next.set(state, (next.get(state) ?? 0) + probability * (1 - rate));
        next.set(success, (next.get(success) ?? 0) + probability * rate);
      }
      for (const [state, probability] of next) {
        const [s, t] = state.split(' ').map(Number) as [number, number];
        if (!finds(of(a, s), of(b, t))) continue;
        found += probability;
        next.delete(state);
      }
      states = next;
    }
    return found;
  }

  test('is told of a difference that is not there as rarely as promised', () => {
    const level = 0.5;
    const found = everFound(40, [0.5, 0.5], (a, b) => verdictOf(a, b, level) !== 'undecided');
    expect(found).toBeLessThanOrEqual(level);
    expect(found).toBeGreaterThan(0);
  });

  test('sees the true difference outside of the sequence as rarely as promised', () => {
    const level = 0.5;
    const found = everFound(16, [0.7, 0.2], (a, b) => {
      const { low, high } = differenceOf(a, b, level);
      return low > 0.5 || high < 0.5;
    });
    expect(found).toBeLessThanOrEqual(level);
    expect(found).toBeGreaterThan(0);
  });
});
