import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Book } from './book.ts';

export interface DayReceiver {
  url: string;
  /** The first events that nobody expected, by their names. */
  unexpected: string[];
  stop(): Promise<void>;
}

const maxNamed = 20;

export async function startDayReceiver({ memory }: Book, secret: string): Promise<DayReceiver> {
  const worker = new Worker(new URL('./receiver-thread.ts', import.meta.url), { workerData: { memory, secret } });
  const [{ port }] = (await once(worker, 'message')) as [{ port: number }];
  const unexpected: string[] = [];
  worker.on('message', (message: { unexpected: string }) => {
    if (unexpected.length < maxNamed) unexpected.push(message.unexpected);
  });
  // Whatever ends it is a fault of the bench, which must not wait for webhooks that nobody takes.
  worker.on('error', (error) => {
    throw error;
  });
  return { url: `http://127.0.0.1:${port}`, unexpected, stop: async () => void (await worker.terminate()) };
}
