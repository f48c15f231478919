import type { Context } from 'aws-lambda';
import { logger } from '#platform/logging.ts';
import { drain } from './drain.ts';

/**
 * Runs once a minute: sends what is due of the deliveries that wait in the table. It throws if retries or parked
 * deliveries could not be sent, because no queue shows that they wait, and the alarm on errors of functions does.
 */
export async function handler(_event: unknown, context: Context): Promise<void> {
  const result = await drain(new Date(), () => context.getRemainingTimeInMillis());
  const { circuits, probes, released, retries, failed } = result;
  const counts = { circuits, probes, released, retries, failed };
  if (failed > 0) logger.warn('waiting deliveries', counts);
  else if (circuits + retries > 0) logger.info('waiting deliveries', counts);
  if (result.hasUnsentRetries) {
    throw Object.assign(new Error('Some retries were not sent.'), { name: 'RetriesNotSent' });
  }
  if (result.stuckCircuits > 0) {
    throw Object.assign(new Error('Some parked deliveries were not sent.'), { name: 'ParkedNotSent' });
  }
}
