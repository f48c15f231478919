import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';

export interface MessageBatchResult {
  response: SQSBatchResponse;
  /** Why a message comes again, by its id: the name of the error, never its text, which may quote what was to be written. */
  failures: Map<string, string>;
}

/** Handles the messages of a queue one by one, side by side. A message whose handler throws comes again. */
export async function handleEach(
  event: SQSEvent,
  handle: (message: SQSRecord) => Promise<void>,
): Promise<MessageBatchResult> {
  // One for each invocation: it keeps what failed.
  const processor = new BatchProcessor(EventType.SQS);
  // A batch of which every message fails is no fault of the function: it must not count as an error of it.
  const response = await processPartialResponse(event, handle, processor, { throwOnFullBatchFailure: false });
  const failed = processor.failureMessages as SQSRecord[];
  return { response, failures: new Map(failed.map(({ messageId }, i) => [messageId, processor.errors[i]!.name])) };
}
