import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';

/** The first record of a batch failed. Lambda then halves the batch, until that record is alone. */
export class FirstRecordFailed extends Error {
  override readonly name = 'FirstRecordFailed';

  constructor() {
    super('The first record of the batch failed.');
  }
}

/**
 * The response of a function for a batch of the stream: the sequence numbers of the records to retry. Lambda continues
 * from the first of them. If that is the first record of the batch, Lambda would retry the whole batch until the
 * retries are used up, and drop all of it. Lambda halves a batch only if the function throws.
 */
export function streamBatchResponse(
  records: readonly DynamoDBRecord[],
  failed: readonly string[],
): DynamoDBBatchResponse {
  const isFirst = failed.includes(records[0]?.dynamodb?.SequenceNumber ?? '');
  if (isFirst && records.length > 1) throw new FirstRecordFailed();
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
