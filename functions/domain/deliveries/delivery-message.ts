import type { QueuedDelivery } from './delivery-queue.ts';

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
