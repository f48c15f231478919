import { logger } from '#platform/logging.ts';
import type { Circuit } from './job.ts';

/** What one invocation knows of a target's circuit. A circuit that cannot be read or written stops no delivery. */
export interface TargetCircuit {
  isOpen(): Promise<boolean>;
  /** Asks the table, whatever is known. */
  isStillOpen(): Promise<boolean>;
  success(now: Date): Promise<void>;
  /** The target takes no deliveries any more: nothing is to wait for it. */
  abandoned(now: Date): Promise<void>;
  failure(deliveryId: string, now: Date): Promise<void>;
}

/** A healthy target costs one read for all its deliveries of a batch; whatever changes its circuit makes us look again. */
export function targetCircuit(circuit: Circuit, slug: string, target: string): TargetCircuit {
  const ask = () => {
    known = passing(circuit.isOpen(slug, target), false);
    return known;
  };
  let known: Promise<boolean> | undefined;
  void ask();
  return {
    isOpen: () => known ?? ask(),
    isStillOpen: ask,
    success: async (now) => {
      await passing(circuit.recordSuccess(slug, target, now), undefined);
      if (await known) known = undefined;
    },
    abandoned: async (now) => {
      await passing(circuit.recordAbandoned(slug, target, now), undefined);
    },
    failure: async (deliveryId, now) => {
      await passing(circuit.recordFailure(slug, target, deliveryId, now), undefined);
      known = undefined;
    },
  };
}

async function passing<T>(asking: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    logger.warn('circuit out of reach', { reason: (error as Error).name });
    return otherwise;
  }
}
