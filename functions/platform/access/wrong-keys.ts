import { remember } from '#platform/recently-used.ts';
import { accessLimits } from '#schemas/catalogues/limits.ts';

/**
 * Slows down whoever tries keys. The tries are counted for each pair of username and address of the caller, in the
 * table, and only for wrong keys: a request with a right key reads and writes nothing more than before.
 */

const { wrongKeys: maxTries, secondsForOneMore } = accessLimits;
export const oneMoreMs = secondsForOneMore * 1000;

/** How long it takes until all tries are there again. */
export const allTriesMs = maxTries * oneMoreMs;

interface Tried {
  /** The hashes of the wrong keys, no more than there are tries. */
  hashes: Set<string>;
  blockedUntil: number;
  forgetAt: number;
}

/** Bounds the memory that callers can fill. */
const maxRemembered = 1000;

/**
 * What one execution environment remembers. While a pair is blocked, its keys are not looked up, so a right guess is
 * not noticed either. Others at the same address, and an old job that repeats one wrong key, must not lock the owner
 * out, so two kinds of keys are still looked up: those that were right before, and new ones while few different keys
 * were tried.
 */
export class KeyMemory {
  readonly #right = new Map<string, true>();
  readonly #tried = new Map<string, Tried>();

  /** How long the caller must wait before this key is looked up. 0 if it may be looked up now. */
  waitMs(pair: string, hash: string, now: number): number {
    const { hashes, blockedUntil } = this.#tried.get(pair) ?? nothingTried;
    if (blockedUntil <= now || this.#right.has(hash)) return 0;
    const isNewAmongFew = !hashes.has(hash) && hashes.size < maxTries;
    return isNewAmongFew ? 0 : blockedUntil - now;
  }

  wasRight(hash: string): void {
    remember(this.#right, hash, true, maxRemembered);
  }

  wasWrong(pair: string, hash: string, now: number, waitMs: number): void {
    this.#right.delete(hash);
    const before = this.#tried.get(pair);
    const hashes = before && before.forgetAt > now ? before.hashes : new Set<string>();
    if (hashes.size < maxTries) hashes.add(hash);
    const tried = { hashes, blockedUntil: now + waitMs, forgetAt: now + waitMs + allTriesMs };
    remember(this.#tried, pair, tried, maxRemembered);
  }
}

const nothingTried: Pick<Tried, 'hashes' | 'blockedUntil'> = { hashes: new Set(), blockedUntil: 0 };
