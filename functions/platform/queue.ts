import { createHash } from 'node:crypto';
import type { SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { chunks, mapConcurrently } from './batches.ts';
import { logger } from './logging.ts';

/** Some messages are not on the queue. */
export class NotEnqueued<Message extends object = object> extends Error {
  readonly messages: readonly Message[];

  constructor(messages: readonly Message[]) {
    super(`${messages.length} messages were not enqueued`);
    this.name = 'NotEnqueued';
    this.messages = messages;
  }
}

export interface MessageQueue<Message> {
  /** Names the queue's address in the environment. */
  variable: string;
  /** Who shares the queue fairly with others: it serves them while one has many waiting. */
  groupOf: (message: Message) => string;
  delaySeconds?: number | undefined;
}

/** What SQS takes in one request. */
const maxEntries = 10;
const maxConcurrentRequests = 10;

/** Puts messages on a queue. Throws NotEnqueued with those that it did not take. */
export async function sendAll<Message extends object>(
  messages: readonly Message[],
  queue: MessageQueue<Message>,
): Promise<void> {
  const batches = chunks(messages, maxEntries);
  const refused = (await mapConcurrently(batches, (batch) => send(batch, queue), maxConcurrentRequests)).flat();
  if (refused.length > 0) throw new NotEnqueued(refused);
}

async function send<Message extends object>(
  batch: readonly Message[],
  queue: MessageQueue<Message>,
): Promise<Message[]> {
  const Entries = batch.map((message, i) => entryOf(message, String(i), queue));
  const { SQSClient, SendMessageBatchCommand } = await import('@aws-sdk/client-sqs');
  client ??= new SQSClient({});
  try {
    const request = new SendMessageBatchCommand({ QueueUrl: addressOf(queue.variable), Entries });
    const { Failed = [] } = await client.send(request);
    return Failed.map(({ Id }) => batch[Number(Id)]!);
  } catch (error) {
    logger.warn('messages were not enqueued', { reason: (error as Error).name, messages: batch.length });
    return [...batch];
  }
}

function entryOf<Message>(
  message: Message,
  Id: string,
  { groupOf, delaySeconds }: MessageQueue<Message>,
): SendMessageBatchRequestEntry {
  return {
    Id,
    MessageBody: JSON.stringify(message),
    MessageGroupId: groupId(groupOf(message)),
    ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
  };
}

/** What SQS takes as the name of a group. A slug of a hundred characters with a uuid behind it is more. */
const maxGroupLength = 128;

const groupId = (name: string): string =>
  name.length <= maxGroupLength ? name : createHash('sha256').update(name).digest('hex');

/** Loaded with the first message: most requests of the API send none. */
let client: SQSClient | undefined;

function addressOf(variable: string): string {
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set`);
  return url;
}
