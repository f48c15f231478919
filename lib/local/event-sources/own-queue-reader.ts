import type { Message } from '@aws-sdk/client-sqs';
import type { QueueStore } from '../fauxqs.ts';
import { groupAttribute } from '../message-groups.ts';
import { queueName } from '../queues-and-buckets.ts';
import type { VisibilityLimit } from '../sqs-visibility.ts';
import { fairest } from './fairest.ts';
import { longPollSeconds, type QueueReader } from './queue-reader.ts';

/** A queue of fauxqs, which runs in this process: no requests, messages of noisy groups wait for those of quiet ones. */
export function ownQueueReader(
  store: QueueStore,
  visibility: Pick<VisibilityLimit, 'received' | 'removed'>,
  arn: string,
): QueueReader {
  const queue = store.getQueueByName(queueName(arn));
  if (!queue) throw new Error(`The queue ${queueName(arn)} does not exist.`);

  /** fauxqs serves from the front of its list: those that are next stand there alone for a moment. */
  const take = (most: number, busy: ReadonlyMap<string, number>): Message[] => {
    queue.processTimers();
    const next = fairest(queue.messages, most, groupOf, busy);
    if (next.length === 0) return [];
    const chosen = new Set(next);
    const others = queue.messages.filter((message) => !chosen.has(message));
    queue.messages = next;
    const received = queue.dequeue(most, undefined, (deadLetters) => store.getQueueByArn(deadLetters));
    queue.messages = [...queue.messages, ...others];
    return received.map(({ MessageAttributes: _, ...message }) => {
      visibility.received(message.ReceiptHandle);
      return toMessage(message, queue.inflightMessages.get(message.ReceiptHandle)!.message);
    });
  };

  return {
    receive: async (most, { busy, stopped, eased }) => {
      const messages = take(most, busy);
      if (messages.length > 0 || stopped.aborted) return messages;
      // What waits may be of groups of which enough is being worked on: then the next that is done makes room.
      await Promise.race([queue.waitForMessages(longPollSeconds), eased()]);
      return stopped.aborted ? [] : take(most, busy);
    },
    remove: async (messages) => {
      for (const { ReceiptHandle = '' } of messages) {
        queue.deleteMessage(ReceiptHandle);
        visibility.removed(ReceiptHandle);
      }
    },
    giveBack: async (messages) => {
      for (const { ReceiptHandle = '' } of messages) queue.changeVisibility(ReceiptHandle, 0);
    },
  };
}

type Waiting = NonNullable<ReturnType<QueueStore['getQueueByName']>>['messages'][number];

const groupOf = ({ messageAttributes }: Waiting) => messageAttributes[groupAttribute]?.StringValue;

/** As the SDK would hand it over. */
function toMessage({ MessageId, ReceiptHandle, Body, MD5OfBody }: Message, message: Waiting): Message {
  const { [groupAttribute]: group, ...attributes } = message.messageAttributes;
  const values = Object.entries(attributes).map(([name, { BinaryValue, ...value }]) => [
    name,
    { ...value, ...(BinaryValue !== undefined && { BinaryValue: Buffer.from(BinaryValue, 'base64') }) },
  ]);
  return {
    MessageId,
    ReceiptHandle,
    Body,
    MD5OfBody,
    MessageAttributes: Object.fromEntries(values),
    Attributes: {
      SenderId: '000000000000',
      SentTimestamp: String(message.sentTimestamp),
      ApproximateReceiveCount: String(message.approximateReceiveCount),
      ApproximateFirstReceiveTimestamp: String(message.approximateFirstReceiveTimestamp),
      ...(group?.StringValue !== undefined && { MessageGroupId: group.StringValue }),
    },
  };
}
