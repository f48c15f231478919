import type { Context } from 'aws-lambda';
import { logger } from '#platform/logging.ts';
import { drain } from './drain.ts';

/** Runs once a minute: probes the targets that are down, and releases the parked deliveries of those that are back. */
export async function handler(_event: unknown, context: Context): Promise<void> {
  const { circuits, probes, released, failed } = await drain(new Date(), () => context.getRemainingTimeInMillis());
  const counts = { circuits, probes, released, failed };
  if (failed > 0) logger.warn('open circuits', counts);
  else if (circuits > 0) logger.info('open circuits', counts);
}
