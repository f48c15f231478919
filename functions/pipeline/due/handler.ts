import type { Context } from 'aws-lambda';
import type { DueKind, StartRound } from '#domain/due/due-item.ts';
import { logger } from '#platform/logging.ts';
import { automationRuns } from './automation-runs.ts';
import { internalTriggers } from './internal-triggers.ts';
import { type DueResult, processDue } from './process-due.ts';
import { replanTriggers } from './replan-triggers.ts';

/** Once a minute: does what is due. */
export async function handler(_event: unknown, context: Context): Promise<void> {
  const outcome = await processDue(kinds, new Date(), () => context.getRemainingTimeInMillis());
  report(outcome);
  // The alarm on this function's errors tells somebody.
  if (outcome.given_up > 0) throw Object.assign(new Error('Something due was given up.'), { name: 'GivenUp' });
}

function report({ unfinished, ...counts }: DueResult): void {
  const isTrouble = unfinished || counts.postponed > 0 || counts.given_up > 0;
  if (isTrouble) logger.warn('due', { ...counts, unfinished });
  else if (Object.values(counts).some((count) => count > 0)) logger.info('due', { ...counts });
}

/** Who does what is due. */
export const kinds: Record<DueKind, StartRound> = {
  internal_trigger: internalTriggers,
  trigger_replan: replanTriggers,
  automation_run: automationRuns,
};
