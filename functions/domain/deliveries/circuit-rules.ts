/**
 * A circuit decides whether deliveries to a target are attempted. It opens when many deliveries fail in a row. While it
 * is open, deliveries are parked and spend no attempts, and one parked delivery at a time is sent as a probe. After a
 * success the circuit drains: it releases the parked deliveries, few at first. When none is left, it closes.
 */
export interface Circuit {
  state: 'closed' | 'open' | 'draining';
  /**
   * Deliveries that failed in a row. Each counts once, because repeated failures of one delivery tell nothing about the
   * target.
   */
  failing: readonly string[];
  /** When the state last changed, or when the last parked delivery was released. */
  since: string;
  /** When the next probe or the next draining round is due. Has no meaning in a closed circuit. */
  probe_at: string;
  /** Seconds between the next probe and the one after it. */
  probe_interval_s: number;
  /** The parked delivery that was sent last. The next one comes after it, or is the oldest if this is empty. */
  cursor: string;
  /** How many parked deliveries the next round releases. */
  pace: number;
}

const failuresToOpen = 10;
const maxProbeSeconds = 15 * 60;
const firstPace = 10;
const maxPace = 1000;

/**
 * Nobody searches parked deliveries of a closed circuit, and the list of them may lag behind the table. So a circuit
 * closes only after no delivery was parked for this time.
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

/** The circuit after a failed attempt, or undefined if it does not change. */
export function afterFailure(
  circuit: Circuit,
  deliveryId: string,
  now: Date,
  probeSeconds: number,
): Circuit | undefined {
  if (circuit.state === 'open' || circuit.failing.includes(deliveryId)) return undefined;
  const failing = [...circuit.failing, deliveryId];
  if (failing.length < failuresToOpen) return { ...circuit, failing };
  const probe = { probe_at: later(now, probeSeconds), probe_interval_s: probeSeconds };
  return { ...closedCircuit, state: 'open', since: now.toISOString(), ...probe };
}

/** The circuit after a successful attempt, or undefined if it does not change. */
export function afterSuccess(circuit: Circuit, now: Date): Circuit | undefined {
  if (circuit.state === 'open') return draining(now);
  return circuit.failing.length > 0 ? { ...circuit, failing: [] } : undefined;
}

/**
 * The circuit of a target that accepts no deliveries any more. Its parked deliveries are released at once, and end as
 * cancelled.
 */
export function afterAbandonment(circuit: Circuit, now: Date): Circuit | undefined {
  return circuit.state === 'open' ? { ...draining(now), pace: maxPace } : undefined;
}

/** Deliveries are attempted again, and the next round releases the first parked ones. */
export function draining(now: Date): Circuit {
  const at = now.toISOString();
  return { ...closedCircuit, state: 'draining', since: at, probe_at: at, pace: firstPace };
}

/** The circuit after a probe was sent. A failed probe needs no record: without a success the next probe comes later. */
export function afterProbe(circuit: Circuit, deliveryId: string, now: Date): Circuit {
  const { probe_interval_s: interval } = circuit;
  return {
    ...circuit,
    cursor: deliveryId,
    probe_at: later(now, interval),
    probe_interval_s: Math.min(2 * interval, maxProbeSeconds),
  };
}

/** The result of a draining round. */
export interface Round {
  /** The parked deliveries after the cursor that the round sent. */
  found: readonly string[];
  /** Whether there may be more parked deliveries after these. */
  more: boolean;
}

/**
 * The circuit after a draining round. A delivery stays in the list until it is attempted, so each round continues after
 * the previous one and starts again only at the end of the list.
 */
export function afterRound(circuit: Circuit, { found, more }: Round, now: Date): Circuit {
  const at = now.toISOString();
  if (found.length === 0 && circuit.cursor === '')
    return isQuiet(circuit, now) ? closedCircuit : { ...circuit, probe_at: at };
  return {
    ...circuit,
    since: at,
    probe_at: at,
    pace: Math.min(2 * circuit.pace, maxPace),
    cursor: more ? found.at(-1)! : '',
  };
}

/** Due again in the next round, which is a minute later. */
const postponedSeconds = 30;

/** The circuit after a round in which we failed, not the target. */
export const postponed = (circuit: Circuit, now: Date): Circuit => ({
  ...circuit,
  probe_at: later(now, postponedSeconds),
});

const isQuiet = ({ since }: Circuit, now: Date) => now.getTime() - Date.parse(since) >= quietSeconds * 1000;

const later = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString();
