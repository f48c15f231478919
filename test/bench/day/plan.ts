import { randomFrom } from '#test/kit/random-from.ts';
import { dayMs, hourMs } from './curve.ts';

/** What happens with an order, in this order. */
export const steps = [
  'place',
  'view 1',
  'fulfil',
  'carrier 1',
  'view 2',
  'carrier 2',
  'view 3',
  'carrier 3',
  'view 4',
  'claim',
  'search',
] as const;

export type Step = (typeof steps)[number];

/** How long after the step before it a step comes, from and to, in hours. */
const pauses: Record<Exclude<Step, 'place'>, readonly [from: number, to: number]> = {
  'view 1': [0.05, 0.3],
  fulfil: [0.5, 4],
  'carrier 1': [0.5, 3],
  'view 2': [0.05, 1],
  'carrier 2': [1, 5],
  'view 3': [0.02, 0.5],
  'carrier 3': [0.2, 3],
  'view 4': [0.02, 0.5],
  claim: [0.1, 1],
  search: [0.05, 1],
};

/** One of so many orders has a claim, and one of so many is looked for. */
const oneIn = { claim: 50, search: 20 };

const hasClaim = (order: number): boolean => order % oneIn.claim === oneIn.claim - 1;
const isSearched = (order: number): boolean => order % oneIn.search === oneIn.search - 1;

const has = (order: number, step: Step): boolean =>
  step === 'claim' ? hasClaim(order) : step === 'search' ? isSearched(order) : true;

/**
 * The steps of an order with their times. Those of an order that is placed late are nearer to each other, so that they end
 * with the day.
 * @param life how long an order takes, beside the usual
 */
export function planOf(order: number, placedAt: number, seed: number, life = 1): { step: Step; at: number }[] {
  const random = randomFrom(seed * 1_000_003 + order + 1);
  random(); // the first number of a small seed is small
  let at = placedAt;
  const planned = steps.flatMap((step) => {
    if (!has(order, step)) return [];
    if (step !== 'place') {
      const [from, to] = pauses[step];
      at += (from + random() * (to - from)) * hourMs * life;
    }
    return [{ step, at }];
  });
  const squeeze = Math.min(1, (dayMs - placedAt) / (at - placedAt));
  return planned.map(({ step, at: then }) => ({ step, at: placedAt + (then - placedAt) * squeeze }));
}

/** How many steps all of the orders have. */
export const stepsOf = (orders: number): number =>
  orders * (steps.length - 2) + Math.floor(orders / oneIn.claim) + Math.floor(orders / oneIn.search);
