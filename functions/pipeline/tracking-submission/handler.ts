import type {
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
} from 'aws-lambda';
import { failuresOf, recordIn, requireNone } from '#domain/failures/put-aside.ts';
import { shopsTakingUpdates } from '#domain/settings/stored-settings.ts';
import { type ProviderItem, providerFor, readProviders } from '#domain/tracking-providers/provider-store.ts';
import { enqueueRegistrations, enqueueTrackingRequests } from '#domain/tracking-providers/registration-queue.ts';
import { logger } from '#platform/logging.ts';
import { handleEach } from '#platform/message-batch.ts';
import { NotEnqueued } from '#platform/queue.ts';
import { type RecordOutcome, streamBatchResponse } from '#platform/table/stream-verdicts.ts';
import type { TrackingRequest } from '#schemas/shapes/carrier-updates.ts';
import { type Submission, toSubmission, withFailedMessage } from './requests.ts';

/**
 * Submits parcels that got a tracking number, from the table's stream: to the queue of our own connectors if a provider
 * takes the carrier, otherwise to the queue that a connector of the operator reads. It uses no batch processor, because
 * the settings of all shops are read at once, and parcels of several records share a request.
 */
export function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse>;
export function handler(event: SQSEvent): Promise<SQSBatchResponse>;
export async function handler(
  event: DynamoDBStreamEvent | SQSEvent,
): Promise<DynamoDBBatchResponse | SQSBatchResponse> {
  if (isOfQueue(event)) return (await handleEach(event, ({ body }) => submitAgain(body))).response;
  return streamBatchResponse([...(await submitAll(event.Records)).keys()]);
}

const isOfQueue = (event: DynamoDBStreamEvent | SQSEvent): event is SQSEvent =>
  event.Records[0]?.eventSource === 'aws:sqs';

/** An operator sends a record again that was put aside. */
async function submitAgain(body: string): Promise<void> {
  const record = await recordIn(body);
  if (record) requireNone(await submitAll([record]));
}

/** Returns why a record must come again, by its sequence number. */
async function submitAll(records: readonly DynamoDBRecord[]): Promise<Map<string, string>> {
  const read = records.map(readSubmission);
  const again = await failuresOf(read, new Date());
  const refused = await submit(read.flatMap(({ submission }) => submission ?? []));
  for (const { sequenceNumber } of refused) again.set(sequenceNumber, 'NotEnqueued');
  return again;
}

function readSubmission(record: DynamoDBRecord): RecordOutcome & { submission?: Submission } {
  const about = { record, kind: record.dynamodb?.NewImage?.kind?.S ?? 'unknown' };
  try {
    return { ...about, isProof: true, submission: toSubmission(record) };
  } catch (error) {
    return { ...about, isProof: false, error };
  }
}

/** Returns the submissions that did not reach their queue. */
async function submit(submissions: readonly Submission[]): Promise<Submission[]> {
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
  return withFailedMessage(accepted, failed);
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
