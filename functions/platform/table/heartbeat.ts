import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { logger } from '#platform/logging.ts';
import type { StreamReader } from '#schemas/catalogues/stream-kinds.ts';
import { sortKeys } from '#schemas/catalogues/table.ts';
import { table, tableName } from './client.ts';
import { keyOf } from './keys.ts';
import { batchGet } from './reads.ts';
import { ownRegion } from './stream-mark.ts';

/**
 * Changes an item, so that the stream has a record. Lambda tells how old the records are that a function reads only when
 * it reads some. With a record in every minute, an age that is missing means that nobody reads the stream, not that nothing
 * happens. It is always the same item, of one write unit, and in no index.
 */
export async function beat(now: Date): Promise<void> {
  const Item = { ...keyOf.heartbeat(ownRegion()), at: now.toISOString() };
  await table.send(new PutCommand({ TableName: tableName(), Item }));
}

/**
 * Notes the last heartbeat of a batch that was handled, so that an operator sees how far behind the reader is. The item has
 * a sort key that no filter of the stream takes.
 */
export async function noteRead(reader: StreamReader, records: readonly DynamoDBRecord[]): Promise<void> {
  const last = records.findLast(isHeartbeat)?.dynamodb?.ApproximateCreationDateTime;
  if (last === undefined) return;
  const Item = { ...keyOf.lastRead(ownRegion(), reader), at: new Date(last * 1000).toISOString() };
  try {
    await table.send(new PutCommand({ TableName: tableName(), Item }));
  } catch (error) {
    logger.warn('heartbeat not noted', { reader, reason: (error as Error).name });
  }
}

/** When the heartbeats were written that these functions have read last. */
export async function lastReads(readers: readonly StreamReader[]): Promise<(string | undefined)[]> {
  const items = await batchGet(readers.map((reader) => keyOf.lastRead(ownRegion(), reader)));
  return items.map((item) => item?.at as string | undefined);
}

/** Of a batch without anything else nothing is read or logged. */
export const isHeartbeat = ({ dynamodb }: DynamoDBRecord): boolean => dynamodb?.Keys?.sk?.S === sortKeys.heartbeat;
