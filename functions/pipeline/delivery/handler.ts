import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { isOpen, recordAbandoned, recordFailure, recordSuccess } from '#domain/deliveries/circuit-store.ts';
import { logger } from '#platform/logging.ts';
import { deliverBatch } from './deliver-batch.ts';
import { destinationOf } from './destination.ts';
import type { Job, Ports } from './job.ts';
import { createPost } from './post.ts';

/** Deliveries from their queue to merchants' systems. No `handleEach`: those of one target share its circuit and its turn. */
export const handler = deliverThrough({
  post: createPost(),
  destinationOf,
  circuit: { isOpen, recordAbandoned, recordSuccess, recordFailure },
  hide,
  now: () => new Date(),
  random: Math.random,
});

function deliverThrough(ports: Ports) {
  return async ({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const { again } = await deliverBatch(Records, ports, () => context.getRemainingTimeInMillis());
    const counts = { messages: Records.length, again: again.size };
    if (again.size === 0) logger.info('deliveries', counts);
    else logger.warn('deliveries', { ...counts, reasons: Object.fromEntries(again) });
    return { batchItemFailures: [...again.keys()].map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

/** Where the queue does not take it, the message comes back after the queue's own visibility timeout: never lost. */
export async function hide({ receiptHandle: ReceiptHandle, messageId }: Job, VisibilityTimeout: number): Promise<void> {
  try {
    const { SQSClient, ChangeMessageVisibilityCommand } = await import('@aws-sdk/client-sqs');
    client ??= new SQSClient({});
    await client.send(new ChangeMessageVisibilityCommand({ QueueUrl: queueUrl(), ReceiptHandle, VisibilityTimeout }));
  } catch (error) {
    logger.warn('back-off not set', { message_id: messageId, reason: (error as Error).name });
  }
}

/** Loaded with the first failure: a batch that arrives needs none. */
let client: SQSClient | undefined;

function queueUrl(): string {
  const url = process.env.DELIVERY_QUEUE_URL;
  if (!url) throw new Error('DELIVERY_QUEUE_URL is not set');
  return url;
}
