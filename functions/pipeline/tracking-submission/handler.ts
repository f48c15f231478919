import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { shopsTakingUpdates } from '#domain/settings/stored-settings.ts';
import { type ProviderItem, providerFor, readProviders } from '#domain/tracking-providers/provider-store.ts';
import { enqueueRegistrations, enqueueTrackingRequests } from '#domain/tracking-providers/registration-queue.ts';
import { logger } from '#platform/logging.ts';
import { NotEnqueued } from '#platform/queue.ts';
import { streamBatchResponse } from '#platform/table/stream-answer.ts';
import type { TrackingRequest } from '#schemas/shapes/carrier-updates.ts';
import { toSubmission, withFailedMessage } from './requests.ts';

/**
 * Submits parcels that got a tracking number, from the table's stream: to the queue of our own connectors if a provider
 * takes the carrier, otherwise to the queue that a connector of the operator reads. It uses no batch processor, because
 * the settings of all shops are read at once, and parcels of several records share a request.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const submissions = Records.map(toSubmission);
  const enabledShops = await shopsTakingUpdates(submissions.map(({ slug }) => slug));
  const accepted = submissions.filter(({ slug }) => enabledShops.has(slug));
  const parcels = accepted.flatMap((submission) => submission.parcels);
  const backlogs = accepted.flatMap((submission) => submission.backlogs);
  const { registrations, requests } = byDestination(parcels, parcels.length > 0 ? await readProviders() : []);
  const refused = await Promise.all([
    refusedOf(enqueueRegistrations([...registrations, ...backlogs], new Date())),
    refusedOf(enqueueTrackingRequests(requests)),
  ]);
  const failed = new Set(refused.flat());
  logger.info('tracking requests', {
    requests: submissions.length,
    passed_over: submissions.length - accepted.length,
    submitted: parcels.length + backlogs.length - failed.size,
    failed: failed.size,
  });
  return streamBatchResponse(
    Records,
    withFailedMessage(accepted, failed).map(({ sequenceNumber }) => sequenceNumber),
  );
}

function byDestination(parcels: readonly TrackingRequest[], providers: readonly ProviderItem[]) {
  const isTaken = ({ carrier_reference }: TrackingRequest) => providerFor(carrier_reference, providers) !== undefined;
  return { registrations: parcels.filter(isTaken), requests: parcels.filter((parcel) => !isTaken(parcel)) };
}

/** The messages that the queue did not accept. */
async function refusedOf(sending: Promise<void>): Promise<readonly object[]> {
  try {
    await sending;
    return [];
  } catch (error) {
    if (!(error instanceof NotEnqueued)) throw error;
    return error.messages;
  }
}
