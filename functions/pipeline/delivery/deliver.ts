import {
  type Answer,
  type Attempt,
  type Delivery,
  type Ending,
  endingOf,
  isEnded,
  isOverdue,
  maxAttempts,
  statusAfter,
} from '#domain/deliveries/delivery-rules.ts';
import { readDelivery } from '#domain/deliveries/delivery-store.ts';
import { bodyOf } from '#domain/deliveries/payload-store.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { change, type Loaded } from './attempt-store.ts';
import type { Destination } from './destination.ts';
import type { Job, Ports } from './job.ts';
import type { TargetCircuit } from './target-circuit.ts';

/** What the deliveries of one target share. */
export interface Target {
  circuit: TargetCircuit;
  destination: Promise<Destination | undefined>;
}

/** Done with the message, or back to the queue with it: after a failure, or at once. */
export type Verdict = 'done' | 'at_once' | { failures: number; retryAfter?: string | undefined };

/** Takes one delivery as far as it gets now. A message whose delivery has ended is a repeated one. */
export async function deliver(job: Job, { delivery, payload }: Loaded, target: Target, ports: Ports): Promise<Verdict> {
  if (!delivery || isEnded(delivery)) return 'done';
  // The run is over, and its last worker did not live to say so; or it has waited in vain for as long as it is kept.
  if (delivery.attempt_count >= maxAttempts || isOverdue(delivery, ports.now())) return end(delivery, 'failed', ports);
  const destination = await target.destination;
  if (!destination) await target.circuit.abandoned(ports.now());
  if (!destination || !payload) return end(delivery, 'cancelled', ports);
  const isDown = await target.circuit.isOpen();
  if (isDown && !job.probe) return park(delivery, target, ports);
  const { answer, logged } = await attempt(delivery, await bodyOf(payload), destination, ports);
  const ending = await record({ ...job, probe: isDown }, delivery, answer, logged, ports);
  await report(ending, delivery, target, ports);
  return verdictOf(ending, job, delivery, answer);
}

async function end(delivery: Delivery, status: 'failed' | 'cancelled', { now }: Ports): Promise<Verdict> {
  await change(delivery, { status }, now());
  return 'done';
}

/**
 * Lays the delivery aside until its target is back. Should the circuit have closed in the meantime, nobody would look
 * for what is parked: then the queue keeps it.
 */
async function park(delivery: Delivery, { circuit }: Target, { now }: Ports): Promise<Verdict> {
  if (delivery.status !== 'parked') await change(delivery, { status: 'parked' }, now());
  return (await circuit.isStillOpen()) ? 'done' : 'at_once';
}

/** Another worker may have written since we read. A success is recorded all the same; a failure it has counted. */
const maxTries = 3;

async function record(
  { probe, receives }: Job,
  read: Delivery,
  answer: Answer,
  logged: Attempt,
  { now }: Ports,
): Promise<Ending> {
  let delivery = read;
  for (let attempts = 1; ; attempts++) {
    const ending = endingOf(answer, delivery.attempt_count, probe);
    const counts = ending !== 'waits';
    try {
      await change(delivery, { status: statusAfter(ending, receives), attempt: logged, counts }, now());
      return ending;
    } catch (error) {
      if (!(error instanceof WriteConflict) || attempts === maxTries) throw error;
      const current = await readDelivery(read.shop_slug, read.target, read.id);
      if (ending !== 'delivered' || !current || isEnded(current)) return ending;
      delivery = current;
    }
  }
}

/** Who says that it is gone for good is there to say so: no reason to hold back the rest. */
async function report(ending: Ending, { id }: Delivery, { circuit }: Target, { now }: Ports): Promise<void> {
  if (ending === 'delivered' || ending === 'gone') await circuit.success(now());
  else await circuit.failure(id, now());
}

function verdictOf(ending: Ending, { receives }: Job, { attempt_count }: Delivery, { retryAfter }: Answer): Verdict {
  if (ending === 'again') return { failures: attempt_count + 1, retryAfter };
  // Back to the queue, which has handed it out for the last time: a dead letter.
  return ending === 'exhausted' && statusAfter(ending, receives) === 'pending' ? 'at_once' : 'done';
}

/** One POST, and what the log says of it. */
async function attempt(
  { id }: Delivery,
  body: Uint8Array,
  destination: Destination,
  { post, now }: Pick<Ports, 'post' | 'now'>,
): Promise<{ answer: Answer; logged: Attempt }> {
  const began = now();
  const headers = { ...common, ...(await destination.headersFor(id, body, began)) };
  const answer = await post({ url: destination.url, headers, body });
  const { status, error, response } = answer;
  const logged: Attempt = {
    at: began.toISOString(),
    duration_ms: Math.max(0, now().getTime() - began.getTime()),
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(response !== undefined && { response }),
  };
  return { answer, logged };
}

const common = {
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'post-purchase-service',
};
