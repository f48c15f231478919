import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { queueUrl } from '../queues-and-buckets.ts';

/** A queue as its mapping reads it. */
export interface QueueReader {
  /** At most so many messages, ten at the most; none after a while, or when the stack stops. */
  receive(most: number, work: Work): Promise<Message[]>;
  remove(messages: readonly Message[]): Promise<void>;
  /** Makes them visible again. */
  giveBack(messages: readonly Message[]): Promise<void>;
}

/** What the mapping is doing with the messages that it has. */
export interface Work {
  /** How many messages of each group are being worked on. */
  busy: ReadonlyMap<string, number>;
  stopped: AbortSignal;
  /** Resolves when some of the work is done, or when the stack stops. */
  eased(): Promise<void>;
}

export const receiveLimit = 10;

// A poll is never cut off: an emulator would hand a message to the closed connection, and it would be invisible until
// its visibility timeout. So a poll is short, and a stop waits for its end.
export const longPollSeconds = 1;

/** A queue of another emulator, which serves message groups as it does. */
export function sdkQueueReader(client: SQSClient, arn: string): QueueReader {
  const QueueUrl = queueUrl(arn);
  return {
    receive: async (most) => {
      const command = new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: most,
        WaitTimeSeconds: longPollSeconds,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      });
      return (await client.send(command)).Messages ?? [];
    },
    remove: async (messages) => {
      for (const Entries of entriesOf(messages)) {
        await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      }
    },
    giveBack: async (messages) => {
      for (const entries of entriesOf(messages)) {
        const Entries = entries.map((entry) => ({ ...entry, VisibilityTimeout: 0 }));
        await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
      }
    },
  };
}

function entriesOf(messages: readonly Message[]): { Id: string; ReceiptHandle: string | undefined }[][] {
  const entries = messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
  return Array.from({ length: Math.ceil(entries.length / receiveLimit) }, (_, i) =>
    entries.slice(i * receiveLimit, (i + 1) * receiveLimit),
  );
}
