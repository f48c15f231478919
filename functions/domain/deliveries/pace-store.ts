import { logger } from '#platform/logging.ts';
import { maxDelaySeconds } from '#platform/queue.ts';
import { type Bucket, take, takeAllUntil } from '#platform/table/bucket.ts';
import { keyOf } from '#platform/table/keys.ts';

/**
 * The pace of requests to a target that limits their rate. All execution environments share one bucket, whose time is that
 * of the next free turn. Each request takes a turn and moves that time on. After a pause, some requests may go at once.
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
  const at = now.getTime();
  try {
    const share = { ms: Math.ceil(count * intervalMs), latest: at + maxWaitSeconds * 1000 };
    const taken = await take(bucketOf(slug, target), share, at);
    if ('waitMs' in taken) return { waitSeconds: maxWaitSeconds, hasTurn: false };
    const waitMs = taken.startsAt - at - pace.burst * intervalMs;
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
    await takeAllUntil(bucketOf(slug, target), next);
  } catch (error) {
    logger.warn('pace out of reach', { reason: (error as Error).name });
  }
}

const bucketOf = (slug: string, target: string): Bucket => ({ key: keyOf.pace(slug, target), attribute: 'next_at' });
