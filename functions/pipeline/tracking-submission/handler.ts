import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { shopsTakingUpdates } from '#domain/settings/stored-settings.ts';
import { logger } from '#platform/logging.ts';
import { streamBatchResponse } from '#platform/table/stream-answer.ts';
import type { TrackingAggregator } from './aggregator.ts';
import { queueAggregator } from './aggregator.ts';
import { toSubmission, withFailedParcel } from './requests.ts';

/**
 * Submits parcels that got a tracking number, from the table's stream. Another aggregator needs only another
 * implementation of `TrackingAggregator`. It uses no batch processor, because the settings of all shops are read at
 * once, and parcels of several records share a request.
 */
export const handler = submitTo(queueAggregator);

export function submitTo(aggregator: TrackingAggregator) {
  return async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const submissions = Records.map(toSubmission);
    const enabledShops = await shopsTakingUpdates(submissions.map(({ slug }) => slug));
    const accepted = submissions.filter(({ slug }) => enabledShops.has(slug));
    const parcels = accepted.flatMap((submission) => submission.parcels);
    const failed = await aggregator.submit(parcels);
    logger.info('tracking requests', {
      requests: submissions.length,
      passed_over: submissions.length - accepted.length,
      submitted: parcels.length - failed.length,
      failed: failed.length,
    });
    return streamBatchResponse(
      Records,
      withFailedParcel(accepted, failed).map(({ sequenceNumber }) => sequenceNumber),
    );
  };
}
