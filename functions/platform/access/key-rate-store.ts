import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { KeyRate } from './key-rate.ts';

/**
 * One bucket of units for each busy shop or SuperAdmin, which all execution environments share. It is stored as one time: that at which
 * the bucket is full again. So it needs no refilling, and a condition of one write decides.
 */

/** Takes units out of the bucket. Returns how long to wait because there are not enough, 0 if it got them. */
export async function takeUnits(subject: string, units: number, rate: KeyRate, now: number): Promise<number> {
  const ms = Math.ceil((units / rate.unitsPerSecond) * 1000);
  const empty = now + Math.ceil((rate.burst / rate.unitsPerSecond) * 1000);
  const [latest, possible] = [empty - ms, empty + clockToleranceMs];
  for (let round = 1; round <= maxRounds; round++) {
    const before = await takeFromUsed(subject, ms, now, latest);
    if (before === 'taken') return 0;
    if (before !== undefined && before > latest && before <= possible) return before - latest;
    if (await takeFromFull(subject, ms, now, possible)) return 0;
  }
  return collisionMs;
}

/** Of many environments that begin at once, one finds the bucket full. The others find it used in the second round. */
const maxRounds = 3;
const collisionMs = 1000;
/** A bucket that would be full later than this was written by a wrong clock, and would refuse the subject until then. */
const clockToleranceMs = 5000;

/** Otherwise returns when the bucket is full again, undefined if nobody ever used it. */
async function takeFromUsed(
  subject: string,
  ms: number,
  now: number,
  latest: number,
): Promise<'taken' | number | undefined> {
  try {
    await update(subject, {
      UpdateExpression: 'SET full_at = full_at + :ms, expires_at = :expires',
      ConditionExpression: 'full_at BETWEEN :now AND :latest',
      ExpressionAttributeValues: { ':ms': ms, ':now': now, ':latest': latest, ':expires': expiryAfter(latest + ms) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return 'taken';
  } catch (error) {
    if (!isRefused(error)) throw error;
    const fullAt = error.Item?.full_at?.N;
    return fullAt === undefined ? undefined : Number(fullAt);
  }
}

async function takeFromFull(subject: string, ms: number, now: number, possible: number): Promise<boolean> {
  try {
    await update(subject, {
      UpdateExpression: 'SET full_at = :next, expires_at = :expires',
      ConditionExpression: 'attribute_not_exists(full_at) OR full_at < :now OR full_at > :possible',
      ExpressionAttributeValues: {
        ':next': now + ms,
        ':now': now,
        ':possible': possible,
        ':expires': expiryAfter(now + ms),
      },
    });
    return true;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return false;
  }
}

const isRefused = (error: unknown): error is ConditionalCheckFailedException =>
  (error as Error).name === 'ConditionalCheckFailedException';

const update = (subject: string, input: Omit<UpdateCommandInput, 'TableName' | 'Key'>) =>
  table.send(new UpdateCommand({ TableName: tableName(), Key: keyOf.keyRate(subject), ...input }));

/** A full bucket need not be stored. */
const expiryAfter = (fullAt: number): number => Math.ceil(fullAt / 1000) + 60;
