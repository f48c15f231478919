import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { isCircuitOpen, recordAbandoned, recordFailure, recordSuccess } from '#domain/deliveries/circuit-store.ts';
import { backOffSeconds } from '#domain/deliveries/delivery-rules.ts';
import { enqueue } from '#domain/deliveries/delivery-store.ts';
import { maxWaitSeconds, postpone, takeTurns } from '#domain/deliveries/pace-store.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { causeOf, correlationIds } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { createCall } from '#platform/outgoing/call.ts';
import { type LoadedDelivery, loadAll } from './attempt-store.ts';
import { deliver, type MessageResult, prepare, type TargetState } from './deliver.ts';
import { byTarget, distinct, type Job, type LaterTurn, type Ports, toJob } from './job.ts';
import { attemptDeadlineMs, createPost, destinationOf, isVendor } from './post.ts';
import { targetCircuit } from './target-circuit.ts';
import type { SendToVendor } from './vendor.ts';

const now = () => new Date();

/**
 * Sends deliveries from their queue to merchants' systems. It does not use `handleEach`, because the deliveries of one
 * target share its circuit and its concurrency limit.
 */
export const handler = deliverThrough({
  post: createPost(),
  sendToVendor: async (...exchange) => (await vendorSender())(...exchange),
  destinationOf,
  pace: { takeTurns, postpone },
  circuit: { isOpen: isCircuitOpen, recordAbandoned, recordSuccess, recordFailure },
  hide,
  wait: waitForTurn,
  now,
  random: Math.random,
});

function deliverThrough(ports: Ports) {
  return async ({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const { again, correlations } = await deliverBatch(Records, ports, () => context.getRemainingTimeInMillis());
    const counts = { messages: Records.length, again: again.size, correlation_ids: correlations };
    if (again.size === 0) logger.info('deliveries', counts);
    else logger.warn('deliveries', { ...counts, reasons: Object.fromEntries(again) });
    return { batchItemFailures: [...again.keys()].map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

export interface DeliveryBatchResult {
  /** The messages that go back to the queue, each with the reason. */
  again: Map<string, string>;
  /** The requests that caused the deliveries. */
  correlations: string[];
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
  const finish = async (job: Job, deliverJob: (job: Job) => Promise<MessageResult>): Promise<void> => {
    const reason = await resultOf(job, deliverJob, { ports, began });
    if (reason !== undefined) again.set(job.messageId, reason);
  };
  await Promise.all(
    groups.map(async ({ group, target }) => {
      const { deliverJob, maxConcurrent } = await methodOf(group, { loading, target, ports, remainingMs });
      await mapConcurrently(group, (job) => finish(job, deliverJob), maxConcurrent);
    }),
  );
  return { again, correlations: correlationIds(distinctJobs) };
}

interface Group {
  loading: Loading;
  target: TargetState;
  ports: Ports;
  remainingMs: () => number;
}

interface Method {
  deliverJob: (job: Job) => Promise<MessageResult>;
  maxConcurrent: number;
}

/** How to deliver to a target: each delivery for itself, or together in the form of its vendor. */
async function methodOf(jobs: readonly Job[], { loading, target, ports, remainingMs }: Group): Promise<Method> {
  const hasTime = () => remainingMs() >= neededMs;
  const loadedOf = async (job: Job) => (await loading).get(job)!;
  // Every delivery awaits the destination later and sees the error.
  const destination = await target.destination.catch(() => undefined);
  if (!destination || !isVendor(destination)) {
    const deliverJob = async (job: Job) => {
      const loaded = await loadedOf(job);
      return hasTime() ? deliver(job, loaded, target, ports) : 'back_at_once';
    };
    return { deliverJob, maxConcurrent: maxConcurrentPerTarget };
  }
  const { deliverTogether } = await import('./deliver-together.ts');
  const prepareJob = async (job: Job) => prepare(job, await loadedOf(job), target, ports);
  const together = { jobs, prepare: prepareJob, vendor: destination, target, ports, hasTime };
  const deliverJob = deliverTogether({ ...together, maxConcurrent: maxConcurrentPerTarget });
  return { deliverJob, maxConcurrent: jobs.length };
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
  ports: Ports;
  began: Date;
}

/** Returns the reason why the message goes back to the queue, or undefined if the message is done. */
async function resultOf(
  job: Job,
  deliverJob: (job: Job) => Promise<MessageResult>,
  { ports, began }: BatchContext,
): Promise<string | undefined> {
  try {
    const result = await deliverJob(job);
    if (result === 'done') return undefined;
    if (typeof result === 'object' && 'waitSeconds' in result) {
      await ports.wait(job, result);
      return undefined;
    }
    await ports.hide(job, secondsFor(result, ports, began));
    return result === 'back_at_once' ? 'handed_back' : 'failed_attempt';
  } catch (error) {
    // The fault is ours and not the target's, so no attempt is counted. The pause still grows, so that the message
    // outlasts a fault of several hours.
    await ports.hide(job, secondsFor({ failures: job.receives }, ports, began));
    return (error as Error).name;
  }
}

function secondsFor(result: Exclude<MessageResult, 'done' | LaterTurn>, { now, random }: Ports, began: Date): number {
  if (result === 'back_at_once') return 0;
  const time = now();
  const elapsedSeconds = (time.getTime() - began.getTime()) / 1000;
  return backOffSeconds({ ...result, now: time, elapsedSeconds, random: random() });
}

/**
 * Puts a new message in the place of the job's. A message that is only hidden would be handed out once more, and the
 * queue gives it up after 15 times. If this fails, the job's message comes back.
 */
export async function waitForTurn(job: Job, { waitSeconds, hasTurn, wait }: LaterTurn): Promise<void> {
  const { shop_slug, target, delivery_id, payload_id, probe } = job;
  const reference = { shop_slug, target, delivery_id, payload_id, ...causeOf(job) };
  const message = { ...reference, ...(probe && { probe }), ...(hasTurn && { hasTurn }), wait };
  await enqueue([message], { delaySeconds: Math.min(Math.max(1, Math.ceil(waitSeconds)), maxWaitSeconds) });
}

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

let sender: SendToVendor | undefined;

/** Loaded with the first delivery to a vendor: most deployments have none. */
async function vendorSender(): Promise<SendToVendor> {
  const { createVendorSender } = await import('./vendor.ts');
  sender ??= createVendorSender({ call: createCall(), now });
  return sender;
}
