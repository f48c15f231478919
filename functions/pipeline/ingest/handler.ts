import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { settleBatch } from '#platform/message-batch.ts';
import { ingest } from './ingest.ts';

/**
 * Records carrier updates from their queue. A message that fails by an outage of ours comes again, and one that can never
 * be recorded goes to the failure queue. It does not use `handleBatch`, because the messages of one parcel are recorded
 * together.
 */
export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const now = new Date();
  const { errors, written, recorded, passedOver, gone } = await ingest(Records, now, () =>
    context.getRemainingTimeInMillis(),
  );
  const outcomes = Records.map((message) => ({
    message,
    error: errors.get(message.messageId),
    isHandled: written.has(message.messageId) && !errors.has(message.messageId),
  }));
  return settleBatch(outcomes, queue, now, { recorded, passed_over: passedOver, gone });
}

const logged = 'carrier updates';
const queue = { logged, variable: 'CARRIER_UPDATES_QUEUE_URL', failures: 'CARRIER_UPDATES_FAILURES_QUEUE_URL' };
