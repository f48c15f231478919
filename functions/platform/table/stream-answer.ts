import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';

/** The first record of a batch failed: Lambda is to halve the batch, down to that record alone. */
export class FirstRecordFailed extends Error {
  override readonly name = 'BatchToHalve';

  constructor() {
    super('The first record of the batch failed.');
  }
}

/**
 * What a function answers of a batch of the stream: the sequence numbers of the records that are to come again. Lambda
 * goes on from the first of them. That shortens no batch which begins with it: its retries would run out with all that
 * follows, and all of it would be given up. Lambda halves only a batch whose function throws.
 */
export function streamBatchResponse(
  records: readonly DynamoDBRecord[],
  failed: readonly string[],
): DynamoDBBatchResponse {
  const isFirst = failed.includes(records[0]?.dynamodb?.SequenceNumber ?? '');
  if (isFirst && records.length > 1) throw new FirstRecordFailed();
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
