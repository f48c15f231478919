import type { Caused } from '#platform/correlation.ts';
import { retryBaseSeconds } from '#platform/environment.ts';
import type { mailFeedbacks, SkipReason } from '#schemas/catalogues/emails.ts';
import { deliveryLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';

/** Deliveries to merchants' systems, as every function of the pipeline uses them. */

export const { attempts: maxAttempts } = deliveryLimits;

/** Seconds that a delivery stays in the table. */
export const ttlSeconds = secondsOfDays(deliveryLimits.days);

/** Seconds that it stays there at least after it was sent again. */
export const runSeconds = secondsOfDays(deliveryLimits.runDays);

/** `automation`: the webhook of an automation. `email`: the customer. */
export type TargetKind = 'webhook' | 'integration' | 'automation' | 'email';

/**
 * `pending`: in the queue. `parked`: waits in the table until its target works again, and spends no attempts. `skipped`: an
 * e-mail that was not to be sent.
 */
export type DeliveryStatus = 'pending' | 'parked' | 'delivered' | 'failed' | 'cancelled' | 'skipped';

export interface Attempt {
  /** When it began. */
  at: string;
  duration_ms: number;
  /** Absent if no response came. */
  status?: number;
  /** Why it failed, as a short code: `timeout`, `connection_refused`, `private_address`, `http_500`, … */
  error?: string;
  /** The beginning of the response body, at most 1 KB of text. */
  response?: string;
  /** What it sent. Only the newest attempts of a delivery have it. */
  request?: SentRequest;
}

/**
 * What an attempt sent, as its delivery keeps it: without anything that would let a reader of the log act in our name.
 * Every byte of it is paid for with each attempt, so a request in our own form keeps only what the delivery itself does
 * not tell.
 */
export type SentRequest = OwnRequest | VendorRequest;

interface OwnRequest {
  url: string;
  /** The headers beside `usualHeaders`. */
  own: Record<string, string>;
}

interface VendorRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Absent if it is longer than a log should be. */
  body?: string;
}

/**
 * One event on its way to one target. Its payload is a separate item, so writing an attempt stays cheap. Only a parked one
 * is stored with its cause, because the messages of the others carry it.
 */
export interface Delivery extends PayloadReference, Caused {
  id: string;
  /** The uuid of a webhook endpoint, the id of an integration, an automation target (`automationTarget`), or `email`. */
  target: string;
  kind: TargetKind;
  shop_slug: string;
  event_id: string;
  ref: string;
  event_group: string | null;
  status: DeliveryStatus;
  /** Why it was skipped. */
  reason?: SkipReason;
  /** Of an e-mail: what it tells of. */
  mail?: MailSource;
  /** The simulation whose event it sends. */
  simulation_id?: string;
  /** The hour of the feed to which it belongs, and which feed of the shop that is. Absent if its event is in none. */
  feed?: { generation: number; hour: string };
  /** Of the shipment or claim that it tells of, after the event. Absent if the event was made before there was one. */
  subject_version?: number;
  /** Attempts of the current run. Sending again begins a new run. */
  attempt_count: number;
  /** The retry whose message makes the next attempt. Absent before the first failure of a run. */
  retry_id?: string;
  /** When that attempt is due. The message decides: this is only shown. */
  next_attempt_at?: string;
  /** When the current run began. Absent in the first run. */
  run_since?: string;
  attempts: Attempt[];
  /** Of a mail: what became of it after it was taken. The newest that is known. */
  feedback?: MailFeedback;
  /** How many attempts the list has lost at its beginning. Absent if it has all. */
  dropped_attempts?: number;
  created_at: string;
  updated_at: string;
  /** Unix seconds. */
  expires_at: number;
}

/**
 * `bounce`: there is no such address. `soft_bounce`: the receiver's server did not take it. `complaint`: the customer calls it
 * spam. `delayed`: the receiver's server takes it later. `rejected`: SES found a virus in it.
 */
export interface MailFeedback {
  kind: (typeof mailFeedbacks)[number];
  at: string;
}

/** What an e-mail is made from when it is its turn: everything else is read as it is then. */
export interface MailSource {
  order_id: string;
  /** The uuid of the parcel, the claim or the withdrawal. */
  subject_id: string;
  /** When it happened. */
  time: string;
  /** The message of the shop about a claim, if it is about one. */
  message_id?: string;
}

/** Where the payload of a delivery is stored. */
export interface PayloadReference {
  /** The id of the event, if all its deliveries share one payload item. Otherwise the id of the delivery. */
  payload_id: string;
  /** Which of the payloads in a shared item the delivery sends. */
  payload_part?: number;
}

/**
 * The next attempt after a failed one. Every retry has a message of its own, which names it. It is sent before the
 * failure is recorded, and the record names it too. So if a worker dies in between, exactly one message goes on.
 */
export interface Retry {
  id: string;
  /** The attempts of the run before it. */
  attempts: number;
}

/**
 * What a message may do: make the next attempt, come back because the failure before its retry is not recorded yet, or
 * go because another message has taken its place. Any message may bring a parked delivery to its target, because none
 * of those that waited has a claim on it.
 */
export type RetryState = 'current' | 'early' | 'replaced';

export function retryStateOf(
  { status, attempt_count, retry_id }: Pick<Delivery, 'status' | 'attempt_count' | 'retry_id'>,
  retry: Retry | undefined,
): RetryState {
  if (status === 'parked') return 'current';
  if (retry?.id === retry_id) return 'current';
  return retry && retry.attempts > attempt_count ? 'early' : 'replaced';
}

/**
 * What the first message of a delivery says of it. A delivery is written when its first attempt has ended, so until then
 * only the message knows it.
 */
export type NewDelivery = Pick<
  Delivery,
  | 'id'
  | 'kind'
  | 'event_id'
  | 'ref'
  | 'event_group'
  | 'payload_part'
  | 'mail'
  | 'simulation_id'
  | 'feed'
  | 'subject_version'
  | 'created_at'
>;

/** The response of the target, or why there is none. */
export interface AttemptResult {
  status?: number | undefined;
  /** Why the attempt failed, as a short code. Absent if it succeeded. */
  error?: string | undefined;
  /** The beginning of the response body. */
  response?: string | undefined;
  /** What was sent. */
  request?: SentRequest | undefined;
  /** The Retry-After header of a failed response. */
  retryAfter?: string | undefined;
  /** The response says that no further attempt can succeed. */
  isFinal?: boolean;
  /** The response says that the target asks for fewer requests. */
  isThrottled?: boolean;
  /** Whether the target works although this attempt failed. */
  isTargetUp?: boolean;
}

/**
 * An attempt that has ended. If it cannot be recorded, the message that takes the place of its own carries it, so that it
 * is recorded later and not made again.
 */
export interface EndedAttempt extends Pick<Attempt, 'at' | 'duration_ms'> {
  result: AttemptResult;
}

/** The attempt of a delivery whose order was erased meanwhile. */
export function withoutTexts({ result, ...ended }: EndedAttempt): EndedAttempt {
  const { response: _response, request: _request, ...rest } = result;
  return { ...ended, result: rest };
}

/** The newest attempts, and how many there were before them. */
export function newestAttempts(
  { attempts, dropped_attempts = 0 }: Pick<Delivery, 'attempts' | 'dropped_attempts'>,
  most: number,
): Pick<Delivery, 'attempts' | 'dropped_attempts'> {
  const kept = attempts.slice(-most);
  const dropped = dropped_attempts + attempts.length - kept.length;
  return { attempts: kept, ...(dropped > 0 && { dropped_attempts: dropped }) };
}

/** All attempts that were ever made, also those that the list has lost. */
export const totalAttempts = ({ attempts, dropped_attempts = 0 }: Pick<Delivery, 'attempts' | 'dropped_attempts'>) =>
  attempts.length + dropped_attempts;

/**
 * When the next attempt of a delivery that has failed is due. Null if none is, or if nobody knows: a time before the last
 * attempt was written for that attempt.
 */
export function nextAttemptAt(delivery: RetriedDelivery & Pick<Delivery, 'next_attempt_at'>): string | null {
  const { next_attempt_at: at, attempts } = delivery;
  return isRetried(delivery) && at !== undefined && at > attempts.at(-1)!.at ? at : null;
}

/** Whether the last attempt of the run failed and another one follows by itself. */
export function isRetried({ status, attempts, run_since = '' }: RetriedDelivery): boolean {
  const last = attempts.at(-1);
  return status === 'pending' && last?.error !== undefined && last.at >= run_since;
}

type RetriedDelivery = Pick<Delivery, 'status' | 'attempts' | 'run_since'>;

/** The attempt as its delivery lists it. */
export function loggedAttempt({ at, duration_ms, result }: EndedAttempt): Attempt {
  const { status, error, response, request } = result;
  return {
    at,
    duration_ms,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(response !== undefined && { response }),
    ...(request !== undefined && { request }),
  };
}

export const isSuccess = ({ result }: EndedAttempt): boolean => result.error === undefined;

export interface AfterAttempt {
  /** The new status of the delivery. */
  status: DeliveryStatus;
  /** Whether it counts as one of the run's attempts. */
  counts: boolean;
  /** Whether the target is able to respond. Undefined if the attempt does not tell. */
  isTargetUp: boolean | undefined;
  /** `retry`: a message for the next attempt takes its place. `wait`: a message for the same attempt does. */
  message: 'done' | 'retry' | 'wait';
}

interface Attempted {
  /** Attempts of the run before this one. */
  attemptCount: number;
  isProbe: boolean;
  /** It has waited for its turn for as long as it may. */
  hasWaitedTooLong?: boolean;
}

export function afterAttempt(
  { error, isFinal, isThrottled, isTargetUp = false }: AttemptResult,
  { attemptCount, isProbe, hasWaitedTooLong = false }: Attempted,
): AfterAttempt {
  if (error === undefined) return { status: 'delivered', counts: true, isTargetUp: true, message: 'done' };
  // A target that refuses a delivery works, so other deliveries need not wait.
  if (isFinal) return { status: 'failed', counts: true, isTargetUp: true, message: 'done' };
  // A target that asks for fewer requests is not down, and that is what a probe wants to know.
  if (isThrottled) {
    const throttled = { counts: false, isTargetUp: isProbe || undefined } as const;
    if (hasWaitedTooLong) return { ...throttled, status: 'failed', message: 'done' };
    return { ...throttled, status: 'pending', message: 'wait' };
  }
  // A probe that finds its target down spends no attempt. Its delivery goes on waiting.
  if (isProbe && !isTargetUp) return { status: 'parked', counts: false, isTargetUp: false, message: 'done' };
  const failure = { counts: true, isTargetUp } as const;
  if (attemptCount + 1 < maxAttempts) return { ...failure, status: 'pending', message: 'retry' };
  return { ...failure, status: 'failed', message: 'done' };
}

/**
 * The wait of a delivery for its turn at a busy target. It goes from message to message, so it costs no write, and a
 * parked delivery loses it: the time in which its target was down is no wait for a turn.
 */
export interface Wait {
  since: string;
  /** The attempts of the run at that time. The next attempt that counts ends the wait. */
  attempts: number;
}

/** The wait that a delivery has begun, or else one that begins now. */
export function waitOf(
  { attempt_count, run_since = '' }: Pick<Delivery, 'attempt_count' | 'run_since'>,
  begun: Wait | undefined,
  now: Date,
): Wait {
  const goesOn = begun?.attempts === attempt_count && begun.since >= run_since;
  return goesOn ? begun : { since: now.toISOString(), attempts: attempt_count };
}

/** How long a delivery waits for its turn, before its event is too old to be of use. */
const maxWaitMs = 24 * 3600 * 1000;

export const isTooLong = ({ since }: Wait, now: Date): boolean => now.getTime() - Date.parse(since) > maxWaitMs;

export const isEnded = ({ status }: Pick<Delivery, 'status'>): boolean => status !== 'pending' && status !== 'parked';

const day = 24 * 3600;

/** A delivery that is still parked a day before the table removes it has failed. The day lets the merchant see that. */
export const isOverdue = ({ status, expires_at }: Pick<Delivery, 'status' | 'expires_at'>, now: Date): boolean =>
  status === 'parked' && expires_at - day <= now.getTime() / 1000;

/** A delivery that was made before this time and is still parked is overdue. */
export const overdueBefore = (now: Date): Date => new Date(now.getTime() - (ttlSeconds - day) * 1000);

interface BackOff {
  /** Failures so far, at least one. */
  failures: number;
  retryAfter?: string | undefined;
  now: Date;
  /** A random number from 0 to 1. */
  random: number;
}

const maxBackOffSeconds = 12 * 3600;

/**
 * Seconds until the next attempt. They double from the base, plus or minus 20 % so that deliveries which failed
 * together do not return together. They respect the target's Retry-After, up to 12 hours.
 */
export function backOffSeconds({ failures, retryAfter, now, random }: BackOff): number {
  const doubled = retryBaseSeconds() * 2 ** (failures - 1);
  const jittered = doubled * (0.8 + 0.4 * random);
  const requested = Math.max(jittered, retryAfterSeconds(retryAfter, now));
  return Math.round(Math.min(requested, maxBackOffSeconds));
}

/** The header contains seconds or a date. `Date.parse` alone would accept many texts that are neither. */
export function retryAfterSeconds(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const date = weekdayFirst.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, Math.ceil((date - now.getTime()) / 1000));
}

/** All three date formats of HTTP begin with the weekday. */
const weekdayFirst = /^\s*(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;
