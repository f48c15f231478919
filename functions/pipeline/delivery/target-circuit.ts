import { logger } from '#platform/logging.ts';

/** Knows which targets are down. */
export interface CircuitPort {
  isOpen(slug: string, target: string): Promise<boolean>;
  recordAbandoned(slug: string, target: string, now: Date): Promise<unknown>;
  recordSuccess(slug: string, target: string, now: Date): Promise<unknown>;
  recordFailure(slug: string, target: string, deliveryId: string, now: Date): Promise<unknown>;
}

/** A target's circuit within one invocation. A circuit that cannot be read or written does not stop a delivery. */
export interface TargetCircuit {
  isOpen(): Promise<boolean>;
  /** Always reads the table, even if the state is known. */
  isStillOpen(): Promise<boolean>;
  success(now: Date): Promise<void>;
  /** Records that the target takes no more deliveries, so that nothing waits for it. */
  abandoned(now: Date): Promise<void>;
  failure(deliveryId: string, now: Date): Promise<void>;
}

/**
 * A healthy target costs one read for all its deliveries of a batch. After each change of the circuit, the next
 * delivery reads it again.
 */
export function targetCircuit(circuit: CircuitPort, slug: string, target: string): TargetCircuit {
  const read = () => {
    lastRead = ignoreFailure(circuit.isOpen(slug, target), false);
    return lastRead;
  };
  let lastRead: Promise<boolean> | undefined;
  void read();
  return {
    isOpen: () => lastRead ?? read(),
    isStillOpen: read,
    success: async (now) => {
      await ignoreFailure(circuit.recordSuccess(slug, target, now), undefined);
      if (await lastRead) lastRead = undefined;
    },
    abandoned: async (now) => void (await ignoreFailure(circuit.recordAbandoned(slug, target, now), undefined)),
    failure: async (deliveryId, now) => {
      await ignoreFailure(circuit.recordFailure(slug, target, deliveryId, now), undefined);
      lastRead = undefined;
    },
  };
}

async function ignoreFailure<T>(operation: Promise<T>, fallback: T): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    logger.warn('circuit out of reach', { reason: (error as Error).name });
    return fallback;
  }
}
