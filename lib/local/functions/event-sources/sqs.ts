import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '@aws-sdk/client-sqs';
import { type QueueReader, receiveLimit, type Work } from '../../queues/queue-reader.ts';
import { region } from '../../template/physical-names.ts';
import type { EventSource } from './event-source.ts';
import { reportedFailures } from './item-failures.ts';
import type { Mapping } from './mapping.ts';

const pauseAfterError = 1_000;

/** Polls a queue and hands batches to the function. Success deletes; failure leaves a message to its visibility timeout. */
export function startQueueSource(mapping: Mapping, queue: QueueReader, log: (line: string) => void): EventSource {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();
  /** How many messages of each group are being worked on. */
  const busy = new Map<string, number>();

  const count = (messages: readonly Message[], change: 1 | -1): void => {
    for (const { Attributes } of messages) {
      const group = Attributes?.MessageGroupId;
      if (group === undefined) continue;
      const left = (busy.get(group) ?? 0) + change;
      if (left > 0) busy.set(group, left);
      else busy.delete(group);
    }
  };

  let easing = Promise.withResolvers<void>();
  const ease = (): void => {
    easing.resolve();
    easing = Promise.withResolvers();
  };

  const work: Work = { busy, stopped: signal, eased: () => easing.promise };
  const receive = (most: number) => queue.receive(Math.min(most, receiveLimit), work);

  /** SQS gives ten messages at a time: a larger batch is filled within the batching window. */
  const receiveBatch = async (): Promise<Message[]> => {
    const batch = await receive(mapping.batchSize);
    const end = Date.now() + mapping.batchingWindowSeconds * 1000;
    while (batch.length > 0 && batch.length < mapping.batchSize && Date.now() < end && !signal.aborted) {
      batch.push(...(await receive(mapping.batchSize - batch.length)));
    }
    return batch;
  };

  const deliver = async (messages: Message[]): Promise<void> => {
    const wanted = messages.filter((message) => mapping.accepts(filterView(message)));
    await queue.remove(messages.filter((message) => !wanted.includes(message)));
    if (wanted.length === 0) return;
    const result = await mapping.pool.invoke({
      Records: wanted.map((message) => toRecord(message, mapping.sourceArn)),
    });
    if (!mapping.reportsItemFailures) return queue.remove(wanted);
    const failed = reportedFailures(result, new Set(wanted.map(({ MessageId }) => MessageId ?? '')));
    if (failed) await queue.remove(wanted.filter(({ MessageId }) => !failed.has(MessageId ?? '')));
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
        if (signal.aborted) return await queue.giveBack(messages);
        count(messages, 1);
        const run: Promise<void> = deliver(messages)
          // The function's own error is in its log; the messages come back after their visibility timeout, or at once
          // when it was only our stop that cut the function short.
          .catch(() => (signal.aborted ? queue.giveBack(messages) : undefined))
          .catch((error: Error) => log(`${mapping.logicalId}: ${error.message}`))
          .finally(() => {
            count(messages, -1);
            running.delete(run);
            ease();
          });
        running.add(run);
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
      ease();
      await polling;
    },
    settled: async () => {
      await Promise.all(running);
    },
  };
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
