import { backOffSeconds } from '#domain/deliveries/delivery-rules.ts';
import { maxWaitSeconds } from '#domain/deliveries/pace-store.ts';
import type { Caused } from '#platform/correlation.ts';
import { sendAll } from '#platform/queue.ts';
import type { NotifiedIntegration } from '#schemas/catalogues/integrations.ts';
import { segmentLimits } from '#schemas/catalogues/limits.ts';

/** A message of the queue: get the segments of the customer of an order from one integration. */
export interface SegmentRequest extends Caused {
  shop_slug: string;
  order_id: string;
  integration: NotifiedIntegration;
  /** When the order was created. */
  since: string;
  /** Tries that failed so far. */
  tries?: number;
  /** When the next try is due. The queue cannot always wait for so long. */
  not_before?: string;
  /** The next try need not ask for a turn. */
  has_turn?: boolean;
}

/**
 * The message group is the shop, so that nobody waits for the orders of another. Throws NotEnqueued with the messages
 * that the queue did not accept.
 */
export const enqueueSegmentRequests = (requests: readonly SegmentRequest[], now = new Date()): Promise<void> =>
  sendAll(requests, {
    variable: 'SEGMENTS_QUEUE_URL',
    groupOf: ({ shop_slug }) => shop_slug,
    delayOf: (request) => Math.min(secondsUntilDue(request, now), maxWaitSeconds),
  });

export const secondsUntilDue = ({ not_before }: SegmentRequest, now: Date): number =>
  not_before === undefined ? 0 : Math.max(0, Math.ceil((Date.parse(not_before) - now.getTime()) / 1000));

/** The same request for another try, or undefined if it was tried for long enough. */
export function nextTry(
  request: SegmentRequest,
  { waitSeconds = 0, now, random }: { waitSeconds?: number | undefined; now: Date; random: number },
): SegmentRequest | undefined {
  const tries = (request.tries ?? 0) + 1;
  const backOff = backOffSeconds({ failures: tries, now, random });
  const seconds = Math.max(waitSeconds, Math.min(backOff, segmentLimits.longestBackOffSeconds));
  return postponed({ ...request, tries, has_turn: false }, seconds, now);
}

/** The same request for later, or undefined if that is too late. */
export function postponed(request: SegmentRequest, seconds: number, now: Date): SegmentRequest | undefined {
  const due = now.getTime() + seconds * 1000;
  const last = Date.parse(request.since) + segmentLimits.triedForSeconds * 1000;
  return due > last ? undefined : { ...request, not_before: new Date(due).toISOString() };
}
