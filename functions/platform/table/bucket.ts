import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from './client.ts';
import type { Key } from './reads.ts';

/**
 * A leaky bucket that all execution environments share. It is stored as one time: that until which everything that was
 * taken lasts. So it needs no refilling, and a condition of one write decides.
 */
export interface Bucket {
  key: Key;
  /** The name of that time in the item. */
  attribute: 'full_at' | 'next_at';
}

interface Share {
  /** How long the share lasts. */
  ms: number;
  /** The latest start of a share. */
  latest: number;
  /** A bucket whose time is later was written by a wrong clock, and would refuse everybody until then. */
  possible?: number;
}

/** When the share starts: now, or when the last one before it ends. Or how long to wait, because that is too late. */
export type Taken = { startsAt: number } | { waitMs: number };

export async function take(bucket: Bucket, share: Share, now: number): Promise<Taken> {
  const { ms, latest, possible = Number.MAX_SAFE_INTEGER } = share;
  for (let round = 1; round <= maxRounds; round++) {
    const used = await change(bucket, {
      to: '#at + :ms',
      condition: '#at BETWEEN :now AND :latest',
      values: { ':ms': ms, ':now': now, ':latest': latest },
      atMost: latest + ms,
    });
    if ('at' in used) return { startsAt: used.at - ms };
    const { before } = used;
    if (before !== undefined && before > latest && before <= possible) return { waitMs: before - latest };
    const unused = await change(bucket, {
      to: ':next',
      condition: 'attribute_not_exists(#at) OR #at < :now OR #at > :possible',
      values: { ':next': now + ms, ':now': now, ':possible': possible },
      atMost: now + ms,
    });
    if ('at' in unused) return { startsAt: now };
  }
  return { waitMs: collisionMs };
}

/** Of many environments that begin at once, one finds the bucket unused. The others find it used in the second round. */
const maxRounds = 3;
const collisionMs = 1000;

/** Takes everything up to a time. Does nothing if it is taken already. */
export async function takeAllUntil(bucket: Bucket, time: number): Promise<void> {
  const condition = 'attribute_not_exists(#at) OR #at < :next';
  await change(bucket, { to: ':next', condition, values: { ':next': time }, atMost: time });
}

interface Change {
  to: string;
  condition: string;
  values: Record<string, number>;
  /** The time of the bucket after the change is not later. */
  atMost: number;
}

/** The time of the bucket after the change. If the condition failed: before it, undefined if nobody ever used the bucket. */
async function change(
  { key, attribute }: Bucket,
  { to, condition, values, atMost }: Change,
): Promise<{ at: number } | { before: number | undefined }> {
  const update = new UpdateCommand({
    TableName: tableName(),
    Key: key,
    UpdateExpression: `SET #at = ${to}, expires_at = :expires`,
    ConditionExpression: condition,
    ExpressionAttributeNames: { '#at': attribute },
    // A bucket of which nothing is taken need not be stored.
    ExpressionAttributeValues: { ...values, ':expires': Math.ceil(atMost / 1000) },
    ReturnValues: 'UPDATED_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const answer = await table.send(update);
    return { at: answer?.Attributes?.[attribute] ?? atMost };
  } catch (error) {
    if ((error as Error).name !== 'ConditionalCheckFailedException') throw error;
    const before = (error as ConditionalCheckFailedException).Item?.[attribute]?.N;
    return { before: before === undefined ? undefined : Number(before) };
  }
}
