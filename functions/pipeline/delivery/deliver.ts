import {
  type AfterAttempt,
  type Attempt,
  type AttemptResult,
  afterAttempt,
  type Delivery,
  isEnded,
  isOverdue,
  maxAttempts,
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

/** Done with the message, or back to the queue with it: at once, or after the pause that so many failures ask for. */
export type MessageResult = 'done' | 'back_at_once' | { failures: number; retryAfter?: string | undefined };

/** Takes one delivery as far as it gets now. A message whose delivery has ended is a repeated one. */
export async function deliver(
  job: Job,
  { delivery, payload }: Loaded,
  target: Target,
  ports: Ports,
): Promise<MessageResult> {
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
export async function attempt(
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
