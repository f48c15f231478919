import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { isCircuitOpen, recordAbandoned, recordFailure, recordSuccess } from '#domain/deliveries/circuit-store.ts';
import {
  type AfterAttempt,
  type Attempt,
  type AttemptResult,
  afterAttempt,
  backOffSeconds,
  type Delivery,
  isEnded,
  isOverdue,
  maxAttempts,
} from '#domain/deliveries/delivery-rules.ts';
import { readDelivery } from '#domain/deliveries/delivery-store.ts';
import { bodyOf } from '#domain/deliveries/payload-store.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { logger } from '#platform/logging.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { change, type LoadedDelivery, loadAll } from './attempt-store.ts';
import { byTarget, distinct, type Job, type Ports, toJob } from './job.ts';
import { attemptDeadlineMs, createPost, type Destination, destinationOf } from './post.ts';
import { type TargetCircuit, targetCircuit } from './target-circuit.ts';

/**
 * Sends deliveries from their queue to merchants' systems. It does not use `handleEach`, because the deliveries of one
 * target share its circuit and its concurrency limit.
 */
export const handler = deliverThrough({
  post: createPost(),
  destinationOf,
  circuit: { isOpen: isCircuitOpen, recordAbandoned, recordSuccess, recordFailure },
  hide,
  now: () => new Date(),
  random: Math.random,
});

function deliverThrough(ports: Ports) {
  return async ({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const { again } = await deliverBatch(Records, ports, () => context.getRemainingTimeInMillis());
    const counts = { messages: Records.length, again: again.size };
    if (again.size === 0) logger.info('deliveries', counts);
    else logger.warn('deliveries', { ...counts, reasons: Object.fromEntries(again) });
    return { batchItemFailures: [...again.keys()].map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

export interface DeliveryBatchResult {
  /** The messages that go back to the queue, each with the reason. */
  again: Map<string, string>;
}

/** How many deliveries of one target run at the same time. A slow target must not hold up the whole batch. */
const maxConcurrentPerTarget = 3;

/** The time that an attempt and its record may take. With less time left, no attempt is started. */
const neededMs = attemptDeadlineMs + 5_000;

/** Delivers the messages of a batch, a few at a time for each target. */
export async function deliverBatch(
  records: readonly SQSRecord[],
  ports: Ports,
  remainingMs: () => number,
): Promise<DeliveryBatchResult> {
  const began = ports.now();
  const jobs = records.map(toJob);
  // A malformed message stays malformed. The queue gives it up in the end, and the handler of dead letters logs it.
  const again = new Map<string, string>(
    records.flatMap(({ messageId }, i) => (jobs[i] ? [] : [[messageId, 'malformed']])),
  );
  const distinctJobs = distinct(jobs.filter((job) => job !== undefined));
  // Deliveries and targets are requested at the same moment, so that one request to the table reads all of them.
  const loading = loadEach(distinctJobs);
  const groups = byTarget(distinctJobs).map((group) => ({ group, target: targetOf(group[0]!, ports) }));
  const run = async (job: Job, target: TargetState): Promise<void> => {
    const reason = await runJob(job, { loading, target, ports, began, remainingMs });
    if (reason !== undefined) again.set(job.messageId, reason);
  };
  await Promise.all(
    groups.map(({ group, target }) => mapConcurrently(group, (job) => run(job, target), maxConcurrentPerTarget)),
  );
  return { again };
}

function loadEach(jobs: readonly Job[]): Loading {
  const loading = loadAll(jobs).then((found) => new Map(jobs.map((job, i) => [job, found[i]!])));
  loading.catch(() => {}); // every delivery awaits this promise later and sees the error
  return loading;
}

function targetOf({ shop_slug, target }: Job, { circuit, destinationOf }: Ports): TargetState {
  const destination = destinationOf({ shop_slug, target });
  destination.catch(() => {}); // every delivery awaits this promise later and sees the error
  return { circuit: targetCircuit(circuit, shop_slug, target), destination };
}

type Loading = Promise<Map<Job, LoadedDelivery>>;

interface BatchContext {
  loading: Loading;
  target: TargetState;
  ports: Ports;
  began: Date;
  remainingMs: () => number;
}

/** Returns the reason why the message goes back to the queue, or undefined if the message is done. */
async function runJob(job: Job, { loading, target, ports, began, remainingMs }: BatchContext) {
  try {
    const loaded = (await loading).get(job)!;
    const result = remainingMs() < neededMs ? 'back_at_once' : await deliver(job, loaded, target, ports);
    if (result === 'done') return undefined;
    await ports.hide(job, secondsFor(result, ports, began));
    return result === 'back_at_once' ? 'handed_back' : 'failed_attempt';
  } catch (error) {
    // The fault is ours and not the target's, so no attempt is counted. The pause still grows, so that the message
    // outlasts a fault of several hours.
    await ports.hide(job, secondsFor({ failures: job.receives }, ports, began));
    return (error as Error).name;
  }
}

function secondsFor(result: Exclude<MessageResult, 'done'>, { now, random }: Ports, began: Date): number {
  if (result === 'back_at_once') return 0;
  const time = now();
  const elapsedSeconds = (time.getTime() - began.getTime()) / 1000;
  return backOffSeconds({ ...result, now: time, elapsedSeconds, random: random() });
}

/** What the deliveries of one target share. */
interface TargetState {
  circuit: TargetCircuit;
  destination: Promise<Destination | undefined>;
}

/** The message is done, or it goes back to the queue: at once, or after the pause for that number of failures. */
type MessageResult = 'done' | 'back_at_once' | { failures: number; retryAfter?: string | undefined };

/** Takes one delivery as far as it can go now. If the delivery has already ended, the message is a repeated one. */
async function deliver(
  job: Job,
  { delivery, payload }: LoadedDelivery,
  target: TargetState,
  ports: Ports,
): Promise<MessageResult> {
  if (!delivery || isEnded(delivery)) return 'done';
  // Either the run is over and its last worker died before it could record that, or the delivery has waited for as long
  // as it may.
  if (delivery.attempt_count >= maxAttempts || isOverdue(delivery, ports.now())) return end(delivery, 'failed', ports);
  const destination = await target.destination;
  if (!destination) await target.circuit.abandoned(ports.now());
  if (!destination || !payload) return end(delivery, 'cancelled', ports);
  const isDown = await target.circuit.isOpen();
  if (isDown && !job.probe) return park(delivery, target, ports);
  const attempted = await attempt(delivery, await bodyOf(delivery, payload), destination, ports);
  const after = await record({ ...job, probe: isDown }, delivery, attempted, ports);
  if (after.isTargetUp) await target.circuit.success(ports.now());
  else await target.circuit.failure(delivery.id, ports.now());
  if (after.message === 'retry')
    return { failures: delivery.attempt_count + 1, retryAfter: attempted.result.retryAfter };
  // The queue has handed the message out for the last time, so the message becomes a dead letter.
  return after.message === 'give_up' ? 'back_at_once' : 'done';
}

async function end(delivery: Delivery, status: 'failed' | 'cancelled', { now }: Ports): Promise<MessageResult> {
  await change(delivery, { status }, now());
  return 'done';
}

/**
 * Parks the delivery until its target is back. If the circuit has closed in the meantime, nobody looks for parked
 * deliveries any more, so the message goes back to the queue.
 */
async function park(delivery: Delivery, { circuit }: TargetState, { now }: Ports): Promise<MessageResult> {
  if (delivery.status !== 'parked') await change(delivery, { status: 'parked' }, now());
  return (await circuit.isStillOpen()) ? 'done' : 'back_at_once';
}

/**
 * Another worker may have written since we read the delivery. We still record a success. A failure needs no second
 * record: the other worker has counted one.
 */
const maxTries = 3;

async function record(
  { probe: isProbe, receives }: Job,
  initial: Delivery,
  { result, logged }: Attempted,
  { now }: Ports,
): Promise<AfterAttempt> {
  let delivery = initial;
  for (let tries = 1; ; tries++) {
    const after = afterAttempt(result, { attemptCount: delivery.attempt_count, receives, isProbe });
    try {
      await change(delivery, { status: after.status, attempt: logged, counts: after.counts }, now());
      return after;
    } catch (error) {
      if (!(error instanceof WriteConflict) || tries === maxTries) throw error;
      const current = await readDelivery(initial.shop_slug, initial.target, initial.id);
      if (after.status !== 'delivered' || !current || isEnded(current)) return after;
      delivery = current;
    }
  }
}

interface Attempted {
  result: AttemptResult;
  /** The attempt as the delivery lists it. */
  logged: Attempt;
}

async function attempt(
  { id }: Delivery,
  body: Uint8Array,
  destination: Destination,
  { post, now }: Pick<Ports, 'post' | 'now'>,
): Promise<Attempted> {
  const began = now();
  const headers = { ...commonHeaders, ...(await destination.headersFor(id, body, began)) };
  const result = await post({ url: destination.url, headers, body });
  const { status, error, response } = result;
  const logged: Attempt = {
    at: began.toISOString(),
    duration_ms: Math.max(0, now().getTime() - began.getTime()),
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(response !== undefined && { response }),
  };
  return { result, logged };
}

const commonHeaders = {
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'post-purchase-service',
};

/**
 * Hides the message for that many seconds. If the queue refuses this, the message comes back after the queue's own
 * visibility timeout, so it is never lost.
 */
export async function hide({ receiptHandle: ReceiptHandle, messageId }: Job, VisibilityTimeout: number): Promise<void> {
  try {
    const { SQSClient, ChangeMessageVisibilityCommand } = await import('@aws-sdk/client-sqs');
    client ??= new SQSClient({});
    await client.send(new ChangeMessageVisibilityCommand({ QueueUrl: queueUrl(), ReceiptHandle, VisibilityTimeout }));
  } catch (error) {
    logger.warn('back-off not set', { message_id: messageId, reason: (error as Error).name });
  }
}

/** Created at the first failure: a batch without failures needs no client. */
let client: SQSClient | undefined;

function queueUrl(): string {
  const url = process.env.DELIVERY_QUEUE_URL;
  if (!url) throw new Error('DELIVERY_QUEUE_URL is not set');
  return url;
}
