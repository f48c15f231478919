import type { Trials } from '#domain/figures/sequences.ts';
import type { Random } from '#test/fuzz/random.ts';
import { binomial } from './binomial.ts';

/** An A/B test of a made shop. */
export interface MadeTest {
  /** On a day of ordinary size, in all arms together. */
  customersADay: number;
  /** Of customers; the arms have equal shares. The first arm is the control, if there is one. */
  reorderRates: readonly number[];
  /** Of the customers that were shown a campaign: none for the control. */
  clickRates: readonly number[];
  /** What the rates of all arms are multiplied with, from week to week, again and again. */
  seasons?: readonly number[];
}

/** What one sees of an arm on a day. */
export interface SeenArm {
  customers: number;
  clicked: Trials;
  reordered: Trials;
}

/** From Monday to Sunday, beside a day of ordinary size. */
const volumes = [1.2, 1.1, 1, 1, 1, 0.7, 1];

/** When an order is known to have no second one after it: 30 days later, on the next day. */
export const daysUntilKnown = 31;

/** Most follow a campaign when they get the mail about the parcel's dispatch, the others when it arrives. */
const clicksAtOnce = 0.6;
const clicksOnNextDay = 0.75;

/** What one sees on each of the days, of all days together. */
export function* seenDays(test: MadeTest, days: number, random: Random): Generator<SeenArm[]> {
  const { reorderRates, clickRates, seasons = [1] } = test;
  const seasonOf = (day: number) => seasons[Math.floor(day / 7) % seasons.length]!;
  const arms = reorderRates.map((reorderRate, arm) => ({ reorderRate, clickRate: clickRates[arm] ?? 0 }));
  const seen = arms.map(() => ({
    customers: 0,
    clicked: { trials: 0, successes: 0 },
    reordered: { trials: 0, successes: 0 },
  }));
  const handedOut: number[][] = [];
  const clicksToCome = arms.map(() => [0, 0]);
  for (let day = 0; day < days; day += 1) {
    const today = split(random, Math.round(test.customersADay * volumes[day % 7]!), arms.length);
    handedOut.push(today);
    const known = handedOut[day - daysUntilKnown];
    for (const [i, { reorderRate, clickRate }] of arms.entries()) {
      const arm = seen[i]!;
      arm.customers += today[i]!;
      const clicks = binomial(random, today[i]!, clickRate * seasonOf(day));
      const atOnce = binomial(random, clicks, clicksAtOnce);
      const tomorrow = binomial(random, clicks - atOnce, clicksOnNextDay);
      const [fromYesterday, fromBefore] = clicksToCome[i]! as [number, number];
      clicksToCome[i] = [tomorrow + fromBefore, clicks - atOnce - tomorrow];
      arm.clicked.trials += today[i]!;
      arm.clicked.successes += atOnce + fromYesterday;
      if (!known) continue;
      arm.reordered.trials += known[i]!;
      arm.reordered.successes += binomial(random, known[i]!, reorderRate * seasonOf(day - daysUntilKnown));
    }
    yield seen;
  }
}

/** Each customer into one of the arms, by chance. */
function split(random: Random, customers: number, arms: number): number[] {
  let left = customers;
  return Array.from({ length: arms }, (_, arm) => {
    const some = arm === arms - 1 ? left : binomial(random, left, 1 / (arms - arm));
    left -= some;
    return some;
  });
}
