import { moveDue, retireDue } from '#domain/due/due-actions.ts';
import type { DueItem } from '#domain/due/due-item.ts';
import { logger } from '#platform/logger.ts';
import { ConditionLost, transact } from '#platform/table/conditional-writes.ts';

/** About twenty hours: longer than a fault that somebody is told of takes to mend. */
export const mostAttempts = 24;

const keptForDays = 30;
const minute = 60_000;

/** Minutes until the next try: 1, 2, 4, … up to an hour. */
export const pauseAfter = (attempts: number) => Math.min(2 ** (attempts - 1), 60) * minute;

/** What failed comes again later, and is given up after many tries. */
export async function postpone(item: DueItem, now: Date): Promise<'postponed' | 'given_up'> {
  const attempts = (item.attempts ?? 0) + 1;
  const isLast = attempts >= mostAttempts;
  const later = new Date(now.getTime() + pauseAfter(attempts)).toISOString();
  const action = isLast ? retireDue(item, 'given_up_at', now, keptForDays) : moveDue(item, later, attempts);
  try {
    await transact([action]);
  } catch (error) {
    // Where even this fails the item stays due, and the next round finds it; lost, somebody else looked after it.
    if (!(error instanceof ConditionLost)) logger.warn('not postponed', { reason: (error as Error).name });
    return 'postponed';
  }
  return isLast ? 'given_up' : 'postponed';
}
