import {
  type DueItem,
  type DueItemResult,
  type DueKind,
  giveUpDue,
  moveDue,
  type ProcessDueItem,
  type StartRound,
} from '#domain/due/due-item.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { logger } from '#platform/logging.ts';
import { partitionOf } from '#platform/table/keys.ts';
import { queryPages } from '#platform/table/reads.ts';
import { shardsOf } from '#platform/table/shards.ts';
import { transact, WriteConflict } from '#platform/table/writes.ts';
import { dueLimits } from '#schemas/catalogues/limits.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';

export type DueResult = Record<DueItemResult | 'postponed' | 'given_up', number> & {
  /** Time or the share of a shop ran out before the list was empty. The next round continues. */
  unfinished: boolean;
};

/** The limit for each shard. All shards together stay below the 50 connections that the client keeps open. */
const maxConcurrentItems = 6;

/** The longest time that one item may take. With less time left, the other items stay due. */
const neededMs = 10_000;

/** Processes what is due by now, all shards in parallel. */
export async function processDue(
  kinds: Record<DueKind, StartRound>,
  now: Date,
  remainingMs: () => number,
): Promise<DueResult> {
  const result: DueResult = { done: 0, moved: 0, dropped: 0, lost: 0, postponed: 0, given_up: 0, unfinished: false };
  const workers = startRound(kinds, now);
  await Promise.all(shardsOf('due').map((shard) => processShard(shard, workers, now, remainingMs, result)));
  return result;
}

type Workers = Record<DueKind, ProcessDueItem>;

function startRound(kinds: Record<DueKind, StartRound>, now: Date): Workers {
  return Object.fromEntries(Object.entries(kinds).map(([kind, start]) => [kind, start(now)])) as Workers;
}

/**
 * How much a shop gets done in a round in each shard, in results. A shop with more has to wait, so that the items of
 * other shops behind it are reached, and so that the events that it causes do not hold up theirs.
 */
export const shareOfShop = dueLimits.perMinute / shardsOf('due').length;

async function processShard(
  shard: number,
  workers: Workers,
  now: Date,
  remainingMs: () => number,
  result: DueResult,
): Promise<void> {
  const doneFor = new Map<string, number>();
  let isOver = false;
  const settleInTime = async (item: DueItem): Promise<void> => {
    const done = doneFor.get(item.shop_slug) ?? 0;
    isOver ||= remainingMs() < neededMs;
    if (isOver || done >= shareOfShop) {
      result.unfinished = true;
      return;
    }
    const results = [await settle(item, workers[item.kind], now)].flat();
    for (const one of results) result[one]++;
    doneFor.set(item.shop_slug, (doneFor.get(item.shop_slug) ?? 0) + results.length);
  };
  for await (const items of windows(duePages(shard, now))) {
    await mapConcurrently(inTurns(items), settleInTime, maxConcurrentItems);
    if (isOver) return;
  }
}

/** In memory for each shard at a time: 10 MB if every item is as large as it can be. */
const windowSize = 1000;

async function* windows(pages: AsyncIterable<DueItem[]>): AsyncGenerator<DueItem[]> {
  let items: DueItem[] = [];
  for await (const page of pages) {
    items.push(...page);
    if (items.length < windowSize) continue;
    yield items;
    items = [];
  }
  yield items;
}

/** The first item of each shop, then the second of each, and so on. The items of one shop stay in their order. */
function inTurns(items: readonly DueItem[]): DueItem[] {
  const turns = new Map<string, number>();
  const withTurns = items.map((item) => {
    const turn = turns.get(item.shop_slug) ?? 0;
    turns.set(item.shop_slug, turn + 1);
    return { item, turn };
  });
  return withTurns.sort((a, b) => a.turn - b.turn).map(({ item }) => item);
}

/** A failed item must not hold up the others: it is postponed, and in the end removed from the list. */
async function settle(
  item: DueItem,
  worker: ProcessDueItem,
  now: Date,
): Promise<DueItemResult | readonly DueItemResult[] | 'postponed' | 'given_up'> {
  try {
    return await worker(item);
  } catch (error) {
    const { kind, shop_slug: shop, attempts = 0 } = item;
    // The log gets only the name of the error, because its message may quote the data that was to be written.
    logger.warn('not done', { kind, shop, attempts: attempts + 1, reason: (error as Error).name });
    return postpone(item, now);
  }
}

const index = 'lists' satisfies IndexName;

const pageSize = 100;

/** The due items of one shard. Those that have waited longest come first. */
async function* duePages(shard: number, now: Date): AsyncGenerator<DueItem[]> {
  const pages = queryPages({
    IndexName: index,
    KeyConditionExpression: 'list_pk = :shard AND list_sk <= :now',
    ExpressionAttributeValues: { ':shard': partitionOf.due(shard), ':now': now.toISOString() },
    Limit: pageSize,
  });
  for await (const page of pages) yield page as unknown as DueItem[];
}

/** These attempts take about twenty hours, which is longer than it takes to repair a fault after its alarm. */
export const maxAttempts = 24;

const minuteMs = 60_000;

/** The pause doubles from one minute up to an hour. */
export const pauseAfter = (attempts: number) => Math.min(2 ** (attempts - 1), 60) * minuteMs;

/** Moves a failed item to a later time, or gives it up after `maxAttempts`. */
async function postpone(item: DueItem, now: Date): Promise<'postponed' | 'given_up'> {
  const attempts = (item.attempts ?? 0) + 1;
  const isLast = attempts >= maxAttempts;
  const later = new Date(now.getTime() + pauseAfter(attempts)).toISOString();
  const action = isLast ? giveUpDue(item, now) : moveDue(item, later, attempts);
  try {
    await transact([action]);
  } catch (error) {
    // If even this write fails, the item stays due and the next round finds it. After a conflict, somebody else has
    // handled the item.
    if (!(error instanceof WriteConflict)) logger.warn('not postponed', { reason: (error as Error).name });
    return 'postponed';
  }
  return isLast ? 'given_up' : 'postponed';
}
