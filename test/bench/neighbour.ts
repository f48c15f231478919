import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { NeighbourData, Round } from './neighbour-thread.ts';

/** A shop beside the one that attacks. */
export interface Neighbour {
  /** Where it receives its events. */
  url: string;
  /** Milliseconds from the call that sends an order to the arrival of its event, for each order. */
  waits(round: Round): Promise<number[]>;
  stop(): Promise<void>;
}

export async function startNeighbour(data: NeighbourData): Promise<Neighbour> {
  const worker = new Worker(new URL('./neighbour-thread.ts', import.meta.url), { workerData: data });
  const [{ port }] = (await once(worker, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}/events`,
    waits: async (round) => {
      worker.postMessage(round);
      const [{ waits }] = (await once(worker, 'message')) as [{ waits: number[] }];
      return waits;
    },
    stop: async () => void (await worker.terminate()),
  };
}
