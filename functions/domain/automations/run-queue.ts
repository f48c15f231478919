import { sendAll } from '#platform/queue.ts';
import type { RunMessage } from './run.ts';

/** Puts runs on their queue, which is fair between shops. Throws NotEnqueued with those that it did not take. */
export const enqueueRuns = (messages: readonly RunMessage[]): Promise<void> =>
  sendAll(messages, { variable: 'AUTOMATION_RUN_QUEUE_URL', groupOf: ({ shop_slug }) => shop_slug });

/** The reference that a message of the queue holds; undefined where it is none of ours. */
export function parseRunMessage(body: string): RunMessage | undefined {
  try {
    const message = JSON.parse(body) as RunMessage | null;
    const parts = [message?.shop_slug, message?.automation_id, message?.run_id];
    return parts.every((part) => typeof part === 'string' && part !== '') ? message! : undefined;
  } catch {
    return undefined;
  }
}
