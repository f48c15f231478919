import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { logger } from '#platform/logging.ts';
import { streamBatchResponse } from '#platform/table/stream-answer.ts';
import { fanOut } from './fan-out.ts';

/**
 * Outgoing events, from the table's stream to one message for each endpoint or integration that wants them; and changes
 * of shipments, by which internal triggers are planned. No batch processor: from the first failure on nothing is queued.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const { planned, created, repeated, failures } = await fanOut(Records, new Date());
  const counts = { events: Records.length - planned, planned, created, repeated, failed: failures.size };
  if (failures.size === 0) logger.info('events', counts);
  else logger.warn('events', { ...counts, failures: Object.fromEntries(failures) });
  return streamBatchResponse(Records, [...failures.keys()]);
}
