import type { Context } from 'aws-lambda';
import type { RunDueItem } from '#domain/automations/run.ts';
import { enqueueRuns } from '#domain/automations/run-store.ts';
import { causeOf } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { type DueKind, removeDue, type StartRound } from '#platform/table/due-item.ts';
import { beat } from '#platform/table/heartbeat.ts';
import { internalTriggers } from './internal-triggers.ts';
import { commitResult, type DueResult, processDue } from './process-due.ts';
import { replanTriggers } from './replan-triggers.ts';

/**
 * Runs once a minute, processes what is due, and keeps the stream from being silent. It throws if something was given up or
 * keeps failing, because no queue shows that it waits, and the alarm on errors of functions does.
 */
export async function handler(_event: unknown, context: Context): Promise<void> {
  const now = new Date();
  const [result] = await Promise.all([
    processDue(kinds, now, () => context.getRemainingTimeInMillis()),
    // What is due does not wait for it: the alarms on the stream tell if it is missing.
    beat(now).catch((error: Error) => logger.warn('no heartbeat', { reason: error.name })),
  ]);
  report(result);
  if (result.given_up > 0) throw Object.assign(new Error('Something due was given up.'), { name: 'GivenUp' });
  if (result.overdue > 0) throw Object.assign(new Error('Something due keeps failing.'), { name: 'KeepsFailing' });
}

function report({ unfinished, ...counts }: DueResult): void {
  const needsAttention = unfinished || counts.postponed > 0 || counts.given_up > 0;
  if (needsAttention) logger.warn('due', { ...counts, unfinished });
  else if (Object.values(counts).some((count) => count > 0)) logger.info('due', { ...counts });
}

/**
 * Queues a run that is due, then removes it from the list. If the removal fails, the run is queued again, which does no
 * harm: a run acts only once.
 */
const automationRuns: StartRound = () => async (item) => {
  const run = item as RunDueItem;
  const { shop_slug, automation_id, run_id } = run;
  await enqueueRuns([{ shop_slug, automation_id, run_id, ...causeOf(run) }]);
  return commitResult('done', removeDue(item));
};

export const kinds: Record<DueKind, StartRound> = {
  internal_trigger: internalTriggers,
  trigger_replan: replanTriggers,
  automation_run: automationRuns,
};
