/** Below this, the series needs more terms than it takes steps to get here. */
const large = 10;
const halfLogOfTwoPi = Math.log(2 * Math.PI) / 2;

/**
 * The logarithm of the gamma function, for numbers above zero: Stirling's series (NIST Digital Library of Mathematical
 * Functions, 5.11.1), which is exact to the last digits from ten on; smaller numbers are taken there by Γ(x + 1) = x Γ(x).
 */
export function logGamma(x: number): number {
  let product = 1;
  let y = x;
  for (; y < large; y += 1) product *= y;
  const square = y * y;
  const series = (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / y;
  return (y - 0.5) * Math.log(y) - y + halfLogOfTwoPi + series - Math.log(product);
}

/** x · log(p), which is 0 for x = 0, also if p is 0. */
export const timesLog = (x: number, p: number): number => (x === 0 ? 0 : x * Math.log(p));

/** The logarithm of a sum of numbers that are given by their logarithms, whose powers would be too small or too large. */
export function logSum(logarithms: readonly number[]): number {
  const greatest = Math.max(...logarithms);
  return greatest + Math.log(logarithms.reduce((sum, logarithm) => sum + Math.exp(logarithm - greatest), 0));
}
