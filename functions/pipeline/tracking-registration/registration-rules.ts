import { hasEnded } from '#domain/orders/attention.ts';
import type { Shipment } from '#domain/orders/model.ts';
import type { RegistrationOutcome } from '#domain/tracking-providers/provider.ts';
import type { ParcelMessage } from '#domain/tracking-providers/registration-queue.ts';
import { trackingProviderLimits } from '#schemas/catalogues/limits.ts';
import type { TrackingSubmission } from '#schemas/shapes/order-shapes.ts';

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

/** Whether a message of the parcel waits for its next attempt. It goes on if the shop switches updates off and on again. */
export const isWaiting = (submission: TrackingSubmission | null | undefined, now: Date): boolean =>
  submission?.status === 'pending' && now.getTime() < latestAttempt(submission.at);

/** Neither an attempt nor a look at the shipment before it can last longer than half of this, the function's timeout. */
const longestAttemptMs = 60_000;

/**
 * Attempts that another message began at this time or earlier are over, so this message may begin. None is while the other
 * message waits: only that one knows how long the provider wants to be left alone.
 */
export function othersOverSince(submission: TrackingSubmission | undefined, now: Date): string {
  if (isWaiting(submission, now)) return new Date(0).toISOString();
  const dead = new Date(now.getTime() - longestAttemptMs).toISOString();
  return submission?.status === 'refused' && submission.at > dead ? submission.at : dead;
}

/** The reasons that merchants read. None contains what the provider answered, which may hold secrets. */
export const noAnswer = (failure: string | undefined): Again => ({
  status: 'again',
  reason: `The provider did not answer (${failure ?? 'no_answer'}).`,
});

export const gaveUp = (reason: string): string =>
  `The service gave up after ${trackingProviderLimits.registrationHours} hours. The last reason was: ${reason}`;

export const switchedOff = 'The shop switched shipment updates off.';

/** Whether a carrier has the parcel, and it got its number at this time or later. No carrier has a simulated one. */
export const isUnderWay = (shipment: Shipment, since: string): boolean =>
  shipment.simulation_id === undefined &&
  shipment.tracking_number !== null &&
  fulfilledAt(shipment) >= since &&
  !hasEnded(shipment);

/** When the parcel got its number. */
export const fulfilledAt = ({ events, created_at }: Shipment): string =>
  events.find(({ event_name }) => event_name === 'ORDER_PROCESSED')?.time ?? created_at;
