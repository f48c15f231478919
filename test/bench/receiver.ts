import { EventEmitter, once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface BenchReceiver {
  urlOf(path: string): string;
  /** When the next so many requests under the path had arrived, each in milliseconds since the epoch. */
  arrivals(path: string, count: number): Promise<number[]>;
  /** The ids of all deliveries that arrived under the path so far, each as often as it came. */
  ids(path: string): string[];
  /** How many requests arrived so far. */
  count(): number;
  stop(): Promise<void>;
}

interface Arrival {
  path: string;
  id: string;
  at: number;
}

export async function startReceiver(answerAfterMs: number): Promise<BenchReceiver> {
  const worker = new Worker(new URL('./receiver-thread.ts', import.meta.url), { workerData: { answerAfterMs } });
  const [{ port }] = (await once(worker, 'message')) as [{ port: number }];
  const requests = new EventEmitter().setMaxListeners(0);
  const all: Arrival[] = [];
  worker.on('message', (arrival: Arrival) => {
    all.push(arrival);
    requests.emit(arrival.path, arrival.at);
  });
  return {
    urlOf: (path) => `http://127.0.0.1:${port}${path}`,
    arrivals: (path, count) => {
      const times: number[] = [];
      const { promise, resolve } = Promise.withResolvers<number[]>();
      const note = (at: number) => {
        if (times.push(at) < count) return;
        requests.off(path, note);
        resolve(times);
      };
      requests.on(path, note);
      return promise;
    },
    ids: (path) => all.filter((arrival) => arrival.path === path).map(({ id }) => id),
    count: () => all.length,
    stop: async () => void (await worker.terminate()),
  };
}
