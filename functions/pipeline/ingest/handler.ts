import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { causeInMessage, correlationIds } from '#platform/correlation.ts';
import { settle } from '#platform/failed-messages.ts';
import { logger } from '#platform/logging.ts';
import { ingest } from './ingest.ts';

/**
 * Records carrier updates from their queue. A message that fails by an outage of ours comes again, and one that can never
 * be recorded goes to the failure queue. It does not use `handleBatch`, because the messages of one parcel are recorded
 * together.
 */
export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const now = new Date();
  const { errors, written, ...result } = await ingest(Records, now, () => context.getRemainingTimeInMillis());
  const outcomes = Records.map((message) => ({
    message,
    error: errors.get(message.messageId),
    isHandled: written.has(message.messageId) && !errors.has(message.messageId),
  }));
  const { response, again, putAside } = await settle(outcomes, queue, now);
  const { recorded, passedOver, gone } = result;
  const counts = {
    messages: Records.length,
    recorded,
    passed_over: passedOver,
    gone,
    failed: errors.size,
    correlation_ids: correlationIds(Records.map(causeInMessage)),
  };
  if (errors.size === 0) logger.info('carrier updates', counts);
  else logger.warn('carrier updates', { ...counts, failures: Object.fromEntries([...again, ...putAside]) });
  return response;
}

const queue = { variable: 'CARRIER_UPDATES_QUEUE_URL', failures: 'CARRIER_UPDATES_FAILURES_QUEUE_URL' };
