import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { logger } from '#platform/logging.ts';
import { feedOf, keyOf } from '#platform/table/keys.ts';
import { allItemsIn } from '#platform/table/reads.ts';
import { put, remove, tryCommit } from '#platform/table/writes.ts';
import { feedLimits } from '#schemas/catalogues/limits.ts';

/** How a request waits. Tests pass their own. */
export interface Clock {
  now(): number;
  pause(ms: number): Promise<void>;
}

export const realClock: Clock = {
  now: () => Date.now(),
  pause: async (ms) => {
    await pause(ms);
  },
};

/** Between two looks at the feed. Each costs one read unit if nothing came. */
const pauseMs = 1000;

/** It is not worth a look to wait for less. */
const shortestPauseMs = 100;

/** Left for the last look, and for what the request path does after it. API Gateway waits a second longer than the function runs. */
const marginMs = 4000;

interface Waiting<T> {
  /** What was found before. */
  first: T;
  isIdle: (found: T) => boolean;
  look: (before: T, now: Date) => Promise<T>;
  waitMs: number;
  /** How long the function may still run. */
  remainingMs: () => number;
  /** Gets for how long nothing was done so far. */
  setWaited: (ms: number) => void;
}

/**
 * Looks again until something came or the time is up. It holds a function for so long, so it ends early if the function
 * has little time left.
 */
export async function lookUntil<T>(waiting: Waiting<T>, clock: Clock): Promise<T> {
  const { first, isIdle, look, waitMs, remainingMs, setWaited } = waiting;
  const startedAt = clock.now();
  let found = first;
  let waitedMs = 0;
  while (isIdle(found)) {
    // A clock that is set back does not make it longer.
    const elapsedMs = Math.max(clock.now() - startedAt, waitedMs);
    const ms = Math.min(pauseMs, waitMs - elapsedMs, remainingMs() - marginMs);
    if (ms < shortestPauseMs) break;
    await clock.pause(ms);
    waitedMs += ms;
    setWaited(waitedMs);
    found = await look(found, new Date(clock.now()));
  }
  return found;
}

interface StoredPlace {
  pk: string;
  sk: string;
  /** When the place is free again if its function died, in milliseconds. */
  free_at: number;
}

/** A function that died leaves its place so much later than it would have. */
const diedMs = 10_000;

/**
 * Takes one of the shop's few places for requests that wait, over all functions. The condition of the write decides; the
 * read before it only spares writes, because who waits for events while others do asks often.
 * @returns what leaves the place; undefined if all are taken
 */
export async function takeWaitingPlace(
  slug: string,
  now: number,
  waitMs: number,
): Promise<(() => Promise<void>) | undefined> {
  const keys = Array.from({ length: feedLimits.waiting }, (_, place) => keyOf.feedWaiting(slug, place));
  const range = { from: keys[0]!.sk, to: keys.at(-1)!.sk };
  const taken = (await allItemsIn<StoredPlace>(feedOf(slug), range)).filter(({ free_at }) => free_at > now);
  const waiter = randomUUID();
  const free_at = now + waitMs + diedMs;
  for (const key of keys.filter(({ sk }) => !taken.some((place) => place.sk === sk))) {
    const item = { ...key, waiter, free_at, expires_at: Math.ceil(free_at / 1000) };
    // A write whose answer was lost may have come before: then the place is the own one.
    const isFree = 'attribute_not_exists(pk) OR free_at <= :now OR waiter = :own';
    if (await tryCommit([put(item, isFree, { ':now': now, ':own': waiter })])) return () => leave(key, waiter);
  }
  return undefined;
}

/** It is not worth an error: what was found is the answer, and the place becomes free by itself. */
async function leave(key: object, waiter: string): Promise<void> {
  try {
    await tryCommit([remove(key, 'waiter = :own', { ':own': waiter })]);
  } catch (error) {
    logger.warn('place of a waiting request not left', { error: (error as Error).name });
  }
}
