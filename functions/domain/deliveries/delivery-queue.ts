import { NotEnqueued, sendAll } from '#platform/queue.ts';
import type { DeliveryMessage } from './delivery-rules.ts';

export { NotEnqueued };

/** A message may carry more than the reference, such as the mark of a probe. */
export interface QueuedDelivery extends DeliveryMessage {
  probe?: boolean;
}

/**
 * Puts deliveries on the queue. The message group is the target: a fair queue then serves the others while one has
 * many waiting. Throws NotEnqueued with those that the queue did not take.
 */
export const enqueue = (
  messages: readonly QueuedDelivery[],
  { delaySeconds }: { delaySeconds?: number } = {},
): Promise<void> =>
  sendAll(messages, {
    variable: 'DELIVERY_QUEUE_URL',
    groupOf: ({ shop_slug, target }) => `${shop_slug}#${target}`,
    delaySeconds,
  });

/** The reference that a message of the queue holds; undefined where it is none of ours. */
export function parseMessage(body: string): QueuedDelivery | undefined {
  try {
    const message = JSON.parse(body) as QueuedDelivery | null;
    const parts = [message?.shop_slug, message?.target, message?.delivery_id];
    return parts.every((part) => typeof part === 'string' && part !== '') ? message! : undefined;
  } catch {
    return undefined;
  }
}
