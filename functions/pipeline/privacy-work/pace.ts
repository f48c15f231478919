/**
 * Lets at most so many units through in a second. What was not used in the last second is lost, so a burst is never longer
 * than that.
 */
export function paceOf(
  unitsPerSecond: number,
  now: () => number,
  pause: (ms: number) => Promise<unknown>,
): (units: number) => Promise<void> {
  let usedUntil = 0;
  return async (units) => {
    const from = Math.max(usedUntil, now() - 1000);
    usedUntil = from + (units / unitsPerSecond) * 1000;
    const wait = usedUntil - now();
    if (wait > 0) await pause(wait);
  };
}
