import type { SQSRecord } from 'aws-lambda';
import { backOffSeconds } from '#domain/deliveries/delivery-rules.ts';
import { type Loaded, loadAll } from './attempt-store.ts';
import { deliver, type MessageResult, type Target } from './deliver.ts';
import type { Ports } from './job.ts';
import { byTarget, distinct, type Job, toJob } from './job.ts';
import { attemptDeadlineMs } from './post.ts';
import { targetCircuit } from './target-circuit.ts';

export interface DeliveryBatchResult {
  /** Messages that go back to the queue, with the reason. */
  again: Map<string, string>;
}

/** Deliveries of one target that are under way at the same time: a slow one does not take the whole batch. */
const inFlightPerTarget = 3;

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
  const run = async (job: Job, target: Target) => {
    const reason = await runJob(job, { loading, target, ports, began, remainingMs });
    if (reason !== undefined) again.set(job.messageId, reason);
  };
  await Promise.all(groups.map(({ group, target }) => inTurn(group, target, run)));
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

async function inTurn(jobs: readonly Job[], target: Target, run: (job: Job, target: Target) => Promise<void>) {
  const waiting = jobs.values();
  const worker = async () => {
    for (const job of waiting) await run(job, target);
  };
  await Promise.all(Array.from({ length: inFlightPerTarget }, worker));
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
