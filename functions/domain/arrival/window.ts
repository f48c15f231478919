/** From a delivery day of the way to another, both included. */
interface Run {
  first: number;
  last: number;
}

/**
 * A run of days that grows from the likeliest day by the likelier of its two neighbours until it is as likely as the level
 * says. For a distribution with one peak it is the shortest such run; it is nested in the run of every higher level,
 * which a calibration by scores needs and the shortest run of each level is not.
 */
export function windowAt(distribution: readonly number[], level: number): Run {
  let run = startOf(distribution);
  for (let mass = distribution[run.first]!; mass < level; ) {
    const next = nextOf(distribution, run);
    if (next === undefined) break;
    mass += distribution[next]!;
    run = { first: Math.min(run.first, next), last: Math.max(run.last, next) };
  }
  return run;
}

/** How likely the run was before it reached each day: a day is in the windows of all higher levels. */
export function scoresOf(distribution: readonly number[]): number[] {
  const scores = distribution.map(() => 1);
  let run = startOf(distribution);
  scores[run.first] = 0;
  let mass = distribution[run.first]!;
  for (let next = nextOf(distribution, run); next !== undefined; next = nextOf(distribution, run)) {
    scores[next] = Math.min(1, mass);
    mass += distribution[next]!;
    run = { first: Math.min(run.first, next), last: Math.max(run.last, next) };
  }
  return scores;
}

function startOf(distribution: readonly number[]): Run {
  let mode = 0;
  for (let n = 1; n < distribution.length; n++) if (distribution[n]! > distribution[mode]!) mode = n;
  return { first: mode, last: mode };
}

/** Of two that are as likely the later one: who waits longer is better off than who waits in vain. */
function nextOf(distribution: readonly number[], { first, last }: Run): number | undefined {
  const before = distribution[first - 1] ?? 0;
  const after = distribution[last + 1] ?? 0;
  if (before > after) return first - 1;
  if (last + 1 < distribution.length) return last + 1;
  return distribution.some((share, n) => n < first && share > 0) ? first - 1 : undefined;
}
