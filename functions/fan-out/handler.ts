import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { logger } from '#shared/logger.ts';
import { fanOut } from './fan-out.ts';

/** Outgoing events, from the table's stream to one message for each endpoint or integration that wants them. */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const { created, repeated, failures } = await fanOut(Records, new Date());
  const counts = { events: Records.length, created, repeated, failed: failures.size };
  if (failures.size === 0) logger.info('events', counts);
  else logger.warn('events', { ...counts, failures: Object.fromEntries(failures) });
  return { batchItemFailures: [...failures.keys()].map((itemIdentifier) => ({ itemIdentifier })) };
}
