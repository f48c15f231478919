/**
 * How long parcels are on their way, as counts of ranges of hours. A range is about a twentieth to a tenth of the time that it
 * stands for, up to where few parcels are: that is as much as a merchant can tell apart, a quantile lies somewhere in its
 * range anyway, and whoever reads the cohorts of a year reads each range of each day.
 */
const day = 24;
const longest = 90 * day;

const steps = (from: number, to: number, step: number) =>
  Array.from({ length: (to - from) / step }, (_, i) => from + i * step);

/** The hour at which each range begins. The last has no end. */
export const rangeStarts: readonly number[] = [
  ...steps(0, day, 2),
  ...steps(day, 4 * day, 3),
  ...steps(4 * day, 10 * day, 8),
  ...steps(10 * day, 30 * day, day),
  ...steps(30 * day, longest, 3 * day),
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
