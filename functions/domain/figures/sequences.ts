import type { abTestVerdicts } from '#schemas/families/ab-tests.ts';
import { logGamma, logSum, timesLog } from './log-gamma.ts';

/**
 * How far apart the rates of two arms are, as a confidence sequence: the difference is within it at all times together, so
 * one may look as often as one likes, and stop when one likes.
 *
 * A likelihood that is averaged over possible rates, divided by the likelihood under the true rates, is a martingale with
 * the mean 1. So it ever reaches 1/alpha with a probability of at most alpha (J. Ville, "Étude critique de la notion de
 * collectif", 1939), and all rates for which it is below are a confidence set at all times: H. Robbins, "Statistical Methods
 * Related to the Law of the Iterated Logarithm", Annals of Mathematical Statistics 41 (1970), 1397–1409; S. R. Howard,
 * A. Ramdas, J. McAuliffe and J. Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of
 * Statistics 49 (2021), 1055–1080. It stays one in whatever order the customers of the arms come. The sequence shows the
 * differences between the rates of that set.
 */

/** Customers of an arm, and those who did what is counted. */
export interface Trials {
  trials: number;
  successes: number;
}

export interface Difference {
  /** Of the rates, as they were seen; null if an arm has no trials. */
  difference: number | null;
  low: number;
  high: number;
  verdict: (typeof abTestVerdicts)[number];
}

/** Of `arm` less `against`. @param alpha the probability that the sequence ever misses the true difference, at most */
export function differenceOf(armCounts: Trials, againstCounts: Trials, alpha: number): Difference {
  const [arm, against] = [sound(armCounts), sound(againstCounts)];
  if (arm.trials <= 0 || against.trials <= 0) return { difference: null, low: -1, high: 1, verdict: 'undecided' };
  const difference = rateOf(arm) - rateOf(against);
  const limit = logLimit(arm, against, alpha);
  const isInside = (gap: number) => leastSurprise(arm, against, gap) < limit;
  const verdict = verdictOf(arm, against, alpha);
  // What was seen is always inside. Zero is on the side where the verdict has it, whatever the last digits are.
  return {
    difference,
    low: boundary(
      isInside,
      verdict === 'better' ? 0 : -1,
      verdict === 'undecided' ? Math.min(0, difference) : difference,
    ),
    high: boundary(
      isInside,
      verdict === 'worse' ? 0 : 1,
      verdict === 'undecided' ? Math.max(0, difference) : difference,
    ),
    verdict,
  };
}

/** `better` or `worse` once the same rate for both arms is outside of the confidence set. */
export function verdictOf(armCounts: Trials, againstCounts: Trials, alpha: number): Difference['verdict'] {
  const [arm, against] = [sound(armCounts), sound(againstCounts)];
  if (arm.trials <= 0 || against.trials <= 0) return 'undecided';
  const both = { trials: arm.trials + against.trials, successes: arm.successes + against.successes };
  // The rate of both together is the one that surprises least.
  const ofBoth = surprise(both, rateOf(both));
  // No average is above the greatest likelihood, which is quicker to tell, and enough in most cases.
  const least = surprise(arm, rateOf(arm)) + surprise(against, rateOf(against));
  if (ofBoth < least - Math.log(alpha) || ofBoth < logLimit(arm, against, alpha)) return 'undecided';
  return rateOf(arm) > rateOf(against) ? 'better' : 'worse';
}

/** A success may be counted before its trial. */
const sound = ({ trials, successes }: Trials): Trials => ({
  trials: Math.max(0, trials),
  successes: Math.min(Math.max(0, successes), Math.max(0, trials)),
});

const rateOf = ({ trials, successes }: Trials) => successes / trials;

/** The logarithm of the likelihood of what was seen, negated. */
const surprise = ({ trials, successes }: Trials, rate: number) =>
  -timesLog(successes, rate) - timesLog(trials - successes, 1 - rate);

/** Rates that surprise less than this are in the confidence set. */
const logLimit = (arm: Trials, against: Trials, alpha: number) => -Math.log(alpha) - logMixture(arm, against);

/**
 * The possible rates over which the likelihood is averaged. Any would be right; these find differences soon. Two arms of
 * one test have about the same rate, whatever that is: a common rate by Jeffreys' prior (in parts that are equal on the scale
 * of the arc sine), and around it the rates of both arms, by a beta distribution that weighs this many customers.
 */
const commonRates = 32;
const concentration = 300;

const components = Array.from({ length: commonRates }, (_, i) => {
  const rate = Math.sin((Math.PI * (i + 0.5)) / (2 * commonRates)) ** 2;
  const successes = concentration * rate;
  const failures = concentration - successes;
  return { successes, failures, logBeta: logGamma(successes) + logGamma(failures) };
});

/** The logarithm of the averaged likelihood: a mixture of products of two beta-binomial ones. */
export function logMixture(arm: Trials, against: Trials): number {
  const scale =
    2 * logGamma(concentration) -
    logGamma(concentration + arm.trials) -
    logGamma(concentration + against.trials) -
    Math.log(commonRates);
  return (
    scale +
    logSum(
      components.map(
        ({ successes, failures, logBeta }) =>
          logGamma(successes + arm.successes) +
          logGamma(failures + arm.trials - arm.successes) +
          logGamma(successes + against.successes) +
          logGamma(failures + against.trials - against.successes) -
          2 * logBeta,
      ),
    )
  );
}

/** Halving this often leaves nothing of a double's digits. */
const halvings = 60;

/** The surprise of the rates that surprise least among those that are this far apart. */
function leastSurprise(arm: Trials, against: Trials, gap: number): number {
  let low = Math.max(0, -gap);
  let high = Math.min(1, 1 - gap);
  // The surprise is convex in the rate, so its slope changes its sign once.
  for (let i = 0; i < halvings; i += 1) {
    const rate = (low + high) / 2;
    if (slope(arm, rate + gap) + slope(against, rate) < 0) low = rate;
    else high = rate;
  }
  const rate = (low + high) / 2;
  return surprise(arm, rate + gap) + surprise(against, rate);
}

const slope = ({ trials, successes }: Trials, rate: number) =>
  (successes === 0 ? 0 : -successes / rate) + (trials === successes ? 0 : (trials - successes) / (1 - rate));

/** Where the set ends between a point that may be outside and one inside: the set has no gaps, since the surprise is convex. */
function boundary(isInside: (gap: number) => boolean, outside: number, inside: number): number {
  if (isInside(outside)) return outside;
  let [out, into] = [outside, inside];
  for (let i = 0; i < halvings; i += 1) {
    const middle = (out + into) / 2;
    if (isInside(middle)) into = middle;
    else out = middle;
  }
  return out;
}
