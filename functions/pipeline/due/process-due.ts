import {
  type DueItem,
  type DueItemResult,
  type DueKind,
  dueShards,
  moveDue,
  type ProcessDueItem,
  retireDue,
  type StartRound,
} from '#domain/due/due-item.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { logger } from '#platform/logging.ts';
import { partitionOf } from '#platform/table/keys.ts';
import { queryPages } from '#platform/table/reads.ts';
import { transact, WriteConflict } from '#platform/table/writes.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';

export type DueResult = Record<DueItemResult | 'postponed' | 'given_up', number> & {
  /** The time was up before the list was empty: the next round goes on. */
  unfinished: boolean;
};

/** Of each shard. All shards together stay below the 50 connections that the client keeps open. */
const maxConcurrentItems = 6;

/** The time that one item may take at most. What is not done remains due. */
const neededMs = 10_000;

/** Works off what is due by now, all shards side by side. */
export async function processDue(
  kinds: Record<DueKind, StartRound>,
  now: Date,
  remainingMs: () => number,
): Promise<DueResult> {
  const outcome: DueResult = { done: 0, moved: 0, dropped: 0, lost: 0, postponed: 0, given_up: 0, unfinished: false };
  const workers = startRound(kinds, now);
  const shards = Array.from({ length: dueShards }, (_, shard) => shard);
  await Promise.all(shards.map((shard) => processShard(shard, workers, now, remainingMs, outcome)));
  return outcome;
}

type Workers = Record<DueKind, ProcessDueItem>;

function startRound(kinds: Record<DueKind, StartRound>, now: Date): Workers {
  return Object.fromEntries(Object.entries(kinds).map(([kind, start]) => [kind, start(now)])) as Workers;
}

async function processShard(
  shard: number,
  workers: Workers,
  now: Date,
  remainingMs: () => number,
  outcome: DueResult,
): Promise<void> {
  let isOver = false;
  const settleInTime = async (item: DueItem): Promise<void> => {
    isOver ||= remainingMs() < neededMs;
    if (!isOver) outcome[await settle(item, workers[item.kind], now)]++;
  };
  for await (const page of duePages(shard, now)) {
    await mapConcurrently(page, settleInTime, maxConcurrentItems);
    if (isOver) {
      outcome.unfinished = true;
      return;
    }
  }
}

/** One item that cannot be done must not keep the others waiting: it goes to the back, and in the end out of the list. */
async function settle(
  item: DueItem,
  work: ProcessDueItem,
  now: Date,
): Promise<DueItemResult | 'postponed' | 'given_up'> {
  try {
    return await work(item);
  } catch (error) {
    const { kind, shop_slug: shop, attempts = 0 } = item;
    // The name, never the message: that may quote what was to be written.
    logger.warn('not done', { kind, shop, attempts: attempts + 1, reason: (error as Error).name });
    return postpone(item, now);
  }
}

const index = 'lists' satisfies IndexName;

/** What a page holds in memory: items are small. */
const pageSize = 100;

/** What is due in one shard, longest due first. */
async function* duePages(shard: number, now: Date): AsyncGenerator<DueItem[]> {
  const pages = queryPages({
    IndexName: index,
    KeyConditionExpression: 'list_pk = :shard AND list_sk <= :now',
    ExpressionAttributeValues: { ':shard': partitionOf.due(shard), ':now': now.toISOString() },
    Limit: pageSize,
  });
  for await (const page of pages) yield page as unknown as DueItem[];
}

/** About twenty hours: longer than a fault that somebody is told of takes to mend. */
export const maxAttempts = 24;

const ttlDays = 30;
const minute = 60_000;

/** Minutes until the next try: 1, 2, 4, … up to an hour. */
export const pauseAfter = (attempts: number) => Math.min(2 ** (attempts - 1), 60) * minute;

/** What failed comes again later, and is given up after many tries. */
async function postpone(item: DueItem, now: Date): Promise<'postponed' | 'given_up'> {
  const attempts = (item.attempts ?? 0) + 1;
  const isLast = attempts >= maxAttempts;
  const later = new Date(now.getTime() + pauseAfter(attempts)).toISOString();
  const action = isLast ? retireDue(item, 'given_up_at', now, ttlDays) : moveDue(item, later, attempts);
  try {
    await transact([action]);
  } catch (error) {
    // Where even this fails the item stays due, and the next round finds it; lost, somebody else looked after it.
    if (!(error instanceof WriteConflict)) logger.warn('not postponed', { reason: (error as Error).name });
    return 'postponed';
  }
  return isLast ? 'given_up' : 'postponed';
}
