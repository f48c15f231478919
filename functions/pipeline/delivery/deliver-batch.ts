import type { SQSRecord } from 'aws-lambda';
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
import { WriteConflict } from '#platform/table/writes.ts';
import { change, type Loaded, loadAll } from './attempt-store.ts';
import type { Destination } from './destination.ts';
import { byTarget, distinct, type Job, type Ports, toJob } from './job.ts';
import { attemptDeadlineMs } from './post.ts';
import { type TargetCircuit, targetCircuit } from './target-circuit.ts';

export interface DeliveryBatchResult {
  /** Messages that go back to the queue, with the reason. */
  again: Map<string, string>;
}

/** Deliveries of one target that are under way at the same time: a slow one does not take the whole batch. */
const maxConcurrentPerTarget = 3;

/** An attempt that could not be recorded any more is not begun. */
const neededMs = attemptDeadlineMs + 5_000;

/** Delivers the messages of a batch, those of each target a few at a time. */
export async function deliverBatch(
  records: readonly SQSRecord[],
  ports: Ports,
  remainingMs: () => number,
): Promise<DeliveryBatchResult> {
  const began = ports.now();
  const jobs = records.map(toJob);
  // Nobody can read it next time either: its receives run out, and who looks after dead letters says so in the log.
  const again = new Map<string, string>(
    records.flatMap(({ messageId }, i) => (jobs[i] ? [] : [[messageId, 'malformed']])),
  );
  const wanted = distinct(jobs.filter((job) => job !== undefined));
  // Asked for in the same moment, so that all of it is read in one request.
  const loading = loadEach(wanted);
  const groups = byTarget(wanted).map((group) => ({ group, target: targetOf(group[0]!, ports) }));
  const run = async (job: Job, target: Target): Promise<void> => {
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
  loading.catch(() => {}); // each of the deliveries sees the error when it comes to it
  return loading;
}

function targetOf({ shop_slug, target }: Job, { circuit, destinationOf }: Ports): Target {
  const destination = destinationOf({ shop_slug, target });
  destination.catch(() => {}); // each of its deliveries sees the error when it comes to it
  return { circuit: targetCircuit(circuit, shop_slug, target), destination };
}

type Loading = Promise<Map<Job, Loaded>>;

interface BatchContext {
  loading: Loading;
  target: Target;
  ports: Ports;
  began: Date;
  remainingMs: () => number;
}

/** Why the message goes back to the queue, or undefined where it is done with. */
async function runJob(job: Job, { loading, target, ports, began, remainingMs }: BatchContext) {
  try {
    const loaded = (await loading).get(job)!;
    const result = remainingMs() < neededMs ? 'back_at_once' : await deliver(job, loaded, target, ports);
    if (result === 'done') return undefined;
    await ports.hide(job, secondsFor(result, ports, began));
    return result === 'back_at_once' ? 'handed_back' : 'failed_attempt';
  } catch (error) {
    // Our fault, not the target's: no attempt is counted. Backing off all the same outlasts a trouble of hours.
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
interface Target {
  circuit: TargetCircuit;
  destination: Promise<Destination | undefined>;
}

/** Done with the message, or back to the queue with it: at once, or after the pause that so many failures ask for. */
type MessageResult = 'done' | 'back_at_once' | { failures: number; retryAfter?: string | undefined };

/** Takes one delivery as far as it gets now. A message whose delivery has ended is a repeated one. */
async function deliver(job: Job, { delivery, payload }: Loaded, target: Target, ports: Ports): Promise<MessageResult> {
  if (!delivery || isEnded(delivery)) return 'done';
  // The run is over, and its last worker did not live to say so; or it has waited in vain for as long as it is kept.
  if (delivery.attempt_count >= maxAttempts || isOverdue(delivery, ports.now())) return end(delivery, 'failed', ports);
  const destination = await target.destination;
  if (!destination) await target.circuit.abandoned(ports.now());
  if (!destination || !payload) return end(delivery, 'cancelled', ports);
  const isDown = await target.circuit.isOpen();
  if (isDown && !job.probe) return park(delivery, target, ports);
  const attempted = await attempt(delivery, await bodyOf(payload), destination, ports);
  const after = await record({ ...job, probe: isDown }, delivery, attempted, ports);
  if (after.isTargetUp) await target.circuit.success(ports.now());
  else await target.circuit.failure(delivery.id, ports.now());
  if (after.message === 'retry')
    return { failures: delivery.attempt_count + 1, retryAfter: attempted.result.retryAfter };
  // Back to the queue, which has handed it out for the last time: a dead letter.
  return after.message === 'give_up' ? 'back_at_once' : 'done';
}

async function end(delivery: Delivery, status: 'failed' | 'cancelled', { now }: Ports): Promise<MessageResult> {
  await change(delivery, { status }, now());
  return 'done';
}

/**
 * Lays the delivery aside until its target is back. Should the circuit have closed in the meantime, nobody would look
 * for what is parked: then the queue keeps it.
 */
async function park(delivery: Delivery, { circuit }: Target, { now }: Ports): Promise<MessageResult> {
  if (delivery.status !== 'parked') await change(delivery, { status: 'parked' }, now());
  return (await circuit.isStillOpen()) ? 'done' : 'back_at_once';
}

/** Another worker may have written since we read. A success is recorded all the same; a failure it has counted. */
const maxTries = 3;

async function record(
  { probe: isProbe, receives }: Job,
  read: Delivery,
  { result, logged }: Attempted,
  { now }: Ports,
): Promise<AfterAttempt> {
  let delivery = read;
  for (let tries = 1; ; tries++) {
    const after = afterAttempt(result, { attemptCount: delivery.attempt_count, receives, isProbe });
    try {
      await change(delivery, { status: after.status, attempt: logged, counts: after.counts }, now());
      return after;
    } catch (error) {
      if (!(error instanceof WriteConflict) || tries === maxTries) throw error;
      const current = await readDelivery(read.shop_slug, read.target, read.id);
      if (after.status !== 'delivered' || !current || isEnded(current)) return after;
      delivery = current;
    }
  }
}

/** An attempt that was made. */
interface Attempted {
  result: AttemptResult;
  /** What the log says of it. */
  logged: Attempt;
}

/** One POST. */
async function attempt(
  { id }: Delivery,
  body: Uint8Array,
  destination: Destination,
  { post, now }: Pick<Ports, 'post' | 'now'>,
): Promise<Attempted> {
  const began = now();
  const headers = { ...common, ...(await destination.headersFor(id, body, began)) };
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

const common = {
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'post-purchase-service',
};
