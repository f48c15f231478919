import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { causeInMessage, correlationIds } from './correlation.ts';

export interface MessageBatchResult {
  response: SQSBatchResponse;
  /** Why a message is retried, by its id: the name of the error, never its text, which may contain customer data. */
  failures: Map<string, string>;
  /** The requests that caused the messages, for the log. */
  correlations: string[];
}

/** Handles the messages of a batch concurrently. A message whose handler throws is retried. */
export async function handleEach(
  event: SQSEvent,
  handle: (message: SQSRecord) => Promise<void>,
): Promise<MessageBatchResult> {
  // One for each invocation, because the processor keeps the failures.
  const processor = new BatchProcessor(EventType.SQS);
  // If every message of a batch fails, the function itself must not count as failed.
  const response = await processPartialResponse(event, handle, processor, { throwOnFullBatchFailure: false });
  const failed = processor.failureMessages as SQSRecord[];
  const failures = new Map(failed.map(({ messageId }, i) => [messageId, processor.errors[i]!.name]));
  return { response, failures, correlations: correlationIds(event.Records.map(causeInMessage)) };
}
