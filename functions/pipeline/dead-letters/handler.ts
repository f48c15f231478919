import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { parseMessage } from '#domain/deliveries/delivery-message.ts';
import { logger } from '#platform/logger.ts';
import { markFailed } from './failed-store.ts';

/** What the queue gave up on: recorded as failed, so that its merchant sees it and can send it again. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const results = await Promise.all(
    Records.map(async (record) => ({ messageId: record.messageId, ...(await end(record)) })),
  );
  const again = results.filter(({ error }) => error !== undefined);
  logger.warn('dead letters', {
    letters: results.map(({ messageId: message_id, ...result }) => ({ message_id, ...result })),
  });
  return { batchItemFailures: again.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

interface Result {
  delivery_id?: string;
  recorded: boolean;
  error?: string;
}

async function end({ body, attributes }: SQSRecord): Promise<Result> {
  const message = parseMessage(body);
  if (!message) return { recorded: false };
  const { delivery_id } = message;
  try {
    // When it was put on the queue of deliveries: a dead letter keeps that.
    const sentAt = new Date(Number(attributes.SentTimestamp));
    return { delivery_id, recorded: await markFailed(message, sentAt, new Date()) };
  } catch (error) {
    return { delivery_id, recorded: false, error: (error as Error).name };
  }
}
