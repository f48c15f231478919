import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { logger } from '#platform/logging.ts';
import { maxDelaySeconds } from '#platform/queue.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { WriteConflict, write } from '#platform/table/writes.ts';

/**
 * The pace of requests to a target that limits their rate. All execution environments share one item: the time of the
 * next free turn. Each request takes a turn and moves that time on. After a pause, some requests may go at once.
 */
export interface Pace {
  perMinute: number;
  burst: number;
}

/** `hasTurn`: the wait is exact, and the requests need not ask again. */
export interface Turn {
  waitSeconds: number;
  hasTurn: boolean;
}

/** Nobody takes a turn that is further away. */
export const maxWaitSeconds = maxDelaySeconds;

const intervalMsOf = ({ perMinute }: Pace): number => 60_000 / perMinute;

const atOnce: Turn = { waitSeconds: 0, hasTurn: true };

/** Takes turns for that many requests. A pace that cannot be read or written does not stop a delivery. */
export async function takeTurns(slug: string, target: string, count: number, pace: Pace, now: Date): Promise<Turn> {
  const intervalMs = intervalMsOf(pace);
  try {
    const firstAt = await moveOn(slug, target, Math.ceil(count * intervalMs), now.getTime());
    if (firstAt === undefined) return { waitSeconds: maxWaitSeconds, hasTurn: false };
    const waitMs = firstAt - now.getTime() - pace.burst * intervalMs;
    return waitMs <= 0 ? atOnce : { waitSeconds: Math.ceil(waitMs / 1000), hasTurn: true };
  } catch (error) {
    logger.warn('pace out of reach', { reason: (error as Error).name });
    return atOnce;
  }
}

/** The target has asked us to wait: nobody gets an earlier turn, also none of those that may go at once. */
export async function postpone(slug: string, target: string, seconds: number, pace: Pace, now: Date): Promise<void> {
  const next = Math.ceil(now.getTime() + seconds * 1000 + pace.burst * intervalMsOf(pace));
  try {
    await update(slug, target, { next, condition: 'attribute_not_exists(next_at) OR next_at < :next' }, now.getTime());
  } catch (error) {
    // A failed condition means that the next turn is later anyway.
    if (!(error instanceof WriteConflict)) logger.warn('pace out of reach', { reason: (error as Error).name });
  }
}

/** Returns the time of the first turn. Undefined if it is too far away. */
async function moveOn(slug: string, target: string, ms: number, now: number): Promise<number | undefined> {
  // The second round is for the case that somebody else wrote between the two conditions of the first.
  for (let round = 1; round <= 2; round++) {
    const firstAt =
      (await unlessRefused(afterOthers(slug, target, ms, now))) ??
      (await unlessRefused(fromNow(slug, target, ms, now)));
    if (firstAt !== undefined) return firstAt;
  }
  return undefined;
}

async function unlessRefused(writing: Promise<number>): Promise<number | undefined> {
  try {
    return await writing;
  } catch (error) {
    if (error instanceof WriteConflict && error.positions.length > 0) return undefined;
    throw error;
  }
}

/** Is refused if somebody waits. */
async function fromNow(slug: string, target: string, ms: number, now: number): Promise<number> {
  await update(slug, target, { next: now + ms, condition: 'attribute_not_exists(next_at) OR next_at < :now' }, now);
  return now;
}

/** Is refused if the next turn is in the past, or too far away. */
async function afterOthers(slug: string, target: string, ms: number, now: number): Promise<number> {
  const changed = await send(slug, target, {
    UpdateExpression: 'SET next_at = next_at + :ms, expires_at = :expires',
    ConditionExpression: 'next_at BETWEEN :now AND :horizon',
    ExpressionAttributeValues: {
      ':ms': ms,
      ':now': now,
      ':horizon': now + maxWaitSeconds * 1000,
      ':expires': expiry(now),
    },
    ReturnValues: 'UPDATED_NEW',
  });
  return (changed.next_at as number) - ms;
}

interface NewPace {
  next: number;
  condition: string;
}

async function update(slug: string, target: string, { next, condition }: NewPace, now: number): Promise<void> {
  await send(slug, target, {
    UpdateExpression: 'SET next_at = :next, expires_at = :expires',
    ConditionExpression: condition,
    ExpressionAttributeValues: {
      ':next': next,
      ':expires': expiry(now),
      ...(condition.includes(':now') && { ':now': now }),
    },
  });
}

async function send(slug: string, target: string, input: Omit<UpdateCommandInput, 'TableName' | 'Key'>) {
  let attributes: Record<string, unknown> = {};
  await write(async () => {
    const Key = keyOf.pace(slug, target);
    const { Attributes = {} } = await table.send(new UpdateCommand({ TableName: tableName(), Key, ...input }));
    attributes = Attributes;
  });
  return attributes;
}

/** Nothing else removes it, and after a day nobody waits. */
const expiry = (now: number): number => Math.floor(now / 1000) + 24 * 3600;
