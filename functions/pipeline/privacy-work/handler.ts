import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import type { WorkName } from '#domain/privacy/work.ts';
import { logger } from '#platform/logging.ts';
import { privacyLimits as limits } from '#schemas/catalogues/limits.ts';
import { paceOf } from './pace.ts';
import { workOnRemoval } from './remove-shop.ts';
import { workOnRequest } from './requests.ts';
import { workOnRetention } from './retention.ts';
import { runRound, type Worker } from './round.ts';

export const workers: Record<WorkName, Worker> = {
  request: workOnRequest,
  retention: workOnRetention,
  removal: workOnRemoval,
};

const spend = paceOf(limits.writeUnits, Date.now, pause);

/**
 * Runs once a minute: works on requests of privacy, on retention and on the removal of shops. It throws if something failed,
 * because no queue shows that it waits, and the alarm on errors of functions does.
 */
export async function handler(_event: unknown, context: Context): Promise<void> {
  const result = await runRound(workers, {
    now: () => new Date(),
    remainingMs: () => context.getRemainingTimeInMillis(),
    spend,
  });
  if (result.turns > 0) logger.info('privacy', { ...result });
  if (result.failed > 0) throw Object.assign(new Error('Some privacy work failed.'), { name: 'PrivacyWorkFailed' });
}
