import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { sortKeys } from '#schemas/catalogues/table.ts';
import { table, tableName } from './client.ts';
import { keyOf } from './keys.ts';
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

/** Of a batch without anything else nothing is read or logged. */
export const isHeartbeat = ({ dynamodb }: DynamoDBRecord): boolean => dynamodb?.Keys?.sk?.S === sortKeys.heartbeat;
