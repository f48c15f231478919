import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { parseMessage } from '#shared/deliveries/delivery-message.ts';
import { logger } from '#shared/logger.ts';
import { markFailed } from './failed-store.ts';

/** What the queue gave up on: recorded as failed, so that its merchant sees it and can send it again. */
export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const results = await Promise.all(Records.map(async ({ messageId, body }) => ({ messageId, ...(await end(body)) })));
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

async function end(body: string): Promise<Result> {
  const message = parseMessage(body);
  if (!message) return { recorded: false };
  const { delivery_id } = message;
  try {
    return { delivery_id, recorded: await markFailed(message, new Date()) };
  } catch (error) {
    return { delivery_id, recorded: false, error: (error as Error).name };
  }
}
