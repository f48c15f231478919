import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { chunks } from '#platform/batches.ts';
import { logger } from '#platform/logging.ts';
import type { TrackingRequest } from '#schemas/shapes/carrier-updates.ts';

/** The service that tracks parcels for us. Its updates come back through the queue of carrier updates. */
export interface TrackingAggregator {
  /** Submits the parcels and returns those that were not accepted. The same parcel may be submitted again. */
  submit(parcels: readonly TrackingRequest[]): Promise<readonly TrackingRequest[]>;
}

const client = new SQSClient({});

/** SQS accepts at most this many messages in one request. */
const maxEntries = 10;

/** Writes each parcel to a queue that an aggregator's own connector reads. */
export const queueAggregator: TrackingAggregator = {
  submit: async (parcels) => (await Promise.all(chunks(parcels, maxEntries).map(send))).flat(),
};

async function send(parcels: readonly TrackingRequest[]): Promise<TrackingRequest[]> {
  try {
    const Entries = parcels.map((parcel, i) => ({ Id: String(i), MessageBody: JSON.stringify(parcel) }));
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl(), Entries }));
    return Failed.map(({ Id }) => parcels[Number(Id)]!);
  } catch (error) {
    logger.warn('parcels were not sent', { reason: (error as Error).name, parcels: parcels.length });
    return [...parcels];
  }
}

function queueUrl(): string {
  const url = process.env.TRACKING_REQUESTS_QUEUE_URL;
  if (!url) throw new Error('TRACKING_REQUESTS_QUEUE_URL is not set');
  return url;
}
