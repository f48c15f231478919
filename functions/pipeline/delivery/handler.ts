import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { isCircuitOpen, recordAbandoned, recordFailure, recordSuccess } from '#domain/deliveries/circuit-store.ts';
import { backOffSeconds } from '#domain/deliveries/delivery-rules.ts';
import { postpone, takeTurns } from '#domain/deliveries/pace-store.ts';
import { sendLater } from '#domain/deliveries/retry-store.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { correlationIds } from '#platform/correlation.ts';
import { required } from '#platform/environment.ts';
import { countOne, logger } from '#platform/logging.ts';
import { createCall } from '#platform/outgoing/call.ts';
import { maxDelaySeconds, sqsClient } from '#platform/queue.ts';
import { ownMetrics } from '#schemas/catalogues/metrics.ts';
import { type LoadedDelivery, loadAll } from './attempt-store.ts';
import { deliver, type MessageResult, NotRecorded, prepare, type TargetState } from './deliver.ts';
import { byTarget, distinct, type Job, type Ports, sameAgain, toJob } from './job.ts';
import { attemptDeadlineMs, createPost, destinationOf, isEmail, isVendor, type SendToVendor } from './post.ts';
import { targetCircuit } from './target-circuit.ts';
import type { Together } from './vendor.ts';

const now = () => new Date();

const ports: Ports = {
  post: createPost(),
  sendToVendor: async (...exchange) => (await vendorSender())(...exchange),
  sendMail: async (...mail) => (await import('#platform/lazy/ses.ts')).sendMail(...mail),
  destinationOf,
  pace: { takeTurns, postpone },
  circuit: { isOpen: isCircuitOpen, recordAbandoned, recordSuccess, recordFailure },
  hide,
  sendLater,
  now,
  random: Math.random,
};

/**
 * Sends deliveries from their queue to merchants' systems. It does not use `handleEach`, because the deliveries of one
 * target share its circuit and its concurrency limit.
 */
export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const remainingMs = () => context.getRemainingTimeInMillis();
  const { again, faults, correlations } = await deliverBatch(Records, ports, remainingMs);
  const counts = { messages: Records.length, again: again.size, faults: faults.size, correlation_ids: correlations };
  if (again.size + faults.size === 0) logger.info('deliveries', counts);
  else logger.warn('deliveries', { ...counts, reasons: Object.fromEntries([...again, ...faults]) });
  if ([...faults.values()].some((reason) => reason !== contention)) await countOne(ownMetrics.deliveryFaults);
  return { batchItemFailures: [...again.keys()].map((itemIdentifier) => ({ itemIdentifier })) };
}

/** Many mails about one order at the same time. The next try comes through. */
const contention = 'WriteConflict';

export interface DeliveryBatchResult {
  /** The messages that go back to the queue, each with the reason. */
  again: Map<string, string>;
  /** The messages that ended in a fault of ours, each with the name of the error. Another one replaces them, or they go back. */
  faults: Map<string, string>;
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
  const jobs = records.map(toJob);
  // A malformed message stays malformed. The queue gives it up in the end, and the handler of dead letters logs it.
  const again = new Map<string, string>(
    records.flatMap(({ messageId }, i) => (jobs[i] ? [] : [[messageId, 'malformed']])),
  );
  const faults = new Map<string, string>();
  const distinctJobs = distinct(jobs.filter((job) => job !== undefined));
  // Deliveries and targets are requested at the same moment, so that one request to the table reads all of them.
  const loading = loadEach(distinctJobs);
  const groups = byTarget(distinctJobs).map((group) => ({ group, target: targetOf(group[0]!, ports) }));
  const finish = async (job: Job, work: () => Promise<MessageResult>): Promise<void> => {
    const { back, fault } = await resultOf(job, work, ports);
    if (back !== undefined) again.set(job.messageId, back);
    if (fault !== undefined) faults.set(job.messageId, fault);
  };
  const hasTime = () => remainingMs() >= neededMs;
  const inGroup = { loading, ports, hasTime, finish, maxConcurrent: maxConcurrentPerTarget };
  await Promise.all(groups.map(({ group, target }) => deliverGroup({ ...inGroup, jobs: group, target })));
  return { again, faults, correlations: correlationIds(distinctJobs) };
}

interface Group extends Omit<Together, 'prepare' | 'vendor'> {
  loading: Loading;
}

/** Delivers to a target: each delivery for itself, together in the form of its vendor, or as e-mails. */
async function deliverGroup({ loading, ...group }: Group): Promise<void> {
  const { jobs, target, ports, hasTime, finish, maxConcurrent } = group;
  const loadedOf = async (job: Job) => (await loading).get(job)!;
  // Every delivery awaits the destination later and sees the error.
  const destination = await target.destination.catch(() => undefined);
  if (destination && isVendor(destination)) {
    const { deliverTogether } = await import('./vendor.ts');
    const prepareJob = async (job: Job) => prepare(job, await loadedOf(job), target, ports);
    return deliverTogether({ ...group, prepare: prepareJob, vendor: destination });
  }
  if (destination && isEmail(destination)) {
    const { deliverMails } = await import('./email.ts');
    const prepareJob = async (job: Job) => prepare(job, await loadedOf(job), target, ports);
    await deliverMails({ ...group, prepare: prepareJob });
    return;
  }
  const deliverJob = async (job: Job): Promise<MessageResult> => {
    const loaded = await loadedOf(job);
    return hasTime() ? deliver(job, loaded, target, ports) : 'back_at_once';
  };
  await mapConcurrently(jobs, (job) => finish(job, () => deliverJob(job)), maxConcurrent);
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

/** `back`: why the message goes back to the queue. `fault`: why it was a fault of ours; another message takes its place if it does not go back. */
interface Outcome {
  back?: string;
  fault?: string;
}

export async function resultOf(job: Job, work: () => Promise<MessageResult>, ports: Ports): Promise<Outcome> {
  let unrecorded: Unrecorded | undefined = job.ended && { ended: job.ended, isProbe: job.probe };
  try {
    const result = await work();
    unrecorded = undefined;
    if (result === 'done') return {};
    if (typeof result === 'object') {
      const { waitSeconds, hasTurn, wait } = result;
      const seconds = Math.min(Math.max(1, Math.ceil(waitSeconds)), maxDelaySeconds);
      await ports.sendLater(sameAgain(job, { ...(hasTurn && { hasTurn }), wait }), seconds);
      return {};
    }
    await ports.hide(job, result === 'back_soon' ? soonSeconds(job) : 0);
    return { back: result === 'back_soon' ? 'not_recorded_yet' : 'handed_back' };
  } catch (error) {
    if (error instanceof NotRecorded) unrecorded = error;
    return sendAgain(job, (error as Error).name, unrecorded, ports);
  }
}

/**
 * The worker that sent the message records its failure at once, so the message is back in a moment: 1 s, 2 s, 4 s, … up to
 * a minute. If it has died, `maxEarlyReceives` of these pauses last until that is certain.
 */
const soonSeconds = ({ receives }: Job): number => Math.min(2 ** (receives - 1), 60);

/** With a quarter of an hour between them, these last longer than a day. */
const maxFaults = 120;

type Unrecorded = Pick<NotRecorded, 'ended' | 'isProbe'>;

/**
 * The fault is ours and not the target's, so no attempt is counted. A new message takes the place of the job's: one that
 * is only hidden takes a place in flight. It carries the attempt if that was made and could not be recorded. Only if
 * nothing takes the new message either, the job's own message makes the attempt again. A fault that stays for more than a
 * day is left to the queue.
 */
async function sendAgain(job: Job, reason: string, unrecorded: Unrecorded | undefined, ports: Ports): Promise<Outcome> {
  const faults = job.faults + 1;
  const backOff = backOffSeconds({ failures: faults, now: ports.now(), random: ports.random() });
  const seconds = Math.min(backOff, maxDelaySeconds);
  try {
    const isInMessage = unrecorded?.ended === job.ended;
    if (faults > maxFaults && isInMessage) throw new Error('too many faults');
    await ports.sendLater(
      sameAgain(job, {
        ...(job.hasTurn && { hasTurn: true }),
        ...(job.wait && { wait: job.wait }),
        ...(unrecorded && { ended: unrecorded.ended, probe: unrecorded.isProbe }),
        faults,
      }),
      seconds,
    );
    return { fault: reason };
  } catch {
    await ports.hide(job, seconds);
    return { back: reason, fault: reason };
  }
}

/**
 * Hides the message for that many seconds. If the queue refuses this, the message comes back after the queue's own
 * visibility timeout, so it is never lost.
 */
export async function hide({ receiptHandle: ReceiptHandle, messageId }: Job, VisibilityTimeout: number): Promise<void> {
  try {
    const { ChangeMessageVisibilityCommand } = await import('@aws-sdk/client-sqs');
    const QueueUrl = required('DELIVERY_QUEUE_URL');
    await (await sqsClient()).send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }));
  } catch (error) {
    logger.warn('back-off not set', { message_id: messageId, reason: (error as Error).name });
  }
}

let sender: SendToVendor | undefined;

/** Loaded with the first delivery to a vendor: most deployments have none. */
async function vendorSender(): Promise<SendToVendor> {
  const { createVendorSender } = await import('./vendor.ts');
  sender ??= createVendorSender({ call: createCall(), now });
  return sender;
}
