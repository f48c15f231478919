import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { AwsError } from '../aws/aws-error.ts';
import { queueName, queueUrl } from '../queues-and-buckets.ts';
import { fairest, type InProcess } from './fairest.ts';
import type { QueuedMessage } from './message.ts';
import { type Choose, md5Of } from './queue.ts';
import { type Sqs, systemAttributes } from './sqs.ts';

export interface QueueReader {
  /** Returns up to `max` messages, at most ten. Returns none after a while, or when the stack stops. */
  receive(max: number, work: Work): Promise<Message[]>;
  remove(messages: readonly Message[]): Promise<void>;
  /** Makes the messages visible again. */
  giveBack(messages: readonly Message[]): Promise<void>;
}

/** What the mapping is doing. */
export interface Work {
  inProcess(): InProcess;
  stopped: AbortSignal;
  /** Resolves when some messages are processed, or when the stack stops. */
  eased(): Promise<void>;
}

export const receiveLimit = 10;

// A poll is never aborted: an emulator could send a message to the closed connection, and the message would be
// invisible until its visibility timeout. So a poll is short, and a stop waits for its end.
const longPollSeconds = 1;

/** A queue in this process. It needs no requests, and messages of busy groups wait for those of quiet groups. */
export function ownQueueReader(sqs: Sqs, arn: string): QueueReader {
  const queue = sqs.queue(queueName(arn));
  const take = (max: number, inProcess: InProcess): Message[] => {
    const choose: Choose = (waiting) => fairest(waiting, max, ({ group }) => group, inProcess);
    return sqs.receive(queue, choose).map(toMessage);
  };
  return {
    receive: async (max, { inProcess, stopped, eased }) => {
      const messages = take(max, inProcess());
      if (messages.length > 0 || stopped.aborted) return messages;
      // All waiting messages may belong to groups that are at their limit. Then the next processed message makes room.
      await Promise.race([queue.arrival(longPollSeconds), eased()]);
      return stopped.aborted ? [] : take(max, inProcess());
    },
    remove: async (messages) => queue.delete(messages.map(({ ReceiptHandle = '' }) => ReceiptHandle)),
    giveBack: async (messages) => {
      for (const { ReceiptHandle = '' } of messages) {
        try {
          queue.changeVisibility(ReceiptHandle, 0);
        } catch (error) {
          // One that was removed, or is visible already, must not keep the others hidden.
          if (!(error instanceof AwsError)) throw error;
        }
      }
    },
  };
}

/** Converts a message to the form of the SDK. */
function toMessage(message: QueuedMessage): Message {
  const attributes = Object.entries(message.attributes).map(([name, { BinaryValue, ...value }]) => [
    name,
    { ...value, ...(BinaryValue !== undefined && { BinaryValue: Buffer.from(BinaryValue, 'base64') }) },
  ]);
  return {
    MessageId: message.id,
    ReceiptHandle: message.receipt,
    Body: message.body,
    MD5OfBody: md5Of(message.body),
    MessageAttributes: Object.fromEntries(attributes),
    Attributes: systemAttributes(message),
  };
}

/** A queue of another emulator, which decides itself how to serve message groups. */
export function sdkQueueReader(client: SQSClient, arn: string): QueueReader {
  const QueueUrl = queueUrl(arn);
  return {
    receive: async (max) => {
      const command = new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: max,
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
