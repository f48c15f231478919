import { type EndedAttempt, isTooLong, waitOf } from '#domain/deliveries/delivery-rules.ts';
import type { Turn } from '#domain/deliveries/pace-store.ts';
import type { VendorDelivery } from '#domain/vendors/dialect.ts';
import { chunks, mapConcurrently } from '#platform/batches.ts';
import {
  conclude,
  end,
  endedAttempt,
  isReady,
  type MessageResult,
  type Ready,
  type TargetState,
  throttleSeconds,
} from './deliver.ts';
import type { Job, Ports } from './job.ts';
import type { VendorDestination } from './post.ts';
import type { TargetCircuit } from './target-circuit.ts';

/** A delivery to a vendor, with what it says. */
interface Outgoing extends VendorDelivery {
  job: Job;
}

/** What became of a delivery: it was attempted, is of no use to the vendor, must wait for its turn, or had no time. */
type Sent = AttemptedTogether | { skipReason: string } | Turn | 'no_time';

interface AttemptedTogether extends EndedAttempt {
  /** The circuit counts failures in a row. One exchange is one failure, however many deliveries it had. */
  countsForTarget: boolean;
}

/** The deliveries of one target, whose vendor takes them in its own form, several in one exchange where it allows that. */
export interface Together {
  jobs: readonly Job[];
  prepare: (job: Job) => Promise<Ready | MessageResult>;
  vendor: VendorDestination;
  target: TargetState;
  ports: Ports;
  hasTime: () => boolean;
  maxConcurrent: number;
}

type Tell = (job: Job, sent: Sent) => void;

/** Returns how to get the result of each job. A delivery is recorded as soon as its own exchange is over. */
export function deliverTogether(together: Together): (job: Job) => Promise<MessageResult> {
  const preparing = new Map(together.jobs.map((job) => [job, together.prepare(job)]));
  const results = new Map(together.jobs.map((job) => [job, Promise.withResolvers<Sent>()]));
  const sending = sendAll(preparing, together, (job, sent) => results.get(job)!.resolve(sent));
  // A job without a result by then will have none: each job awaits this and sees the error.
  sending.catch((error) => {
    for (const { reject } of results.values()) reject(error);
  });
  for (const promise of [...preparing.values(), ...[...results.values()].map((one) => one.promise)])
    promise.catch(() => {});
  return async (job) => {
    const step = await preparing.get(job)!;
    return isReady(step) ? concludeSent(job, step, await results.get(job)!.promise, together) : step;
  };
}

async function sendAll(
  preparing: ReadonlyMap<Job, Promise<Ready | MessageResult>>,
  together: Together,
  tell: Tell,
): Promise<void> {
  const { dialect, account } = together.vendor;
  const useful: Outgoing[] = [];
  for (const outgoing of await readyOnes(preparing)) {
    const skipReason = dialect.skipReason(outgoing, account);
    if (skipReason === undefined) useful.push(outgoing);
    else tell(outgoing.job, { skipReason });
  }
  const turn = await turnFor(useful, together);
  for (const { job } of useful) if (isEarly(job, turn)) tell(job, turn);
  const due = useful.filter(({ job }) => !isEarly(job, turn));
  const exchange = (batch: readonly Outgoing[]) => exchangeOne(batch, together, tell);
  await mapConcurrently(batchesOf(due, together.vendor), exchange, together.maxConcurrent);
}

async function readyOnes(preparing: ReadonlyMap<Job, Promise<Ready | MessageResult>>): Promise<Outgoing[]> {
  const settled = await Promise.allSettled(preparing.values());
  return [...preparing.keys()].flatMap((job, place) => {
    const step = settled[place]!;
    if (step.status === 'rejected' || !isReady(step.value)) return [];
    const { delivery, body } = step.value;
    return { job, id: delivery.id, payload: JSON.parse(Buffer.from(body).toString()) };
  });
}

const isEarly = ({ hasTurn }: Job, { waitSeconds }: Turn): boolean => waitSeconds > 0 && !hasTurn;

const now: Turn = { waitSeconds: 0, hasTurn: true };

/** A turn for the deliveries that have none. */
async function turnFor(useful: readonly Outgoing[], { vendor, ports }: Together): Promise<Turn> {
  const without = useful.filter(({ job }) => !job.hasTurn);
  if (without.length === 0) return now;
  const { shop_slug, target } = without[0]!.job;
  const exchanges = batchesOf(without, vendor).length;
  return ports.pace.takeTurns(shop_slug, target, exchanges, vendor.dialect.rate, ports.now());
}

/** The deliveries that go in one exchange each. */
function batchesOf(outgoing: readonly Outgoing[], { dialect, account }: VendorDestination): Outgoing[][] {
  const groups = Map.groupBy(outgoing, (delivery) => dialect.batchKey?.(delivery, account));
  return [...groups.values()].flatMap((group) => chunks(group, dialect.maxBatch));
}

async function exchangeOne(
  batch: readonly Outgoing[],
  { vendor, ports, hasTime }: Together,
  tell: Tell,
): Promise<void> {
  if (!hasTime()) {
    for (const { job } of batch) tell(job, 'no_time');
    return;
  }
  const began = ports.now();
  const results = await ports.sendToVendor(batch, vendor);
  const ended = ports.now();
  const throttled = results.filter(({ isThrottled }) => isThrottled).map((result) => throttleSeconds(result, ended));
  const { shop_slug, target } = batch[0]!.job;
  if (throttled.length > 0) {
    await ports.pace.postpone(shop_slug, target, Math.max(...throttled), vendor.dialect.rate, ended);
  }
  const failed = results.findIndex(({ isTargetUp }) => isTargetUp === false);
  for (const [place, { job }] of batch.entries()) {
    const countsForTarget = failed === -1 || failed === place;
    tell(job, { ...endedAttempt(began, ended, results[place]!), countsForTarget });
  }
}

async function concludeSent(job: Job, ready: Ready, sent: Sent, { target, ports }: Together): Promise<MessageResult> {
  if (sent === 'no_time') return 'back_at_once';
  if ('skipReason' in sent) return end(ready.delivery, 'cancelled', ports, sent.skipReason);
  if ('result' in sent) {
    const { countsForTarget, ...ended } = sent;
    return conclude(job, ready, ended, countsForTarget ? target.circuit : uncounted(target.circuit), ports);
  }
  const wait = waitOf(ready.delivery, job.wait, ports.now());
  return isTooLong(wait, ports.now()) ? end(ready.delivery, 'failed', ports, 'rate_limited') : { ...sent, wait };
}

const uncounted = (circuit: TargetCircuit): TargetCircuit => ({ ...circuit, failure: async () => {} });
