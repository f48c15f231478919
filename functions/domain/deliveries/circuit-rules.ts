/**
 * Whether a target is worth trying. A circuit opens when many deliveries fail with no success between: what comes then
 * is parked and spends no attempts. While it is open, one parked delivery at a time is sent as a probe. A success lets
 * the parked ones go, few at first; when none is left, the circuit closes.
 */
export interface Circuit {
  state: 'closed' | 'open' | 'draining';
  /** Deliveries that failed in a row, each once: one that fails again and again says nothing about its target. */
  failing: readonly string[];
  /** When the state last changed, or the last parked delivery was let go. */
  since: string;
  /** When the next probe or the next round of draining is due; means nothing in a closed circuit. */
  probe_at: string;
  /** Until the probe after the next. */
  probe_interval_s: number;
  /** The parked delivery that was sent last, so that the next is another; empty where the next is the oldest. */
  cursor: string;
  /** How many parked deliveries the next round lets go. */
  pace: number;
}

const failuresToOpen = 10;
const slowestProbe = 15 * 60;
const firstPace = 10;
const fastestPace = 1000;

/**
 * Nothing looks for parked deliveries of a closed circuit, and the list of them may lag behind the table: a circuit
 * closes only when nothing has stood parked for so long.
 */
const quietSeconds = 60;

export const closedCircuit: Circuit = {
  state: 'closed',
  failing: [],
  since: '',
  probe_at: '',
  probe_interval_s: 0,
  cursor: '',
  pace: 0,
};

/** The circuit after a failed attempt; undefined where it stays as it is. */
export function afterFailure(
  circuit: Circuit,
  deliveryId: string,
  now: Date,
  probeSeconds: number,
): Circuit | undefined {
  if (circuit.state === 'open' || circuit.failing.includes(deliveryId)) return undefined;
  const failing = [...circuit.failing, deliveryId];
  return failing.length < failuresToOpen ? { ...circuit, failing } : opened(now, probeSeconds);
}

function opened(now: Date, probeSeconds: number): Circuit {
  return {
    ...closedCircuit,
    state: 'open',
    since: now.toISOString(),
    probe_at: later(now, probeSeconds),
    probe_interval_s: probeSeconds,
  };
}

/** The circuit after a successful attempt; undefined where it stays as it is. */
export function afterSuccess(circuit: Circuit, now: Date): Circuit | undefined {
  if (circuit.state === 'open') return draining(now);
  return circuit.failing.length > 0 ? { ...circuit, failing: [] } : undefined;
}

/** The circuit of a target that takes no deliveries any more: what waits is let go at once, and ends as cancelled. */
export function afterAbandonment(circuit: Circuit, now: Date): Circuit | undefined {
  return circuit.state === 'open' ? { ...draining(now), pace: fastestPace } : undefined;
}

/** Deliveries are attempted again, and the next round lets the first parked ones go. */
export function draining(now: Date): Circuit {
  const at = now.toISOString();
  return { ...closedCircuit, state: 'draining', since: at, probe_at: at, pace: firstPace };
}

/** The circuit once a probe is on its way. Its failure need not be told: without a success the next one comes later. */
export function afterProbe(circuit: Circuit, deliveryId: string, now: Date): Circuit {
  const { probe_interval_s: interval } = circuit;
  return {
    ...circuit,
    cursor: deliveryId,
    probe_at: later(now, interval),
    probe_interval_s: Math.min(2 * interval, slowestProbe),
  };
}

/** What a round of draining sent. */
export interface Round {
  /** The parked deliveries that it found, after the cursor. */
  found: readonly string[];
  /** Whether there may be more. */
  more: boolean;
}

/**
 * The circuit after a round. A delivery stays in the list until it is attempted: each round goes on behind the one
 * before, and begins again only when it has come to the end.
 */
export function afterRound(circuit: Circuit, { found, more }: Round, now: Date): Circuit {
  const at = now.toISOString();
  if (found.length === 0 && circuit.cursor === '')
    return isQuiet(circuit, now) ? closedCircuit : { ...circuit, probe_at: at };
  return {
    ...circuit,
    since: at,
    probe_at: at,
    pace: Math.min(2 * circuit.pace, fastestPace),
    cursor: more ? found.at(-1)! : '',
  };
}

const isQuiet = ({ since }: Circuit, now: Date) => now.getTime() - Date.parse(since) >= quietSeconds * 1000;

const later = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString();
