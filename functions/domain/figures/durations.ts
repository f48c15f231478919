/**
 * How long parcels are on their way, as counts of ranges of hours: by the hour in the first week, by six hours in the first
 * month, by the day until three months. The ends of ranges grow with what a merchant can tell apart, and an item of the
 * table holds the ranges of a day.
 */
const week = 7 * 24;
const month = 30 * 24;
const longest = 90 * 24;

const steps = (from: number, to: number, step: number) =>
  Array.from({ length: (to - from) / step }, (_, i) => from + i * step);

/** The hour at which each range begins. The last has no end. */
export const rangeStarts: readonly number[] = [
  ...steps(0, week, 1),
  ...steps(week, month, 6),
  ...steps(month, longest, 24),
  longest,
];

/** The end of a range, which is the beginning of the next. */
export const rangeEnd = (range: number): number => rangeStarts[range + 1] ?? Number.POSITIVE_INFINITY;

/** The range that a number of hours is in. */
export function rangeOf(hours: number): number {
  let [range, beyond] = [0, rangeStarts.length];
  while (beyond - range > 1) {
    const middle = (range + beyond) >> 1;
    if (rangeStarts[middle]! <= hours) range = middle;
    else beyond = middle;
  }
  return range;
}

const prefix = 'h';

/** The counter of a range, and the range of a counter. */
export const counterOfRange = (range: number): string => prefix + rangeStarts[range]!;
const ranges = new Map(rangeStarts.map((_, range) => [counterOfRange(range), range]));
export const rangeOfCounter = (name: string): number | undefined => ranges.get(name);
