import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '@aws-sdk/client-sqs';
import { type QueueReader, receiveLimit, type Work } from '../../queues/queue-reader.ts';
import { region } from '../../template/physical-names.ts';
import type { EventSource } from './event-source.ts';
import { reportedFailures } from './item-failures.ts';
import type { Mapping } from './mapping.ts';
import { trackProcessing } from './processing.ts';

const errorPauseMs = 1_000;
const maxWindowMs = 1_000;

/**
 * Polls a queue and passes batches to the function. After success messages are deleted. After a failure a message
 * returns after its visibility timeout.
 */
export function startQueueSource(mapping: Mapping, queue: QueueReader, log: (line: string) => void): EventSource {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();
  const processing = trackProcessing();

  let workDone = Promise.withResolvers<void>();
  /** A new promise for each wait, of which there is one at a time: where nothing is done, one would keep something of every wait. */
  const eased = (): Promise<void> => {
    workDone = Promise.withResolvers();
    return workDone.promise;
  };

  const work: Work = { inProcess: processing.inProcess, stopped: signal, eased };
  const receive = (max: number) => queue.receive(Math.min(max, receiveLimit), work);

  /**
   * SQS returns at most ten messages at a time. A larger batch is filled during the batching window, of a second at most. A smaller
   * one would wait for nothing here: on AWS it saves money, and a person at this machine would notice it.
   */
  const receiveBatch = async (): Promise<Message[]> => {
    const batch = await receive(mapping.batchSize);
    const end =
      Date.now() + (mapping.batchSize > receiveLimit ? Math.min(mapping.batchingWindowSeconds * 1000, maxWindowMs) : 0);
    while (batch.length > 0 && batch.length < mapping.batchSize && Date.now() < end && !signal.aborted) {
      batch.push(...(await receive(mapping.batchSize - batch.length)));
    }
    return batch;
  };

  const deliver = async (messages: Message[]): Promise<void> => {
    const accepted = messages.filter((message) => mapping.accepts(filterView(message)));
    await queue.remove(messages.filter((message) => !accepted.includes(message)));
    if (accepted.length === 0) return;
    const result = await mapping.pool.invoke({
      Records: accepted.map((message) => toRecord(message, mapping.sourceArn)),
    });
    if (!mapping.reportsItemFailures) return queue.remove(accepted);
    const failed = reportedFailures(result, new Set(accepted.map(({ MessageId }) => MessageId ?? '')));
    if (failed) await queue.remove(accepted.filter(({ MessageId }) => !failed.has(MessageId ?? '')));
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
        const processed = processing.begin(messages);
        const run: Promise<void> = deliver(messages)
          // The error of the function is in its log. The messages return after their visibility timeout, or at once if
          // only our stop interrupted the function.
          .catch(() => (signal.aborted ? queue.giveBack(messages) : undefined))
          .catch((error: Error) => log(`${mapping.logicalId}: ${error.message}`))
          .finally(() => {
            processed();
            running.delete(run);
            workDone.resolve();
          });
        running.add(run);
      } catch (error) {
        if (signal.aborted) return;
        log(`${mapping.logicalId}: ${error instanceof Error ? error.message : String(error)}`);
        await delay(errorPauseMs, undefined, { signal }).catch(() => {});
      }
    }
  };

  const polling = poll();
  return {
    stop: async () => {
      stopping.abort();
      workDone.resolve();
      await polling;
    },
    settled: async () => {
      await Promise.all(running);
    },
  };
}

/** A filter gets the body as JSON if it is JSON. */
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
