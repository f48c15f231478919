import { createHash } from 'node:crypto';
import type { SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions } from './aws-client.ts';
import { chunks, mapConcurrently } from './batches.ts';
import { required } from './environment.ts';
import { logger } from './logging.ts';

/** The queue did not accept these messages. */
export class NotEnqueued<Message extends object = object> extends Error {
  readonly messages: readonly Message[];

  constructor(messages: readonly Message[]) {
    super(`${messages.length} messages were not sent to the queue`);
    this.name = 'NotEnqueued';
    this.messages = messages;
  }
}

export interface MessageQueue<Message> {
  /** The environment variable with the URL of the queue. */
  variable: string;
  /** The message group. A fair queue serves other groups while one has many messages waiting. */
  groupOf: (message: Message) => string | undefined;
  /** What the queue holds of the message, if that is not the message itself. A text is sent as it is. */
  contentOf?: (message: Message) => object | string;
  /** What stands beside the content. */
  attributesOf?: (message: Message) => Record<string, string>;
  /** After how many seconds the message can be received. */
  delayOf?: (message: Message) => number | undefined;
}

/** SQS holds a message back for no longer than this. Messages that are held back take no places in flight. */
export const maxDelaySeconds = 900;

/** SQS accepts this many messages in one request. */
export const maxEntries = 10;
const maxConcurrentRequests = 10;

/** Sends messages to a queue. Throws NotEnqueued with the messages that the queue did not accept. */
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
  const { SendMessageBatchCommand } = await import('@aws-sdk/client-sqs');
  try {
    const request = new SendMessageBatchCommand({ QueueUrl: required(queue.variable), Entries });
    const { Failed = [] } = await (await sqsClient()).send(request);
    return Failed.map(({ Id }) => batch[Number(Id)]!);
  } catch (error) {
    logger.warn('messages were not sent to the queue', { reason: (error as Error).name, messages: batch.length });
    return [...batch];
  }
}

function entryOf<Message>(
  message: Message,
  Id: string,
  { groupOf, contentOf, attributesOf, delayOf }: MessageQueue<Message>,
): SendMessageBatchRequestEntry {
  const DelaySeconds = delayOf?.(message);
  const content = contentOf?.(message) ?? message;
  const group = groupOf(message);
  const attributes = Object.entries(attributesOf?.(message) ?? {});
  return {
    Id,
    MessageBody: typeof content === 'string' ? content : JSON.stringify(content),
    ...(group !== undefined && { MessageGroupId: groupId(group) }),
    ...(attributes.length > 0 && { MessageAttributes: Object.fromEntries(attributes.map(textAttribute)) }),
    ...(DelaySeconds !== undefined && { DelaySeconds }),
  };
}

const textAttribute = ([name, StringValue]: [string, string]) => [name, { DataType: 'String', StringValue }] as const;

/** The longest group id of SQS. A slug of a hundred characters and a uuid are longer. */
const maxGroupLength = 128;

const groupId = (name: string): string =>
  name.length <= maxGroupLength ? name : createHash('sha256').update(name).digest('hex');

let client: SQSClient | undefined;

/** Loaded with the first message, because most API requests send none. */
export async function sqsClient(): Promise<SQSClient> {
  const { SQSClient } = await import('@aws-sdk/client-sqs');
  client ??= new SQSClient(clientOptions);
  return client;
}
