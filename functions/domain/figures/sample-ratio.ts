import { logGamma, timesLog } from './log-gamma.ts';

/**
 * Whether customers were given to the arms of a test as planned. A split that is not the planned one has a cause (an arm
 * that breaks its page, say), and whatever that is may also make the difference between the arms.
 *
 * The test of M. Lindon and A. Malek, "Anytime-Valid Inference for Multinomial Count Data", Advances in Neural Information
 * Processing Systems 35 (2022): the likelihood of the counts under a Dirichlet mixture of splits, divided by that under the
 * plan, is a martingale if the plan holds. So it exceeds 1/p at any time with a probability of at most p (Ville's
 * inequality), however often one looks.
 */

/**
 * How many customers the mixture weighs: it is centred at the plan, with this concentration, as in the authors' own code
 * for the paper. Splits that are off by a few points in a hundred are what it expects to find.
 */
const concentration = 100;

/** A false alarm would stop a sound test, so it must be rarer than a false verdict. */
const smallestPlausible = 0.01;

interface SampleRatio {
  p_value: number;
  ok: boolean;
}

/** @param shares of the arms, which add up to any number, such as 1 or 100 */
export function sampleRatio(counts: readonly number[], shares: readonly number[]): SampleRatio {
  const all = shares.reduce((sum, share) => sum + share, 0);
  const arms = counts.map((count, arm) => ({ count: Math.max(0, count), share: (shares[arm] ?? 0) / all }));
  if (arms.some(({ count, share }) => count > 0 && !(share > 0))) return { p_value: 0, ok: false };
  const planned = arms.filter(({ share }) => share > 0);
  const total = planned.reduce((sum, { count }) => sum + count, 0);
  const logRatio = planned.reduce(
    (sum, { count, share }) =>
      sum + logGamma(concentration * share + count) - logGamma(concentration * share) - timesLog(count, share),
    logGamma(concentration) - logGamma(concentration + total),
  );
  const p_value = Math.min(1, Math.exp(-logRatio));
  return { p_value, ok: p_value >= smallestPlausible };
}
