/**
 * Quantiles of any number of times in a fixed place: buckets that grow by 3 %, from a tenth of a millisecond to three hours.
 * A quantile is right within 1.5 %. Two threads can share one.
 */
const growth = 1.03;
const leastMs = 0.1;
const buckets = 630;

/** The words of memory that a sketch takes. */
export const sketchWords = buckets;

export class Sketch {
  readonly #counts: Uint32Array<ArrayBufferLike>;

  constructor(counts: Uint32Array<ArrayBufferLike> = new Uint32Array(buckets)) {
    this.#counts = counts;
  }

  add(ms: number): void {
    const bucket = ms <= leastMs ? 0 : Math.min(buckets - 1, Math.ceil(Math.log(ms / leastMs) / Math.log(growth)));
    this.#counts[bucket]! += 1;
  }

  count(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /** @param share from 0 to 1. NaN if there is nothing. */
  quantile(share: number): number {
    const wanted = Math.max(1, Math.ceil(share * this.count()));
    let seen = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      seen += this.#counts[bucket]!;
      if (seen >= wanted) return leastMs * growth ** (bucket - 0.5);
    }
    return Number.NaN;
  }

  addAll(other: Sketch): void {
    for (let bucket = 0; bucket < buckets; bucket++) this.#counts[bucket]! += other.#counts[bucket]!;
  }
}
