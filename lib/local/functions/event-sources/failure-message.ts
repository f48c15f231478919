import { randomUUID } from 'node:crypto';
import type { FailureCondition } from './stream-batch.ts';
import type { EventRecord } from './stream-record.ts';

/**
 * What AWS sends to the on-failure destination of a stream mapping. It has the position of the records. The records
 * themselves are added for a bucket only.
 */
export function failureMessage(
  records: EventRecord[],
  condition: FailureCondition,
  attempts: number,
  source: { functionArn: string; streamArn: string; shardId: string },
): Record<string, unknown> {
  const first = records[0]?.dynamodb;
  const last = records.at(-1)?.dynamodb;
  const time = (seconds: number | undefined) => new Date((seconds ?? 0) * 1000).toISOString();
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn: source.functionArn,
      condition,
      approximateInvokeCount: attempts,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId: source.shardId,
      startSequenceNumber: first?.SequenceNumber,
      endSequenceNumber: last?.SequenceNumber,
      approximateArrivalOfFirstRecord: time(first?.ApproximateCreationDateTime),
      approximateArrivalOfLastRecord: time(last?.ApproximateCreationDateTime),
      batchSize: records.length,
      streamArn: source.streamArn,
    },
  };
}

/** The name of the object that AWS writes into a bucket. */
export function failureKey(mappingId: string, shardId: string, at: Date): string {
  const [day, time] = at.toISOString().slice(0, 19).split('T') as [string, string];
  const moment = `${day}T${time.replaceAll(':', '.')}`;
  return ['aws/lambda', mappingId, shardId, ...day.split('-'), `${moment}-${randomUUID()}`].join('/');
}
