import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

export interface FairQueue {
  send(group: string, bodies: readonly string[]): void;
  /** Resolves when everything that was sent is done with. */
  drained(): Promise<void>;
}

const batchSize = 10;
const timeoutMs = 60_000;

/**
 * A queue as SQS is one for messages with groups: whoever has the least in flight is served first. The emulator hands
 * them out in the order of their arrival, and the local stack has too few threads for as many invocations as Lambda runs.
 */
export function startFairQueue(handler: QueueHandler, maximumConcurrency: number): FairQueue {
  const waiting = new Map<string, string[]>();
  const inFlight = new Map<string, number>();
  const running = new Set<Promise<unknown>>();
  const flying = (group: string) => inFlight.get(group) ?? 0;

  const next = (): [string, string[]] | undefined => {
    const [group] = [...waiting.keys()].sort((a, b) => flying(a) - flying(b));
    if (group === undefined) return undefined;
    const bodies = waiting.get(group)!;
    const batch = bodies.splice(0, batchSize);
    if (bodies.length === 0) waiting.delete(group);
    return [group, batch];
  };

  const run = async (group: string, batch: string[]): Promise<void> => {
    inFlight.set(group, flying(group) + batch.length);
    const end = Date.now() + timeoutMs;
    const context = { getRemainingTimeInMillis: () => end - Date.now() } as Context;
    await handler({ Records: batch.map(toRecord) }, context);
    inFlight.set(group, flying(group) - batch.length);
  };

  const pump = (): void => {
    while (running.size < maximumConcurrency) {
      const batch = next();
      if (!batch) return;
      const work: Promise<unknown> = run(...batch).finally(() => {
        running.delete(work);
        pump();
      });
      running.add(work);
    }
  };

  return {
    send: (group, bodies) => {
      waiting.set(group, [...(waiting.get(group) ?? []), ...bodies]);
      pump();
    },
    drained: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

let messages = 0;

function toRecord(body: string): SQSRecord {
  const messageId = String(++messages);
  return { messageId, receiptHandle: messageId, body, attributes: { ApproximateReceiveCount: '1' } } as SQSRecord;
}
