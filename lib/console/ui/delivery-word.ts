/** What a state of a delivery is said from, in a list, on its page and in the timeline of its order. */
export interface DeliveryFigures {
  status: 'pending' | 'parked' | 'delivered' | 'failed' | 'cancelled' | 'skipped';
  /** Why the last attempt failed. Null if it did not, or if there was none since the delivery was sent again. */
  last_error: string | null;
  next_attempt_at: string | null;
}

/** `retried`: the last attempt failed, and another one follows by itself. */
export type DeliveryWord = DeliveryFigures['status'] | 'retried';

/** The code of a failed attempt. Some end with what the receiver answered: `http_500`, `token_http_401`, `reply_2008`. */
export function failureParts(error: string): { kind: string; answer?: string } {
  const [, kind, answer] = /^(http|token_http|reply)_(\w+)$/.exec(error) ?? [];
  return kind && answer ? { kind, answer } : { kind: error };
}

export const deliveryWord = ({ status, last_error }: DeliveryFigures): DeliveryWord =>
  status === 'pending' && last_error !== null ? 'retried' : status;
