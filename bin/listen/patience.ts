import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, ConnectionError } from '#schemas/client/index.ts';
import type { Report } from './report.ts';

export interface BackOff {
  firstMs: number;
  maxMs: number;
}

export const usualBackOff: BackOff = { firstMs: 200, maxMs: 10_000 };

/** Repeats what a lost connection, or a service that is busy or broken, has ended. */
export async function patiently<T>(
  work: () => Promise<T>,
  { report, signal, backOff = usualBackOff }: { report: Report; signal: AbortSignal; backOff?: BackOff | undefined },
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      const result = await work();
      if (failures > 0) report.sayOnce('The service answers again.');
      return result;
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      report.sayOnce(`${(error as Error).message} Trying again …`);
      const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
      await sleep(Math.max(asked, waitMs(failures, backOff)), undefined, { signal });
    }
  }
}

export const waitMs = (failures: number, { firstMs, maxMs }: BackOff): number =>
  Math.min(firstMs * 2 ** failures, maxMs);

const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && (error.status >= 500 || error.status === 429));
