/** What goes out to merchants' systems, as every function of the pipeline sees it. */

export const maxAttempts = 15;

/** Seconds that a delivery stays in the table. */
export const keptFor = 30 * 24 * 3600;

/** `automation`: the webhook of an automation. */
export type TargetKind = 'webhook' | 'integration' | 'automation';

/** `pending`: in the queue. `parked`: waits in the table for its target to come back, without spending attempts. */
export type DeliveryStatus = 'pending' | 'parked' | 'delivered' | 'failed' | 'cancelled';

export interface Attempt {
  /** When it began. */
  at: string;
  duration_ms: number;
  /** Absent where no answer came. */
  status?: number;
  /** Why it failed, in a word: `timeout`, `connection_refused`, `private_address`, `http_500`, … */
  error?: string;
  /** The beginning of the answer's body, at most 1 KB of text. */
  response?: string;
}

/** One event on its way to one target. Its payload lies beside it, so that writing an attempt stays small. */
export interface Delivery {
  id: string;
  /** uuid of a webhook endpoint, the id of an integration, or the target of an automation (action-name.ts). */
  target: string;
  kind: TargetKind;
  shop_slug: string;
  event_id: string;
  ref: string;
  event_group: string | null;
  status: DeliveryStatus;
  /** Attempts of the current run; sending again begins a new run. */
  attempt_count: number;
  /** When the current run began; absent in the first. */
  run_since?: string;
  attempts: Attempt[];
  created_at: string;
  updated_at: string;
  /** Unix seconds: 30 days after its creation. */
  expires_at: number;
}

/** What stands on the queue: always a reference, so that no payload is too big for a message. */
export interface DeliveryMessage {
  shop_slug: string;
  target: string;
  delivery_id: string;
}
