import { takeUnits } from '#platform/access/access-buckets.ts';
import { type KeyRate, RateMemory, unitsOf } from '#platform/access/key-rate.ts';
import { secondsOf } from '#platform/access/sliding-window.ts';
import { logger } from '#platform/logging.ts';
import { HttpError } from './errors.ts';
import type { Middleware, PathContext, Progress } from './request.ts';

/** Every function that checks keys has it from its stage. A handler that runs without a stack has no limit. */
const rate: KeyRate | undefined = process.env.KEY_RATE ? JSON.parse(process.env.KEY_RATE) : undefined;

const memory = rate && new RateMemory(rate);

/** Throws 429 if the subject is above its rate: the keys of a shop, a shop's own system or the key of a SuperAdmin. */
export async function limitRate(subject: string, progress: Progress): Promise<void> {
  if (!rate || !memory) return;
  const now = progress.startedAt;
  const admission = memory.admit(subject, now);
  if (admission.kind === 'wait') throw tooFast(admission.ms);
  if (admission.kind === 'ask') {
    const waitMs = await waitForUnits(subject, admission.units, rate, now);
    if (waitMs > 0) {
      memory.refused(subject, waitMs, now);
      logger.warn('above its rate', { subject });
      throw tooFast(waitMs);
    }
    memory.granted(subject, admission.units, now);
  }
  // Others may come before this one has ended.
  memory.spend(subject, 1, now);
  progress.countedFor = subject;
}

/** What cannot be counted passes: a fault of the limit must not stop a caller, and the next second is counted again. */
async function waitForUnits(...[subject, units, rate, now]: Parameters<typeof takeUnits>): Promise<number> {
  try {
    return await takeUnits(subject, units, rate, now);
  } catch (error) {
    logger.error('rate not counted', { subject, error: (error as Error).name });
    return 0;
  }
}

const tooFast = (waitMs: number) =>
  new HttpError('rate_limited', { headers: { 'Retry-After': `${secondsOf(waitMs)}` } });

function spendTime({ context }: { context: PathContext }): void {
  const { countedFor, startedAt, signed, waitedMs = 0 } = context.progress;
  const now = Date.now();
  // A webhook that the function reads itself may wait for its sender, who would then use up the rate of the shop.
  if (countedFor === undefined || signed?.rawBody) return;
  memory?.spend(countedFor, unitsOf(now - startedAt - waitedMs) - 1, now);
}

/** What a request used is known when it ends. Its first unit is counted already. */
export const timeIsCounted = { after: spendTime, onError: spendTime } satisfies Middleware;
