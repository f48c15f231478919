import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { NeighbourData, Round, Waits } from './neighbour-thread.ts';

/** A shop beside the one that attacks. */
export interface Neighbour {
  /** Where it receives its events. */
  url: string;
  /** Sends a round of orders and waits for their events. */
  send(round: Round): Promise<Waits>;
  stop(): Promise<void>;
}

export async function startNeighbour(data: NeighbourData): Promise<Neighbour> {
  const worker = new Worker(new URL('./neighbour-thread.ts', import.meta.url), { workerData: data });
  const [{ port }] = (await once(worker, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}/events`,
    send: async (round) => {
      worker.postMessage(round);
      const [waits] = (await once(worker, 'message')) as [Waits];
      return waits;
    },
    stop: async () => void (await worker.terminate()),
  };
}
