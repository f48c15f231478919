import type { SQSClient } from '@aws-sdk/client-sqs';
import { logger } from '#platform/logger.ts';
import type { Job } from './job.ts';

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
