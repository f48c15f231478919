/** Chance that comes out the same in every run, so that two people see the same demo. */
export interface Chance {
  /** From 0 to 1. */
  next(): number;
  /** A whole number from `from` up to and including `to`. */
  between(from: number, to: number): number;
  of<T>(choices: readonly T[]): T;
}

export function chanceOf(seed: number): Chance {
  let state = seed;
  const next = () => {
    // A linear congruential generator: its numbers only have to look scattered.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return { next, between, of: (choices) => choices[between(0, choices.length - 1)]! };
}
