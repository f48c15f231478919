import { setTimeout as delay } from 'node:timers/promises';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { region } from '../physical-names.ts';
import { queueUrl } from '../queues-and-buckets.ts';
import type { EventSource } from './event-source.ts';
import { reportedFailures } from './item-failures.ts';
import type { Mapping } from './mapping.ts';

// A poll is never cut off: an emulator would hand a message to the closed connection, and it would be invisible until
// its visibility timeout. So a poll is short, and a stop waits for its end.
const longPollSeconds = 1;
const receiveLimit = 10;
const pauseAfterError = 1_000;

/** Polls a queue and hands batches to the function. Success deletes; failure leaves a message to its visibility timeout. */
export function startQueueSource(mapping: Mapping, client: SQSClient, log: (line: string) => void): EventSource {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();
  const QueueUrl = queueUrl(mapping.sourceArn);

  const receive = async (MaxNumberOfMessages: number, WaitTimeSeconds: number): Promise<Message[]> => {
    const command = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages,
      WaitTimeSeconds,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
    });
    return (await client.send(command)).Messages ?? [];
  };

  /** SQS gives ten messages at a time: a larger batch is filled within the batching window. */
  const receiveBatch = async (): Promise<Message[]> => {
    const batch = await receive(Math.min(mapping.batchSize, receiveLimit), longPollSeconds);
    const end = Date.now() + mapping.batchingWindowSeconds * 1000;
    while (batch.length > 0 && batch.length < mapping.batchSize && Date.now() < end && !signal.aborted) {
      const wait = Math.min(longPollSeconds, Math.ceil((end - Date.now()) / 1000));
      batch.push(...(await receive(Math.min(mapping.batchSize - batch.length, receiveLimit), wait)));
    }
    return batch;
  };

  const remove = async (messages: Message[]): Promise<void> => {
    for (let start = 0; start < messages.length; start += receiveLimit) {
      const Entries = messages.slice(start, start + receiveLimit).map(toEntry);
      await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    }
  };

  const giveBack = async (messages: Message[]): Promise<void> => {
    for (let start = 0; start < messages.length; start += receiveLimit) {
      const Entries = messages.slice(start, start + receiveLimit).map((message, index) => ({
        ...toEntry(message, index),
        VisibilityTimeout: 0,
      }));
      await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
    }
  };

  const deliver = async (messages: Message[]): Promise<void> => {
    const wanted = messages.filter((message) => mapping.accepts(filterView(message)));
    await remove(messages.filter((message) => !wanted.includes(message)));
    if (wanted.length === 0) return;
    const result = await mapping.pool.invoke({
      Records: wanted.map((message) => toRecord(message, mapping.sourceArn)),
    });
    if (!mapping.reportsItemFailures) return remove(wanted);
    const failed = reportedFailures(result, new Set(wanted.map(({ MessageId }) => MessageId ?? '')));
    if (failed) await remove(wanted.filter(({ MessageId }) => !failed.has(MessageId ?? '')));
  };

  const poll = async (): Promise<void> => {
    while (!signal.aborted) {
      if (running.size >= mapping.maximumConcurrency) {
        await Promise.race(running);
        continue;
      }
      try {
        const messages = await receiveBatch();
        if (messages.length === 0) continue;
        if (signal.aborted) return await giveBack(messages);
        const work: Promise<void> = deliver(messages)
          // The function's own error is in its log; the messages come back after their visibility timeout, or at once
          // when it was only our stop that cut the function short.
          .catch(() => (signal.aborted ? giveBack(messages) : undefined))
          .catch((error: Error) => log(`${mapping.logicalId}: ${error.message}`))
          .finally(() => running.delete(work));
        running.add(work);
      } catch (error) {
        if (signal.aborted) return;
        log(`${mapping.logicalId}: ${error instanceof Error ? error.message : String(error)}`);
        await delay(pauseAfterError, undefined, { signal }).catch(() => {});
      }
    }
  };

  const polling = poll();
  return {
    stop: async () => {
      stopping.abort();
      await polling;
    },
    settled: async () => {
      await Promise.all(running);
    },
  };
}

function toEntry(message: Message, index: number): { Id: string; ReceiptHandle: string | undefined } {
  return { Id: String(index), ReceiptHandle: message.ReceiptHandle };
}

/** A filter sees the body as JSON when it is JSON. */
function filterView(message: Message): Record<string, unknown> {
  const record = toRecord(message, '');
  try {
    return { ...record, body: JSON.parse(message.Body ?? '') };
  } catch {
    return record;
  }
}

function toRecord(message: Message, eventSourceARN: string): Record<string, unknown> {
  const attributes = Object.entries(message.MessageAttributes ?? {});
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(
      attributes.map(([name, { StringValue, BinaryValue, DataType }]) => [
        name,
        {
          ...(StringValue === undefined ? {} : { stringValue: StringValue }),
          ...(BinaryValue === undefined ? {} : { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
          stringListValues: [],
          binaryListValues: [],
          dataType: DataType,
        },
      ]),
    ),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN,
    awsRegion: region,
  };
}
