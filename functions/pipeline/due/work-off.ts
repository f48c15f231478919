import { type DueItem, type DueKind, dueShards } from '#domain/due/due-item.ts';
import type { Ending, StartRound, WorkOff } from '#domain/due/due-work.ts';
import { chunks } from '#platform/chunks.ts';
import { logger } from '#platform/logger.ts';
import { duePages } from './due-store.ts';
import { postpone } from './postpone.ts';

export type Outcome = Record<Ending | 'postponed' | 'given_up', number> & {
  /** The time was up before the list was empty: the next round goes on. */
  unfinished: boolean;
};

/** Of each shard. All shards together stay below the 50 connections that the client keeps open. */
const itemsAtOnce = 6;

/** The time that one part of a shard may take at most. What is not done remains due. */
const neededMs = 10_000;

/** Works off what is due by now, all shards side by side. */
export async function workOff(
  kinds: Record<DueKind, StartRound>,
  now: Date,
  remainingMs: () => number,
): Promise<Outcome> {
  const outcome: Outcome = { done: 0, moved: 0, dropped: 0, lost: 0, postponed: 0, given_up: 0, unfinished: false };
  const workers = startRound(kinds, now);
  const shards = Array.from({ length: dueShards }, (_, shard) => shard);
  await Promise.all(shards.map((shard) => workOffShard(shard, workers, now, remainingMs, outcome)));
  return outcome;
}

type Workers = Record<DueKind, WorkOff>;

function startRound(kinds: Record<DueKind, StartRound>, now: Date): Workers {
  return Object.fromEntries(Object.entries(kinds).map(([kind, start]) => [kind, start(now)])) as Workers;
}

async function workOffShard(
  shard: number,
  workers: Workers,
  now: Date,
  remainingMs: () => number,
  outcome: Outcome,
): Promise<void> {
  for await (const page of duePages(shard, now)) {
    for (const part of chunks(page, itemsAtOnce)) {
      if (remainingMs() < neededMs) {
        outcome.unfinished = true;
        return;
      }
      const endings = await Promise.all(part.map((item) => settle(item, workers[item.kind], now)));
      for (const ending of endings) outcome[ending]++;
    }
  }
}

/** One item that cannot be done must not keep the others waiting: it goes to the back, and in the end out of the list. */
async function settle(item: DueItem, work: WorkOff, now: Date): Promise<Ending | 'postponed' | 'given_up'> {
  try {
    return await work(item);
  } catch (error) {
    const { kind, shop_slug: shop, attempts = 0 } = item;
    // The name, never the message: that may quote what was to be written.
    logger.warn('not done', { kind, shop, attempts: attempts + 1, reason: (error as Error).name });
    return postpone(item, now);
  }
}
