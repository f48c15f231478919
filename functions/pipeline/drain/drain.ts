import { afterProbe, afterRound, type Circuit, draining } from '#domain/deliveries/circuit-rules.ts';
import { type KnownCircuit, writeCircuit } from '#domain/deliveries/circuit-store.ts';
import { lastIdAt } from '#domain/deliveries/delivery-items.ts';
import { enqueue } from '#domain/deliveries/delivery-queue.ts';
import { overdueBefore } from '#domain/deliveries/delivery-rules.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { logger } from '#platform/logging.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { dueCircuits, parkedAfter, parkedUntil } from './parked-store.ts';

export interface DrainResult {
  /** Circuits that were due. */
  circuits: number;
  probes: number;
  /** Parked deliveries that were put back on the queue. */
  released: number;
  failed: number;
}

const maxConcurrentCircuits = 10;

/** The time that one circuit may take at most. What is not done remains due. */
const neededMs = 10_000;

/** Probes the targets whose probe is due, and lets parked deliveries of those that are back go. */
export async function drain(now: Date, remainingMs: () => number): Promise<DrainResult> {
  const outcome: DrainResult = { circuits: 0, probes: 0, released: 0, failed: 0 };
  const advanceInTime = async (known: KnownCircuit): Promise<void> => {
    if (remainingMs() >= neededMs) await advance(known, now, outcome);
  };
  await mapConcurrently(await dueCircuits(now), advanceInTime, maxConcurrentCircuits);
  return outcome;
}

/** One target that cannot be looked after must not keep the others waiting. */
async function advance(known: KnownCircuit, now: Date, outcome: DrainResult): Promise<void> {
  outcome.circuits++;
  try {
    const next = known.circuit.state === 'open' ? await probe(known, now, outcome) : await release(known, now, outcome);
    await writeCircuit(known, next, now);
  } catch (error) {
    // A delivery ended in the meantime and told more about the target than we know.
    if (error instanceof WriteConflict) return;
    outcome.failed++;
    logger.warn('circuit not advanced', { shop: known.slug, target: known.target, reason: (error as Error).name });
  }
}

/** Each probe is another delivery: one that its target will never take says nothing about the target. */
async function probe({ slug, target, circuit }: KnownCircuit, now: Date, outcome: DrainResult): Promise<Circuit> {
  await endOverdue(slug, target, now);
  const [next] = await parkedAfter(slug, target, circuit.cursor, 1);
  const [chosen] = next === undefined && circuit.cursor !== '' ? await parkedAfter(slug, target, '', 1) : [next];
  // Nothing waits: the next delivery that comes is as good as a probe.
  if (chosen === undefined) return draining(now);
  await enqueue([{ shop_slug: slug, target, delivery_id: chosen, probe: true }]);
  outcome.probes++;
  return afterProbe(circuit, chosen, now);
}

/** In one round of one target. There is a day for all of them, and rounds are a quarter of an hour apart. */
const maxOverdue = 1000;

/** Whoever gets them records that they have failed. */
async function endOverdue(slug: string, target: string, now: Date): Promise<void> {
  const overdue = await parkedUntil(slug, target, lastIdAt(overdueBefore(now)), maxOverdue);
  await enqueue(overdue.map((delivery_id) => ({ shop_slug: slug, target, delivery_id })));
}

/** Sent, and left in the list: whoever attempts a delivery takes it out, so that none is lost in between. */
async function release({ slug, target, circuit }: KnownCircuit, now: Date, outcome: DrainResult): Promise<Circuit> {
  const found = await parkedAfter(slug, target, circuit.cursor, circuit.pace);
  await enqueue(found.map((delivery_id) => ({ shop_slug: slug, target, delivery_id })));
  outcome.released += found.length;
  return afterRound(circuit, { found, more: found.length === circuit.pace }, now);
}
