import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { shopsTakingUpdates } from '#domain/settings/stored-settings.ts';
import { logger } from '#platform/logging.ts';
import { streamBatchResponse } from '#platform/table/stream-answer.ts';
import type { TrackingAggregator } from './aggregator.ts';
import { queueAggregator } from './aggregator.ts';
import { toSubmission, withAnyOf } from './requests.ts';

/**
 * Parcels that got their number, from the table's stream. Another aggregator is another adapter of the port. No batch
 * processor: the settings of all shops are read at once, and parcels of several records share a request.
 */
export const handler = submitTo(queueAggregator);

export function submitTo(aggregator: TrackingAggregator) {
  return async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const submissions = Records.map(toSubmission);
    const taking = await shopsTakingUpdates(submissions.map(({ slug }) => slug));
    const wanted = submissions.filter(({ slug }) => taking.has(slug));
    const parcels = wanted.flatMap((submission) => submission.parcels);
    const failed = await aggregator.submit(parcels);
    logger.info('tracking requests', {
      requests: submissions.length,
      passed_over: submissions.length - wanted.length,
      submitted: parcels.length - failed.length,
      failed: failed.length,
    });
    return streamBatchResponse(
      Records,
      withAnyOf(wanted, failed).map(({ sequenceNumber }) => sequenceNumber),
    );
  };
}
