import { mapConcurrently } from '#platform/batches.ts';
import { logger } from '#platform/logging.ts';
import {
  type DueItem,
  type DueItemResult,
  type DueKind,
  giveUpDue,
  moveDue,
  type ProcessDueItem,
  type StartRound,
} from '#platform/table/due-item.ts';
import { partitionOf } from '#platform/table/keys.ts';
import { itemsIn, queryPages } from '#platform/table/reads.ts';
import { shardsOf } from '#platform/table/shards.ts';
import { type Action, commit, WriteConflict } from '#platform/table/writes.ts';
import { isOutage } from '#platform/verdicts.ts';
import { dueLimits } from '#schemas/catalogues/limits.ts';

export type DueResult = Record<DueItemResult | 'postponed' | 'given_up', number> & {
  /** Time, the share of a shop, or patience with a kind ran out before the list was empty. The next round continues. */
  unfinished: boolean;
  /** How many of those that failed have waited for longer than a fault takes that goes away by itself. */
  overdue: number;
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
  const counts = { done: 0, moved: 0, dropped: 0, lost: 0, postponed: 0, given_up: 0 };
  const workers = Object.fromEntries(Object.entries(kinds).map(([kind, start]) => [kind, start(now)])) as Workers;
  const result = { ...counts, unfinished: false, overdue: 0 };
  const round: Round = { workers, now, remainingMs, result, proven: new Set(), failed: [] };
  await Promise.all(shardsOf('due').map((shard) => processShard(shard, round)));
  await postponeAll(round);
  return result;
}

type Workers = Record<DueKind, ProcessDueItem>;

interface Round {
  workers: Workers;
  now: Date;
  remainingMs: () => number;
  result: DueResult;
  /** The kinds of which something was done. */
  proven: Set<DueKind>;
  /** They are judged at the end, because what others of their kind did tells whose fault it was. */
  failed: Failed[];
}

interface Failed {
  item: DueItem;
  error: unknown;
}

/**
 * How much a shop gets done in a round in each shard, in results. A shop with more has to wait, so that the items of
 * other shops behind it are reached, and so that the events that it causes do not hold up theirs.
 */
export const shareOfShop = dueLimits.perMinute / shardsOf('due').length;

/**
 * In an outage everything of a kind fails, perhaps slowly. After so many failures in a row the rest of the kind waits for
 * the next round, so that other kinds are reached, and few writes are spent on postponing. Those that were tried are
 * postponed, so that the next round tries others.
 */
const maxFailuresInARow = 10;

async function processShard(shard: number, round: Round): Promise<void> {
  const { result, now, remainingMs } = round;
  const doneFor = new Map<string, number>();
  const failuresOf = new Map<DueKind, number>();
  let isOver = false;
  const settleInTime = async (item: DueItem): Promise<void> => {
    const done = doneFor.get(item.shop_slug) ?? 0;
    const failures = failuresOf.get(item.kind) ?? 0;
    isOver ||= remainingMs() < neededMs;
    if (isOver || done >= shareOfShop || failures >= maxFailuresInARow) {
      result.unfinished = true;
      return;
    }
    const results = await settle(item, round);
    failuresOf.set(item.kind, results ? 0 : (failuresOf.get(item.kind) ?? 0) + 1);
    doneFor.set(item.shop_slug, (doneFor.get(item.shop_slug) ?? 0) + (results?.length ?? 1));
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

/** A failed item must not hold up the others. @returns undefined if it failed */
async function settle(item: DueItem, { workers, result, proven, failed }: Round): Promise<DueItemResult[] | undefined> {
  try {
    const results = [await workers[item.kind](item)].flat();
    for (const one of results) result[one]++;
    if (results.some((one) => one === 'done' || one === 'moved')) proven.add(item.kind);
    return results;
  } catch (error) {
    failed.push({ item: withoutContent(item), error });
    return undefined;
  }
}

/** The write that ends the work of an item. It is lost if somebody else changed the item first. */
export async function commitResult(result: DueItemResult, action: Action): Promise<DueItemResult> {
  try {
    await commit([action]);
    return result;
  } catch (error) {
    if (error instanceof WriteConflict) return 'lost';
    throw error;
  }
}

/** Thousands may fail in a round. */
const withoutContent = ({ pk, sk, kind, shop_slug, due_at, attempts, waiting_since }: DueItem): DueItem => ({
  ...{ pk, sk, kind, shop_slug, due_at },
  ...(attempts !== undefined && { attempts }),
  ...(waiting_since !== undefined && { waiting_since }),
});

const pageSize = 100;

/** The due items of one shard. Those that have waited longest come first. */
async function* duePages(shard: number, now: Date): AsyncGenerator<DueItem[]> {
  const pages = queryPages({
    ...itemsIn(partitionOf.due(shard), { index: 'lists', to: now.toISOString() }),
    Limit: pageSize,
  });
  for await (const page of pages) yield page as unknown as DueItem[];
}

/** These attempts take about twenty hours. The alarm fires after the first minutes of them. */
export const maxAttempts = 24;

const minuteMs = 60_000;

/** The pause after a fault of its own doubles from one minute up to an hour. */
export const pauseAfter = (attempts: number) => Math.min(2 ** (attempts - 1), 60) * minuteMs;

/** The next round tries it again, after those that have waited for longer. */
const pauseInOutageMs = minuteMs / 2;

/** A throttle or a lost race is over by then. */
export const overdueMs = 5 * minuteMs;

const maxConcurrentWrites = 40;

/** The time of a write. With less time left, the others stay where they are and the next round finds them. */
const neededToWriteMs = 2_000;

async function postponeAll(round: Round): Promise<void> {
  const postpone = async (failed: Failed): Promise<void> => {
    const waitedMs = round.now.getTime() - Date.parse(failed.item.waiting_since ?? failed.item.due_at);
    if (waitedMs >= overdueMs) round.result.overdue++;
    const result = round.remainingMs() < neededToWriteMs ? 'postponed' : await postponeOne(failed, round);
    round.result[result]++;
  };
  await mapConcurrently(round.failed, postpone, maxConcurrentWrites);
}

/**
 * Moves a failed item to a later time. It is given up only for its own fault: an error that is none of AWS or the network,
 * while others of its kind are done. Else it may be a bad deployment.
 */
async function postponeOne({ item, error }: Failed, { now, proven }: Round): Promise<'postponed' | 'given_up'> {
  const { kind, shop_slug: shop, attempts: before = 0 } = item;
  const isOwnFault = !isOutage(error) && proven.has(kind);
  const attempts = before + (isOwnFault ? 1 : 0);
  const isLast = isOwnFault && attempts >= maxAttempts;
  // The log gets only the name of the error, because its message may quote the data that was to be written.
  const { name: reason } = error as Error;
  logger.warn('not done', { kind, shop, attempts, reason });
  const later = new Date(now.getTime() + (isOwnFault ? pauseAfter(attempts) : pauseInOutageMs)).toISOString();
  try {
    await commit([isLast ? giveUpDue(item, reason, now) : moveDue(item, later, attempts)]);
  } catch (error) {
    // If even this write fails, the item stays due and the next round finds it. After a conflict, somebody else has
    // handled the item.
    if (!(error instanceof WriteConflict)) logger.warn('not postponed', { reason: (error as Error).name });
    return 'postponed';
  }
  return isLast ? 'given_up' : 'postponed';
}
