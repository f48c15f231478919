/** Places on an axis that people can read: steps of 1, 2 or 5, and zero is among them if it is between the ends. */
export function ticksOf(min: number, max: number, most = 4): number[] {
  const span = max - min;
  if (!(span > 0)) return [min];
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((one) => one * power >= rough * (1 - 1e-9)) ?? 10);
  const [first, last] = [Math.ceil(min / step - 1e-9), Math.floor(max / step + 1e-9)];
  // Whole numbers times the step, because sums of the step drift.
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)) || 0);
}
