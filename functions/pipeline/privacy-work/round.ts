import { afterFailure, oneOfEachShop, type Work, type WorkName } from '#domain/privacy/work.ts';
import { dueWork, hold, release } from '#domain/privacy/work-store.ts';
import { describeError, logger } from '#platform/logging.ts';
import { privacyLimits as limits } from '#schemas/catalogues/limits.ts';

/** What a round, and the turn of a shop within it, may use. Tests bring their own clock, so nothing waits for time. */
export interface Turn {
  now(): Date;
  /** Between two steps: whether the time of the turn is over, and the next round has to go on. */
  isOver(): boolean;
  /** Before or after a write: waits until the table may take so many write units more. */
  spend(units: number): Promise<void>;
}

/**
 * Does a part of the work, and says when it goes on: at a time, or never, if it is done and the worker itself took it out
 * of the list. It can die at any step, so whatever it repeats must do no harm, and it saves how far it is with `ifHeld`.
 */
export type Worker = (work: Work, turn: Turn) => Promise<Date | 'done'>;

export interface Surroundings {
  now(): Date;
  /** Until the function would be stopped. */
  remainingMs(): number;
  spend(units: number): Promise<void>;
}

export interface RoundResult {
  turns: number;
  done: number;
  failed: number;
}

/** Also bounds a round whose work always has something left that takes no time. */
const maxTurns = 1000;

/** Takes what is due, in turns between shops, until nothing is left or the time of the round is over. */
export async function runRound(
  workers: Record<WorkName, Worker>,
  { now, remainingMs, spend }: Surroundings,
): Promise<RoundResult> {
  const result: RoundResult = { turns: 0, done: 0, failed: 0 };
  const end = now().getTime() + limits.roundSeconds * 1000;
  const isRoundOver = () => now().getTime() >= end || remainingMs() < limits.turnSeconds * 1000;
  for (let turnsBefore = -1; turnsBefore < result.turns && result.turns < maxTurns && !isRoundOver(); ) {
    turnsBefore = result.turns;
    for (const { pk, sk } of oneOfEachShop(await dueWork(now()))) {
      if (isRoundOver()) break;
      const work = await hold({ pk, sk }, now());
      if (!work) continue;
      const endOfTurn = now().getTime() + limits.turnSeconds * 1000;
      const isOver = () => isRoundOver() || now().getTime() >= endOfTurn;
      await takeTurn(workers[work.work], work, { now, isOver, spend }, result);
    }
  }
  return result;
}

/** A failure with one piece of work must not hold up the others. */
async function takeTurn(worker: Worker, work: Work, turn: Turn, result: RoundResult): Promise<void> {
  result.turns++;
  try {
    const next = await worker(work, turn);
    if (next === 'done') result.done++;
    else await release(work, next, { isWell: true });
  } catch (error) {
    result.failed++;
    logger.warn('privacy work failed', { shop: work.shop_slug, work: work.work, error: describeError(error) });
    await release(work, afterFailure(work.tries ?? 1, turn.now()), { isWell: false });
  }
}
