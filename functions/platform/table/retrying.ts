import { setTimeout as pause } from 'node:timers/promises';
import { ConditionLost } from './conditional-writes.ts';

const attempts = 40;

/**
 * Reads, decides and writes again where somebody else wrote in between. Each round that one writer loses another one
 * won, so a crowd of writers gets through; the pauses spread them out.
 */
export async function retryLostRaces<T>(attempt: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ConditionLost) || round === attempts) throw error;
      await pause(Math.random() * Math.min(500, 10 * 2 ** Math.min(round, 6)));
    }
  }
}
