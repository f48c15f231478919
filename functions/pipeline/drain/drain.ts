import { afterProbe, afterRound, type Circuit, draining, postponed } from '#domain/deliveries/circuit-rules.ts';
import { type KnownCircuit, writeCircuit } from '#domain/deliveries/circuit-store.ts';
import { enqueue, type QueuedDelivery } from '#domain/deliveries/delivery-messages.ts';
import { dueRetries, type WaitingRetry } from '#domain/deliveries/retry-store.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { logger } from '#platform/logging.ts';
import { NotEnqueued } from '#platform/queue.ts';
import { removeAll } from '#platform/table/remove-all.ts';
import { shardsOf } from '#platform/table/shards.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { dueCircuits, overdueParked, parkedAfter } from './parked-store.ts';

export interface DrainResult {
  /** Circuits that were due. */
  circuits: number;
  probes: number;
  /** Parked deliveries that were put back on the queue. */
  released: number;
  /** Deliveries whose next attempt was due, and that were put on the queue. */
  retries: number;
  /** Whether some of them could not be sent. */
  hasUnsentRetries: boolean;
  /** Circuits that could not be advanced. Their deliveries stay parked. */
  stuckCircuits: number;
  failed: number;
}

const maxConcurrentCircuits = 10;

/** The longest time that one circuit, or a thousand retries, may take. With less time left, the others stay due. */
const neededMs = 10_000;

/**
 * Probes the targets whose probe is due, releases the parked deliveries of targets that are back, and sends the retries
 * that are due.
 */
export async function drain(now: Date, remainingMs: () => number): Promise<DrainResult> {
  const counts = { circuits: 0, probes: 0, released: 0, retries: 0, failed: 0, stuckCircuits: 0 };
  const result: DrainResult = { ...counts, hasUnsentRetries: false };
  const retrying = retryDue(now, remainingMs, result);
  const advanceInTime = async (known: KnownCircuit): Promise<void> => {
    if (remainingMs() >= neededMs) await advance(known, now, remainingMs, result);
  };
  await mapConcurrently(await dueCircuits(now), advanceInTime, maxConcurrentCircuits);
  await retrying;
  return result;
}

/** A failure here must not hold up the circuits. The retries stay due. */
async function retryDue(now: Date, remainingMs: () => number, result: DrainResult): Promise<void> {
  try {
    const { sent, refused } = await sendDueRetries(now, remainingMs);
    result.retries = sent;
    result.failed += refused;
    result.hasUnsentRetries = refused > 0;
  } catch (error) {
    result.failed++;
    result.hasUnsentRetries = true;
    logger.warn('retries not sent', { reason: (error as Error).name });
  }
}

/** A failure with one target must not hold up the others. */
async function advance(known: KnownCircuit, now: Date, remainingMs: () => number, result: DrainResult): Promise<void> {
  result.circuits++;
  try {
    const isOpen = known.circuit.state === 'open';
    if (isOpen) await endOverdue(known, now, remainingMs);
    const next = isOpen ? await probe(known, now, result) : await release(known, now, result);
    await writeCircuit(known, next, now);
  } catch (error) {
    // A delivery has ended in the meantime and recorded more about the target than we know.
    if (error instanceof WriteConflict) return;
    result.failed++;
    result.stuckCircuits++;
    logger.warn('circuit not advanced', { shop: known.slug, target: known.target, reason: (error as Error).name });
    await letOthersPass(known, now);
  }
}

/** A round takes the circuits that have waited longest, so those that always fail must not stay the first. */
async function letOthersPass(known: KnownCircuit, now: Date): Promise<void> {
  try {
    await writeCircuit(known, postponed(known.circuit, now), now);
  } catch (error) {
    // It stays where it is, or somebody else has changed it.
    if (!(error instanceof WriteConflict)) logger.warn('circuit not postponed', { reason: (error as Error).name });
  }
}

/** Each probe takes another delivery, because a target may refuse one delivery for ever and still be up. */
async function probe({ slug, target, circuit }: KnownCircuit, now: Date, result: DrainResult): Promise<Circuit> {
  const [next] = await parkedAfter(slug, target, circuit.cursor, 1);
  const [chosen] = next === undefined && circuit.cursor !== '' ? await parkedAfter(slug, target, '', 1) : [next];
  // Nothing is parked, so the next delivery serves as a probe.
  if (chosen === undefined) return draining(now);
  await enqueue([{ ...chosen, probe: true }]);
  result.probes++;
  return afterProbe(circuit, chosen.delivery_id, now);
}

/**
 * The worker that receives these deliveries records that they have failed. There is a day to end all of them before the
 * table removes them without a word, so those that do not fit into a round must be heard of.
 */
async function endOverdue({ slug, target }: KnownCircuit, now: Date, remainingMs: () => number): Promise<void> {
  for await (const overdue of overdueParked(slug, target, now)) {
    if (remainingMs() < neededMs)
      throw Object.assign(new Error('Overdue deliveries are left.'), { name: 'OverdueLeft' });
    await enqueue(overdue);
  }
}

/**
 * Queues parked deliveries but leaves them in the list. The worker that attempts a delivery removes it, so that none is
 * lost in between.
 */
async function release({ slug, target, circuit }: KnownCircuit, now: Date, result: DrainResult): Promise<Circuit> {
  const found = await parkedAfter(slug, target, circuit.cursor, circuit.pace);
  await enqueue(found);
  result.released += found.length;
  const round = { found: found.map(({ delivery_id }) => delivery_id), more: found.length === circuit.pace };
  return afterRound(circuit, round, now);
}

type Send = (messages: readonly QueuedDelivery[]) => Promise<void>;

export interface SentRetries {
  sent: number;
  /** Those that the queue did not accept. They stay due. */
  refused: number;
}

/**
 * Puts the deliveries whose next attempt is due on the queue, and then removes them from the list. If this dies in
 * between, the next round sends them again. A retry whose attempt is recorded is recognised by its id. If the first
 * message is still being attempted when the second one comes, the target gets the delivery twice, with the same id.
 */
export async function sendDueRetries(now: Date, remainingMs: () => number, send: Send = enqueue): Promise<SentRetries> {
  const counts = await mapConcurrently(shardsOf('retries'), (shard) => sendOfShard(shard, now, remainingMs, send));
  const sumOf = (name: keyof SentRetries) => counts.reduce((sum, count) => sum + count[name], 0);
  return { sent: sumOf('sent'), refused: sumOf('refused') };
}

async function sendOfShard(shard: number, now: Date, remainingMs: () => number, send: Send): Promise<SentRetries> {
  const count: SentRetries = { sent: 0, refused: 0 };
  for await (const retries of dueRetries(shard, now)) {
    if (remainingMs() < neededMs) break;
    const accepted = await acceptedOf(retries, send);
    // What is not removed is sent again in the next round, which does no harm.
    await removeAll(accepted);
    count.sent += accepted.length;
    count.refused += retries.length - accepted.length;
  }
  return count;
}

async function acceptedOf(retries: readonly WaitingRetry[], send: Send): Promise<readonly WaitingRetry[]> {
  try {
    await send(retries.map(({ message }) => message));
    return retries;
  } catch (error) {
    if (!(error instanceof NotEnqueued)) throw error;
    const refused = new Set<object>(error.messages);
    return retries.filter(({ message }) => !refused.has(message));
  }
}
