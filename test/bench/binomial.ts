import { logGamma, timesLog } from '#domain/figures/log-gamma.ts';
import type { Random } from '#test/fuzz/random.ts';

/** By probability and trials: the probabilities of at most 0, 1, 2, … successes. */
const tables = new Map<string, Float64Array>();

/** How many of the trials succeed, by the exact distribution. */
export function binomial(random: Random, trials: number, probability: number): number {
  if (trials === 0) return 0;
  const table = tableOf(trials, probability);
  const number = random.number();
  let [least, most] = [0, trials];
  while (least < most) {
    const middle = (least + most) >> 1;
    if (table[middle]! > number) most = middle;
    else least = middle + 1;
  }
  return least;
}

function tableOf(trials: number, probability: number): Float64Array {
  const key = `${probability} ${trials}`;
  const table = tables.get(key) ?? newTable(trials, probability);
  tables.set(key, table);
  return table;
}

function newTable(trials: number, probability: number): Float64Array {
  let sum = 0;
  return Float64Array.from({ length: trials + 1 }, (_, successes) => {
    const failures = trials - successes;
    const ways = logGamma(trials + 1) - logGamma(successes + 1) - logGamma(failures + 1);
    sum += Math.exp(ways + timesLog(successes, probability) + timesLog(failures, 1 - probability));
    return sum;
  });
}
