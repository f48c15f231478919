import { type Cipheriv, createCipheriv, createHash } from 'node:crypto';

const blockBytes = 4096;

/** Random choices that only the seed decides. */
export class Random {
  readonly #stream: Cipheriv;
  #block = Buffer.alloc(0);
  #at = 0;

  constructor(seed: string) {
    const key = createHash('sha256').update(seed).digest();
    this.#stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  }

  /** From 0 to 1, without 1. */
  number(): number {
    if (this.#at + 4 > this.#block.length) {
      this.#block = this.#stream.update(Buffer.alloc(blockBytes));
      this.#at = 0;
    }
    const value = this.#block.readUInt32LE(this.#at);
    this.#at += 4;
    return value / 2 ** 32;
  }

  bytes(length: number): Buffer {
    return this.#stream.update(Buffer.alloc(length));
  }

  /** A whole number from 0, less than the limit. */
  below(limit: number): number {
    return Math.floor(this.number() * limit);
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(probability: number): boolean {
    return this.number() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** Each value with its weight. */
  weighted<T>(weights: readonly (readonly [T, number])[]): T {
    let rest = this.number() * weights.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of weights) {
      rest -= weight;
      if (rest < 0) return value;
    }
    return weights.at(-1)![0];
  }

  uuid(): string {
    const hex = this.bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
