import type { mailFeedbacks } from '#schemas/catalogues/emails.ts';

/** What a state of a delivery is said from, in a list, on its page and in the timeline of its order. */
export interface DeliveryFigures {
  status: 'pending' | 'parked' | 'delivered' | 'failed' | 'cancelled' | 'skipped';
  /** Why the last attempt failed. Null if it did not, or if there was none since the delivery was sent again. */
  last_error: string | null;
  next_attempt_at: string | null;
  /** Why an e-mail was not sent. */
  reason?: string | null;
  /** What became of an e-mail after it was sent. */
  feedback?: { kind: MailFeedback; at: string } | null;
  /** Whether it is an e-mail to a customer. */
  isMail?: boolean;
}

type MailFeedback = (typeof mailFeedbacks)[number];

/** `retried`: the last attempt failed, and another one follows by itself. */
export type DeliveryWord = DeliveryFigures['status'] | 'retried' | MailFeedback;

/** The code of a failed attempt. Some end with what the receiver answered: `http_500`, `token_http_401`, `reply_2008`. */
export function failureParts(error: string): { kind: string; answer?: string } {
  const [, kind, answer] = /^(http|token_http|reply)_(\w+)$/.exec(error) ?? [];
  return kind && answer ? { kind, answer } : { kind: error };
}

export function deliveryWord({ status, last_error, feedback }: DeliveryFigures): DeliveryWord {
  // What a mail server says later counts more than that the mail was sent.
  if (status === 'delivered' && feedback) return feedback.kind;
  return status === 'pending' && last_error !== null ? 'retried' : status;
}
