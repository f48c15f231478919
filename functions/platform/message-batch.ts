import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { DynamoDBStreamEvent, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { causeInMessage, correlationIds } from './correlation.ts';
import { type MessageOutcome, type RetriedQueue, reservedMs, settle } from './failed-messages.ts';
import { logger } from './logging.ts';
import { UnknownForm } from './unknown-form.ts';
import { inTime, RecordFault } from './verdicts.ts';

/**
 * Handles the messages of a batch concurrently. A message whose handler throws is retried. `failures` says why, by its id:
 * the name of the error, never its text, which may contain customer data.
 */
export async function handleEach(
  event: SQSEvent,
  handle: (message: SQSRecord) => Promise<void>,
): Promise<{ response: SQSBatchResponse; failures: Map<string, string> }> {
  // One for each invocation, because the processor keeps the failures.
  const processor = new BatchProcessor(EventType.SQS);
  // If every message of a batch fails, the function itself must not count as failed.
  const response = await processPartialResponse(event, handle, processor, { throwOnFullBatchFailure: false });
  const failed = processor.failureMessages as SQSRecord[];
  const failures = new Map(failed.map(({ messageId }, i) => [messageId, processor.errors[i]!.name]));
  return { response, failures };
}

/** `nothing_to_do`: the message is done, but says nothing about the others. */
export type Handled = 'nothing_to_do' | undefined;

/**
 * Handles the messages of a batch concurrently. A message whose handler throws waits in its queue until an outage is
 * over, or is put aside if it is itself at fault. The log has one line for a batch.
 * @param counts what the log says of the batch besides
 */
export async function handleBatch(
  { Records }: SQSEvent,
  handle: (message: SQSRecord) => Promise<Handled>,
  queue: RetriedQueue,
  leftMs: number,
  counts: object = {},
): Promise<SQSBatchResponse> {
  const outcomes = await Promise.all(
    Records.map(async (message): Promise<MessageOutcome> => {
      try {
        const handled = await inTime(() => handle(message), leftMs - reservedMs);
        return { message, isHandled: handled === undefined };
      } catch (error) {
        return { message, error, isHandled: false };
      }
    }),
  );
  return settleBatch(outcomes, queue, new Date(), counts);
}

export async function settleBatch(
  outcomes: readonly MessageOutcome[],
  queue: RetriedQueue,
  now: Date,
  counts: object,
): Promise<SQSBatchResponse> {
  const { response, again, putAside } = await settle(outcomes, queue, now);
  const sizes = { messages: outcomes.length, ...counts, again: again.size, put_aside: putAside.size };
  const line = { ...sizes, correlation_ids: correlationIds(outcomes.map(({ message }) => causeInMessage(message))) };
  const reasons = Object.fromEntries([...again, ...putAside]);
  if (again.size + putAside.size === 0) logger.info(queue.logged, line);
  else logger.warn(queue.logged, { ...line, reasons });
  return response;
}

/** A function may read the stream and a queue. */
export const isOfQueue = (event: DynamoDBStreamEvent | SQSEvent): event is SQSEvent =>
  event.Records[0]?.eventSource === 'aws:sqs';

/** What a message of ours says. */
export function parsed<T extends object>(body: string): T {
  try {
    const message: unknown = JSON.parse(body);
    if (typeof message === 'object' && message !== null) return message as T;
  } catch {
    // It is none of ours.
  }
  throw new RecordFault('Malformed');
}

/** Throws if a field is no text: then a newer version wrote the message. */
export function requireTexts<T extends object>(value: T, ...fields: (keyof T & string)[]): T {
  if (fields.some((field) => typeof value[field] !== 'string')) throw new UnknownForm('A message has an unknown form.');
  return value;
}
