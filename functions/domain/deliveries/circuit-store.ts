import { logger } from '#platform/logging.ts';
import { remember } from '#platform/recently-used.ts';
import { gatheredGet } from '#platform/table/gathered-reads.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { commit, putVersion, WriteConflict } from '#platform/table/writes.ts';
import { afterAbandonment, afterFailure, afterSuccess, type Circuit, closedCircuit } from './circuit-rules.ts';

/** A circuit as this process last read it. A target without an item has a closed circuit. */
export interface KnownCircuit {
  slug: string;
  target: string;
  circuit: Circuit;
  /** 0 if there is no item yet. */
  version: number;
}

/** Whether deliveries to the target must be parked. */
export async function isCircuitOpen(slug: string, target: string): Promise<boolean> {
  return remembering(await readCircuit(slug, target)).circuit.state === 'open';
}

export function recordSuccess(slug: string, target: string, now: Date): Promise<void> {
  return changeUnlessKnown(slug, target, (circuit) => afterSuccess(circuit, now), now);
}

export function recordAbandoned(slug: string, target: string, now: Date): Promise<void> {
  return changeUnlessKnown(slug, target, (circuit) => afterAbandonment(circuit, now), now);
}

/**
 * Clears the failures of a target that got a new address or was enabled again, as a success would. If this fails, the
 * next probe finds out.
 */
export async function resetCircuit(slug: string, target: string, now: Date): Promise<void> {
  try {
    await change(slug, target, (circuit) => afterSuccess(circuit, now), now);
  } catch (error) {
    logger.warn('circuit not reset', { shop: slug, target, reason: (error as Error).name });
  }
}

type NextCircuit = (circuit: Circuit) => Circuit | undefined;

/** Most targets have no recent failures: then this costs no request. */
async function changeUnlessKnown(slug: string, target: string, next: NextCircuit, now: Date): Promise<void> {
  const known = remembered.get(circuitName(slug, target));
  if (known && next(known.circuit) === undefined) return;
  await change(slug, target, next, now);
}

export async function recordFailure(slug: string, target: string, deliveryId: string, now: Date): Promise<void> {
  const next = (circuit: Circuit) => afterFailure(circuit, deliveryId, now, firstProbeSeconds());
  const changed = await change(slug, target, next, now);
  if (changed?.state === 'open') logger.warn('circuit opened', { shop: slug, target });
}

/** The circuit of a target as it is stored now. */
export async function readCircuit(slug: string, target: string): Promise<KnownCircuit> {
  const [item] = await gatheredGet([keyOf.circuit(slug, target)]);
  return toCircuit(slug, target, item);
}

export function toCircuit(slug: string, target: string, item: Record<string, unknown> | undefined): KnownCircuit {
  const { version, ...circuit } = { version: 0, ...closedCircuit, ...item } as Circuit & { version: number };
  return { slug, target, circuit, version };
}

/** Writes the new circuit. Throws WriteConflict if somebody else wrote it after it was read. */
export async function writeCircuit(known: KnownCircuit, circuit: Circuit, now: Date): Promise<void> {
  const { slug, target, version } = known;
  await commit([putVersion(circuitItem(slug, target, circuit, version + 1, now))]);
  remembering({ slug, target, circuit, version: version + 1 });
}

const ttlSeconds = 30 * 24 * 3600;

function circuitItem(slug: string, target: string, circuit: Circuit, version: number, now: Date) {
  const { state, failing, since, probe_at, probe_interval_s, cursor, pace } = circuit;
  return {
    ...keyOf.circuit(slug, target),
    ...(state !== 'closed' && indexKeyOf.openCircuits(probe_at, slug, target)),
    ...{ shop_slug: slug, target, state, failing, since, probe_at, probe_interval_s, cursor, pace, version },
    // Nothing else removes the circuit of a deleted endpoint.
    expires_at: Math.floor(now.getTime() / 1000) + ttlSeconds,
  };
}

const maxAttempts = 5;

/** Returns the circuit that was written, or undefined if it does not change or if others were always faster. */
async function change(slug: string, target: string, next: NextCircuit, now: Date): Promise<Circuit | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const known = remembering(await readCircuit(slug, target));
    const circuit = next(known.circuit);
    if (!circuit) return undefined;
    try {
      await writeCircuit(known, circuit, now);
      return circuit;
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
  // The writers that were faster recorded nearly the same about the target. A delivery must not fail because of this
  // count.
  return undefined;
}

/** The last known circuits in this execution environment. Each is read again with the next delivery. */
const remembered = new Map<string, KnownCircuit>();
const maxRemembered = 1000;

function remembering(known: KnownCircuit): KnownCircuit {
  remember(remembered, circuitName(known.slug, known.target), known, maxRemembered);
  return known;
}

const circuitName = (slug: string, target: string) => `${slug}#${target}`;

/** The drain function runs once a minute, so an earlier probe would not be sent earlier. */
function firstProbeSeconds(): number {
  return Number(process.env.CIRCUIT_PROBE_SECONDS ?? 60);
}
