import type { RegistrationOutcome } from '#domain/tracking-providers/provider.ts';
import type { ParcelMessage } from '#domain/tracking-providers/registration-queue.ts';
import { trackingProviderLimits } from '#schemas/catalogues/limits.ts';

const firstPauseSeconds = 30;
const longestPauseSeconds = 3600;

type Again = Extract<RegistrationOutcome, { status: 'again' }>;
type NextAttempt = ParcelMessage & Required<Pick<ParcelMessage, 'attempts' | 'first_at' | 'not_before'>>;

/**
 * Each pause is twice as long as the one before. The provider can only make it longer, up to the last moment at which it
 * may be asked.
 */
export function attemptAfter(message: ParcelMessage, { afterSeconds = 0 }: Again, now: Date): NextAttempt {
  const attempts = (message.attempts ?? 0) + 1;
  const backOff = Math.min(firstPauseSeconds * 2 ** (attempts - 1), longestPauseSeconds);
  const first_at = message.first_at ?? now.toISOString();
  const pauseMs = Math.max(backOff * 1000, Math.min(afterSeconds * 1000, latestAttempt(first_at) - now.getTime()));
  return {
    ...message,
    attempts,
    first_at,
    not_before: new Date(now.getTime() + pauseMs).toISOString(),
  };
}

/** Whether the next attempt would be too late. */
export function isOver({ first_at, not_before }: NextAttempt, now: Date): boolean {
  const latest = latestAttempt(first_at);
  return now.getTime() >= latest || Date.parse(not_before) > latest;
}

const latestAttempt = (firstAt: string) => Date.parse(firstAt) + trackingProviderLimits.registrationHours * 3_600_000;

/** The reasons that merchants read. None contains what the provider answered, which may hold secrets. */
export const noAnswer = (failure: string | undefined): Again => ({
  status: 'again',
  reason: `The provider did not answer (${failure ?? 'no_answer'}).`,
});

export const gaveUp = (reason: string): string =>
  `The service gave up after ${trackingProviderLimits.registrationHours} hours. The last reason was: ${reason}`;

export const switchedOff = 'The shop switched shipment updates off.';
