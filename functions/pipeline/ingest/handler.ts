import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { causeInMessage, correlationIds } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { ingest } from './ingest.ts';

/**
 * Records carrier updates from their queue. A message that fails comes again and, after its last receive, goes to the
 * failure queue. It does not use `handleEach`, because the messages of one parcel are recorded together.
 */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const { recorded, passedOver, gone, failures } = await ingest(Records, new Date());
  const counts = {
    messages: Records.length,
    recorded,
    passed_over: passedOver,
    gone,
    failed: failures.size,
    correlation_ids: correlationIds(Records.map(causeInMessage)),
  };
  if (failures.size === 0) logger.info('carrier updates', counts);
  else logger.warn('carrier updates', { ...counts, failures: Object.fromEntries(failures) });
  return { batchItemFailures: [...failures.keys()].map((itemIdentifier) => ({ itemIdentifier })) };
}
