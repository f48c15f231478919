import { randomUUID } from 'node:crypto';
import { bodyOf } from '#domain/deliveries/delivery-messages.ts';
import {
  type AfterAttempt,
  type AttemptResult,
  afterAttempt,
  backOffSeconds,
  type Delivery,
  type EndedAttempt,
  isEnded,
  isOverdue,
  isSuccess,
  isTooLong,
  loggedAttempt,
  maxAttempts,
  type Retry,
  retryAfterSeconds,
  retryStateOf,
  waitOf,
  withoutTexts,
} from '#domain/deliveries/delivery-rules.ts';
import { readDelivery } from '#domain/deliveries/delivery-store.ts';
import { ownRequest, usualHeaders } from '#domain/deliveries/sent-request.ts';
import { withoutSecrets } from '#platform/secrets/mask.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { change, type KnownDelivery, type LoadedDelivery } from './attempt-store.ts';
import { type Job, type LaterTurn, type Ports, referenceOf } from './job.ts';
import { type Destination, isEmail, isVendor, type PostDestination } from './post.ts';
import type { TargetCircuit } from './target-circuit.ts';

/** What the deliveries of one target share. */
export interface TargetState {
  circuit: TargetCircuit;
  destination: Promise<Destination | undefined>;
}

/**
 * The message is done, or it goes back to the queue, at once or in a moment, or another message takes its place when it
 * is its turn.
 */
export type MessageResult = 'done' | 'back_at_once' | 'back_soon' | LaterTurn;

/** A delivery that can be attempted now. */
export interface Ready {
  delivery: KnownDelivery;
  destination: Destination;
  body: Uint8Array;
  /** The circuit is open, so this is a probe. */
  isDown: boolean;
}

/** Takes one delivery as far as it can go without an attempt. If the delivery has already ended, the message is a repeated one. */
export async function prepare(
  job: Job,
  { delivery, payload, isErased }: LoadedDelivery,
  target: TargetState,
  ports: Ports,
): Promise<Ready | MessageResult> {
  if (!delivery || isEnded(delivery)) return 'done';
  if (job.ended) return recordEnded(job, delivery, isErased ? withoutTexts(job.ended) : job.ended, target, ports);
  if (isErased) return end(delivery, 'cancelled', ports);
  // Only the removal of a shop takes a payload before its delivery is written, and nothing may be written under its keys.
  if (!payload && !delivery.isStored) return 'done';
  const retryState = retryStateOf(delivery, job.retry);
  if (retryState === 'replaced') return 'done';
  if (retryState === 'early') return job.receives < maxEarlyReceives ? 'back_soon' : 'done';
  // Either the run is over and its last worker died before it could record that, or the delivery has waited for as long
  // as it may.
  if (delivery.attempt_count >= maxAttempts || isOverdue(delivery, ports.now())) return end(delivery, 'failed', ports);
  const destination = await target.destination;
  if (!destination) await target.circuit.abandoned(ports.now());
  if (!destination || !payload) return end(delivery, 'cancelled', ports);
  const isDown = await target.circuit.isOpen();
  if (isDown && !job.probe) return park(delivery, target, ports);
  return { delivery, destination, body: await bodyOf(delivery, payload), isDown };
}

/**
 * A worker that died before it recorded its failure leaves its own message, which is back after six minutes. A retry that
 * is still early after that is of a run that the merchant has ended by sending the delivery again.
 */
const maxEarlyReceives = 13;

export const isReady = (step: Ready | MessageResult): step is Ready => typeof step === 'object' && 'delivery' in step;

/** Delivers to a target that takes one delivery in a request, in our own form. */
export async function deliver(
  job: Job,
  loaded: LoadedDelivery,
  target: TargetState,
  ports: Ports,
): Promise<MessageResult> {
  const step = await prepare(job, loaded, target, ports);
  if (!isReady(step)) return step;
  if (isVendor(step.destination) || isEmail(step.destination)) throw new Error('it has a form of its own');
  const ended = await attempt(step.delivery, step.body, step.destination, ports);
  return conclude(job, step, ended, target.circuit, ports);
}

/** Thrown if an attempt was made and could not be recorded. It has the name of the error that was the reason. */
export class NotRecorded extends Error {
  readonly ended: EndedAttempt;
  readonly isProbe: boolean;

  constructor(ended: EndedAttempt, isProbe: boolean, cause: unknown) {
    super('the attempt was not recorded', { cause });
    this.name = (cause as Error).name;
    this.ended = ended;
    this.isProbe = isProbe;
  }
}

/**
 * Records an attempt that a worker before this one made. A failure that another message has taken the place of needs no
 * record, nor does one of a run before the present one.
 */
async function recordEnded(
  job: Job,
  delivery: KnownDelivery,
  ended: EndedAttempt,
  { circuit }: TargetState,
  ports: Ports,
): Promise<MessageResult> {
  const isCurrent = retryStateOf(delivery, job.retry) === 'current' && ended.at >= (delivery.run_since ?? '');
  if (!isCurrent && !isSuccess(ended)) return 'done';
  // The attempt may be hours old, so it says nothing about its target now.
  const unasked = { ...circuit, success: async () => {}, failure: async () => {} };
  return conclude(job, { delivery, isDown: job.probe }, ended, unasked, ports);
}

/** Records an attempt, and decides what becomes of its message. */
export async function conclude(
  job: Job,
  { delivery, isDown }: Pick<Ready, 'delivery' | 'isDown'>,
  ended: EndedAttempt,
  circuit: TargetCircuit,
  ports: Ports,
): Promise<MessageResult> {
  const after = await record({ ...job, probe: isDown }, delivery, ended, ports).catch((error) => {
    throw new NotRecorded(ended, isDown, error);
  });
  if (after.isTargetUp === true) await circuit.success(ports.now());
  if (after.isTargetUp === false) await circuit.failure(delivery.id, ports.now());
  if (after.message !== 'wait') return 'done';
  const now = ports.now();
  return { waitSeconds: throttleSeconds(ended.result, now), hasTurn: false, wait: waitOf(delivery, job.wait, now) };
}

const usualThrottleSeconds = 30;

/** The longest window of a vendor's limit is an hour. */
const maxThrottleSeconds = 3600;

/** How long a target that asks for fewer requests is left alone. */
export const throttleSeconds = ({ retryAfter }: AttemptResult, now: Date): number =>
  Math.min(retryAfterSeconds(retryAfter, now) || usualThrottleSeconds, maxThrottleSeconds);

/** @param reason is logged as the error of an attempt that was not made */
export async function end(
  delivery: KnownDelivery,
  status: 'failed' | 'cancelled',
  { now }: Ports,
  reason?: string,
): Promise<MessageResult> {
  const attempt = reason === undefined ? {} : { attempt: { at: now().toISOString(), duration_ms: 0, error: reason } };
  await change(delivery, { status, ...attempt }, now());
  return 'done';
}

/**
 * Parks the delivery until its target is back. If the circuit has closed in the meantime, nobody looks for parked
 * deliveries any more, so the message goes back to the queue.
 */
async function park(delivery: KnownDelivery, { circuit }: TargetState, { now }: Ports): Promise<MessageResult> {
  if (delivery.status !== 'parked') await change(delivery, { status: 'parked' }, now());
  return (await circuit.isStillOpen()) ? 'done' : 'back_at_once';
}

/**
 * Another worker may have written since we read the delivery. We still record a success. If the delivery was sent again
 * meanwhile, the success is only logged: the new run has its own message. A failure needs no second record: the other
 * worker has counted one, and its retry is the one that counts.
 */
const maxTries = 3;

async function record(job: Job, initial: KnownDelivery, ended: EndedAttempt, ports: Ports): Promise<AfterAttempt> {
  const { probe: isProbe, wait } = job;
  const { now } = ports;
  const { result } = ended;
  let delivery = initial;
  for (let tries = 1; ; tries++) {
    const hasWaitedTooLong = isTooLong(waitOf(delivery, wait, now()), now());
    const attemptCount = delivery.attempt_count;
    const after = afterAttempt(result, { attemptCount, isProbe, hasWaitedTooLong });
    const planned = after.message === 'retry' ? await planRetry(job, delivery, result, ports) : undefined;
    // A message for the same attempt names the same retry as the job. The record of a parked delivery names none.
    const retryId = after.message === 'wait' ? job.retry?.id : planned?.retry.id;
    const seconds = after.message === 'wait' ? throttleSeconds(result, now()) : planned?.seconds;
    const nextAttemptAt = seconds === undefined ? undefined : new Date(now().getTime() + seconds * 1000).toISOString();
    const isOfRun = delivery.run_since === initial.run_since;
    const state = isOfRun
      ? { status: after.status, counts: after.counts, retryId, nextAttemptAt }
      : { status: delivery.status, retryId: delivery.retry_id, nextAttemptAt: delivery.next_attempt_at };
    try {
      await change(delivery, { ...state, attempt: loggedAttempt(ended) }, now());
      return after;
    } catch (error) {
      if (!(error instanceof WriteConflict) || tries === maxTries) throw error;
      const current = await readDelivery(initial.shop_slug, initial.target, initial.id);
      if (after.status !== 'delivered' || !current || isEnded(current)) return after;
      delivery = { ...current, isStored: true };
    }
  }
}

/**
 * Before the failure is recorded: otherwise a worker that dies in between would leave a delivery without a message. If
 * nothing is recorded of the delivery yet, its retry can come before the record too, and must not take it for gone.
 */
async function planRetry(
  job: Job,
  { attempt_count, isStored }: KnownDelivery,
  { retryAfter }: AttemptResult,
  { sendLater, now, random }: Ports,
): Promise<{ retry: Retry; seconds: number }> {
  const failures = attempt_count + 1;
  const retry = { id: randomUUID(), attempts: failures };
  const seconds = backOffSeconds({ failures, retryAfter, now: now(), random: random() });
  const first = isStored ? undefined : job.first;
  await sendLater({ ...referenceOf(job), ...(first && { first }), retry }, seconds);
  return { retry, seconds };
}

async function attempt(
  delivery: Delivery,
  body: Uint8Array,
  { url, headersFor, secrets }: PostDestination,
  { post, now }: Pick<Ports, 'post' | 'now'>,
): Promise<EndedAttempt> {
  const began = now();
  const { id, simulation_id } = delivery;
  const headers = {
    ...usualHeaders(delivery, began),
    ...(simulation_id !== undefined && { 'webhook-simulation': simulation_id }),
    ...(await headersFor(id, body, began)),
  };
  const result = await post({ url, headers, body });
  const { response } = result;
  return endedAttempt(began, now(), {
    ...result,
    ...(response && { response: withoutSecrets(response, secrets ?? []) }),
    request: ownRequest({ url, headers }, secrets),
  });
}

export const endedAttempt = (began: Date, ended: Date, result: AttemptResult): EndedAttempt => ({
  at: began.toISOString(),
  duration_ms: Math.max(0, ended.getTime() - began.getTime()),
  result,
});
