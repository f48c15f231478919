import { retryAfterSeconds } from '#domain/deliveries/delivery-rules.ts';
import type { ProviderAnswer, RegistrationOutcome } from './provider.ts';

export const submitted: RegistrationOutcome = { status: 'submitted' };

/** @param reason merchants read it */
export const refused = (reason: string): RegistrationOutcome => ({ status: 'refused', reason });

export const reasons = {
  key: 'The tracking provider does not accept the API key.',
  quota: 'The quota of the account at the tracking provider is used up.',
  forbidden: 'The account at the tracking provider may not register parcels.',
  carrier: 'The tracking provider does not know the carrier of this tracking number.',
  number: 'The tracking provider takes the tracking number for invalid.',
  details: 'The tracking provider needs more details about the parcel for this carrier.',
  busy: 'The tracking provider asks to wait.',
  down: 'The tracking provider has a problem of its own.',
} as const;

/** What the status alone says. A provider's own codes in the body come first. */
export function outcomeOfStatus(answer: ProviderAnswer): RegistrationOutcome {
  const { status } = answer;
  if (status >= 200 && status < 300) return submitted;
  if (status === 401) return refused(reasons.key);
  if (status === 402) return refused(reasons.quota);
  if (status === 403) return refused(reasons.forbidden);
  if (status === 408 || status === 425 || status === 429) return again(reasons.busy, answer);
  if (status >= 500) return again(reasons.down, answer);
  return refused(`The tracking provider refused the parcel with status ${status}.`);
}

/** The meaning of a code that the provider writes into its answer. */
export const outcomeOfCode = (outcomes: Readonly<Record<string, RegistrationOutcome>>, code: unknown) =>
  Object.hasOwn(outcomes, String(code)) ? outcomes[String(code)] : undefined;

export function again(reason: string, answer?: ProviderAnswer): RegistrationOutcome {
  const afterSeconds = answer ? retryAfterSeconds(answer.headers['retry-after'], answer.received_at) : 0;
  return { status: 'again', reason, ...(afterSeconds > 0 && { afterSeconds }) };
}
