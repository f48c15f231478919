import { deliveryLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';

/** What goes out to merchants' systems, as every function of the pipeline sees it. */

export const { attempts: maxAttempts } = deliveryLimits;

/** Seconds that a delivery stays in the table. */
export const ttlSeconds = secondsOfDays(deliveryLimits.days);

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
  /** Unix seconds. */
  expires_at: number;
}

/** What stands on the queue: always a reference, so that no payload is too big for a message. */
export interface DeliveryMessage {
  shop_slug: string;
  target: string;
  delivery_id: string;
}

/** What one attempt brought: its target's answer, or why there is none. */
export interface AttemptResult {
  status?: number | undefined;
  /** Why the attempt failed, in a word. Absent: it succeeded. */
  error?: string | undefined;
  /** The beginning of the answer's body. */
  response?: string | undefined;
  /** The header of a failed answer. */
  retryAfter?: string | undefined;
}

/** What follows from an attempt. */
export interface AfterAttempt {
  /** What the delivery is from now on. */
  status: DeliveryStatus;
  /** Whether it is one of the run's attempts. */
  counts: boolean;
  /** Whether the target is there to answer. */
  isTargetUp: boolean;
  /** `retry`: the queue brings it back after a pause. `give_up`: the queue makes it a dead letter. */
  message: 'done' | 'retry' | 'give_up';
}

interface Attempted {
  /** Attempts of the run before this one. */
  attemptCount: number;
  /** How often the queue has handed the message out, this time included. */
  receives: number;
  isProbe: boolean;
}

export function afterAttempt(
  { status, error }: AttemptResult,
  { attemptCount, receives, isProbe }: Attempted,
): AfterAttempt {
  if (error === undefined) return { status: 'delivered', counts: true, isTargetUp: true, message: 'done' };
  // Who says that it is gone for good is there to say so: no reason to hold back the rest.
  if (status === 410) return { status: 'failed', counts: true, isTargetUp: true, message: 'done' };
  // A failed probe spends no attempt: its delivery goes on waiting.
  if (isProbe) return { status: 'parked', counts: false, isTargetUp: false, message: 'done' };
  const failure = { counts: true, isTargetUp: false } as const;
  if (attemptCount + 1 < maxAttempts) return { ...failure, status: 'pending', message: 'retry' };
  // The queue makes a message that was received as often as that a dead letter, and those are recorded as failed. One
  // that was parked in between has been received less often: nobody else would end it.
  if (receives < maxAttempts) return { ...failure, status: 'failed', message: 'done' };
  return { ...failure, status: 'pending', message: 'give_up' };
}

export const isEnded = ({ status }: Pick<Delivery, 'status'>): boolean => status !== 'pending' && status !== 'parked';

const day = 24 * 3600;

/** A delivery that has waited for its target until a day before the table drops it has failed: its merchant is to see it. */
export const isOverdue = ({ status, expires_at }: Pick<Delivery, 'status' | 'expires_at'>, now: Date): boolean =>
  status === 'parked' && expires_at - day <= now.getTime() / 1000;

/** What was made before this is overdue if it still waits. */
export const overdueBefore = (now: Date): Date => new Date(now.getTime() - (ttlSeconds - day) * 1000);

export interface BackOff {
  /** Failures so far, at least one. */
  failures: number;
  retryAfter?: string | undefined;
  now: Date;
  /** Since the message was handed to us. */
  elapsedSeconds: number;
  /** From 0 to 1. */
  random: number;
  baseSeconds?: number;
}

/** SQS refuses to hide a message for longer than this, counted from its receipt. */
const maxHiddenSeconds = 12 * 3600;

/** A message may have lain with the mapping's poller for as long as the queue's visibility timeout before we got it. */
const { visibilitySeconds: maxPollerSeconds } = deliveryLimits;

/**
 * Seconds until the next attempt: doubling from the base, 20 % more or less so that those that failed together do not
 * come again together, and not before the target asks for, as far as SQS lets us wait.
 */
export function backOffSeconds({ failures, retryAfter, now, elapsedSeconds, random, baseSeconds }: BackOff): number {
  const doubled = (baseSeconds ?? retryBaseSeconds()) * 2 ** (failures - 1);
  const jittered = doubled * (0.8 + 0.4 * random);
  const wanted = Math.max(jittered, retryAfterSeconds(retryAfter, now));
  // A clock that was set back is no reason to ask for more than SQS grants.
  const maxSeconds = maxHiddenSeconds - maxPollerSeconds - Math.ceil(Math.max(0, elapsedSeconds));
  return Math.max(0, Math.round(Math.min(wanted, maxSeconds)));
}

/** The header holds seconds or a date. `Date.parse` alone would find one in most of what is neither. */
export function retryAfterSeconds(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const date = weekdayFirst.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, Math.ceil((date - now.getTime()) / 1000));
}

/** So begin all three forms of a date that HTTP knows. */
const weekdayFirst = /^\s*(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

const retryBaseSeconds = (): number => Number(process.env.RETRY_BASE_SECONDS || 10);
