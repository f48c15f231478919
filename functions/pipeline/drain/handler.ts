import type { Context } from 'aws-lambda';
import { logger } from '#platform/logging.ts';
import { drain } from './drain.ts';

/**
 * Runs once a minute: sends what is due of the deliveries that wait in the table. It throws if retries or parked
 * deliveries could not be sent, because no queue shows that they wait, and the alarm on errors of functions does.
 */
export async function handler(_event: unknown, context: Context): Promise<void> {
  const { hasUnsentRetries, stuckCircuits, ...counts } = await drain(new Date(), () =>
    context.getRemainingTimeInMillis(),
  );
  if (counts.failed > 0) logger.warn('waiting deliveries', counts);
  else if (counts.circuits + counts.retries > 0) logger.info('waiting deliveries', counts);
  if (hasUnsentRetries) throw Object.assign(new Error('Some retries were not sent.'), { name: 'RetriesNotSent' });
  if (stuckCircuits > 0) {
    throw Object.assign(new Error('Some parked deliveries were not sent.'), { name: 'ParkedNotSent' });
  }
}
