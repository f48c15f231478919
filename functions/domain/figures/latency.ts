/**
 * How long attempts take, as counts of a few ranges. The ranges grow by about the square root of two, so a percentile is
 * at most a fifth off, and counting needs no list of durations.
 */

/** The upper ends of the ranges, in milliseconds. An attempt ends after ten seconds. */
const upperEnds = [
  10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000, 10_000, 15_000,
] as const;

/** How many attempts are in each range, by the name of the range. */
export type Latencies = Record<string, number>;

const prefix = 'ms#';

/** The name of the range that a duration is in. */
export function latencyRange(milliseconds: number): string {
  const end = upperEnds.find((upper) => milliseconds <= upper) ?? upperEnds.at(-1)!;
  return prefix + end;
}

/** The duration that this part (0 to 1) of the attempts does not exceed; null if there are none. */
export function percentile(latencies: Latencies, part: number): number | null {
  const counts = upperEnds.map((end) => Math.max(0, latencies[prefix + end] ?? 0));
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let left = part * all;
  for (const [i, count] of counts.entries()) {
    if (count > 0 && left <= count) {
      const from = upperEnds[i - 1] ?? 0;
      return Math.round(from + ((upperEnds[i]! - from) * left) / count);
    }
    left -= count;
  }
  return upperEnds.at(-1)!;
}
