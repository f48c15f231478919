import type { SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { chunks } from '#shared/chunks.ts';
import { logger } from '#shared/logger.ts';
import type { DeliveryMessage } from './model.ts';

/** A message may carry more than the reference, such as the mark of a probe. */
export interface QueuedDelivery extends DeliveryMessage {
  probe?: boolean;
}

/** Some messages are not on the queue. */
export class NotEnqueued extends Error {
  readonly messages: readonly QueuedDelivery[];

  constructor(messages: readonly QueuedDelivery[]) {
    super(`${messages.length} deliveries were not enqueued`);
    this.name = 'NotEnqueued';
    this.messages = messages;
  }
}

/** What SQS takes in one request. */
const mostEntries = 10;
const requestsAtOnce = 10;

/**
 * Puts deliveries on the queue. The message group is the target: a fair queue then serves the others while one has
 * many waiting. Throws NotEnqueued with those that the queue did not take.
 */
export async function enqueue(
  messages: readonly QueuedDelivery[],
  { delaySeconds }: { delaySeconds?: number } = {},
): Promise<void> {
  const refused: QueuedDelivery[] = [];
  for (const part of chunks(chunks(messages, mostEntries), requestsAtOnce)) {
    refused.push(...(await Promise.all(part.map((batch) => send(batch, delaySeconds)))).flat());
  }
  if (refused.length > 0) throw new NotEnqueued(refused);
}

async function send(batch: readonly QueuedDelivery[], delaySeconds: number | undefined): Promise<QueuedDelivery[]> {
  const Entries = batch.map((message, i) => entryOf(message, String(i), delaySeconds));
  const { SQSClient, SendMessageBatchCommand } = await import('@aws-sdk/client-sqs');
  client ??= new SQSClient({});
  try {
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl(), Entries }));
    return Failed.map(({ Id }) => batch[Number(Id)]!);
  } catch (error) {
    logger.warn('deliveries were not enqueued', { reason: (error as Error).name, deliveries: batch.length });
    return [...batch];
  }
}

function entryOf(message: QueuedDelivery, Id: string, delaySeconds: number | undefined): SendMessageBatchRequestEntry {
  return {
    Id,
    MessageBody: JSON.stringify(message),
    MessageGroupId: `${message.shop_slug}#${message.target}`,
    ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
  };
}

/** Loaded with the first message: most requests of the API send none. */
let client: SQSClient | undefined;

function queueUrl(): string {
  const url = process.env.DELIVERY_QUEUE_URL;
  if (!url) throw new Error('DELIVERY_QUEUE_URL is not set');
  return url;
}
