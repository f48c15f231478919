import type { Context } from 'aws-lambda';
import { logger } from '#platform/logger.ts';
import { kinds } from './kinds.ts';
import { type Outcome, workOff } from './work-off.ts';

/** Once a minute: does what is due. */
export async function handler(_event: unknown, context: Context): Promise<void> {
  const outcome = await workOff(kinds, new Date(), () => context.getRemainingTimeInMillis());
  report(outcome);
  // The alarm on this function's errors tells somebody.
  if (outcome.given_up > 0) throw Object.assign(new Error('Something due was given up.'), { name: 'GivenUp' });
}

function report({ unfinished, ...counts }: Outcome): void {
  const isTrouble = unfinished || counts.postponed > 0 || counts.given_up > 0;
  if (isTrouble) logger.warn('due', { ...counts, unfinished });
  else if (Object.values(counts).some((count) => count > 0)) logger.info('due', { ...counts });
}
