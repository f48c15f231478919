import { Session } from 'node:inspector/promises';
import { setTimeout as pause } from 'node:timers/promises';

interface HeapUsage {
  usedSize: number;
  backingStorageSize: number;
}

export interface LiveMemory {
  threads: number;
  /** Of all threads. */
  bytes: number;
  /** Of the thread that runs the emulators. */
  emulatorBytes: number;
}

/**
 * What the heaps and buffers of all threads hold when everything that can go was collected. The memory of the process says
 * little of a leak: it has what no heap has collected yet, and what the allocator keeps for later.
 */
export async function liveMemory(): Promise<LiveMemory> {
  const session = new Session();
  session.connect();
  try {
    const threads: Promise<HeapUsage | undefined>[] = [usageOf((method) => session.post(method))];
    const answers = new Map<string, (result: unknown) => void>();
    session.on('NodeWorker.receivedMessageFromWorker', ({ params: { sessionId, message } }) => {
      const { id, result } = JSON.parse(message);
      answers.get(`${sessionId} ${id}`)?.(result);
    });
    // All threads that there are have been announced when this is answered.
    session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
      let id = 0;
      const post = (method: string): Promise<unknown> => {
        id += 1;
        const { promise, resolve } = Promise.withResolvers<unknown>();
        answers.set(`${sessionId} ${id}`, resolve);
        session
          .post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method }) })
          .catch(() => resolve(undefined));
        return promise;
      };
      threads.push(usageOf(post));
    });
    // A thread that ended meanwhile answers nothing, and does not count.
    session.on('NodeWorker.detachedFromWorker', ({ params: { sessionId } }) => {
      for (const [key, resolve] of answers) if (key.startsWith(`${sessionId} `)) resolve(undefined);
    });
    await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
    const answered = await Promise.all(
      threads.map((usage) => Promise.race([usage, pause(answerMs, undefined, { ref: false })])),
    );
    await session.post('NodeWorker.disable');
    const usages = answered.filter((usage) => usage !== undefined);
    const bytes = usages.reduce((sum, usage) => sum + bytesOf(usage), 0);
    return { threads: usages.length, bytes, emulatorBytes: answered[0] ? bytesOf(answered[0]) : Number.NaN };
  } finally {
    session.disconnect();
  }
}

/** One that does not answer within this time is left out, so that the bench goes on. */
const answerMs = 30_000;

const bytesOf = ({ usedSize, backingStorageSize }: HeapUsage): number => usedSize + backingStorageSize;

async function usageOf(post: (method: string) => Promise<unknown>): Promise<HeapUsage | undefined> {
  await post('HeapProfiler.collectGarbage');
  return (await post('Runtime.getHeapUsage')) as HeapUsage | undefined;
}
