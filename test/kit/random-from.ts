/**
 * Numbers from 0 to 1, without 1, that only the seed decides, so that what was made of them can be made again by its number
 * (https://en.wikipedia.org/wiki/Xorshift).
 */
export function randomFrom(seed: number): () => number {
  let x = (seed * 2_654_435_761) >>> 0 || 1;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    x >>>= 0;
    return x / 2 ** 32;
  };
}

/** The same as whole numbers from 0, less than a limit. */
export function belowFrom(seed: number): (limit: number) => number {
  const random = randomFrom(seed);
  return (limit) => Math.floor(random() * limit);
}
