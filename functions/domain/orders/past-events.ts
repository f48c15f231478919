import { outboxEventPrefix, outboxOf } from '#platform/table/keys.ts';
import { queryPages } from '#platform/table/reads.ts';
import { enclosedEvents } from './enclosed-events.ts';
import type { OrderWithShipments } from './model.ts';
import { type Snapshot, type StoredEvent, withoutSnapshot } from './outbox.ts';

interface Range {
  /** A time. */
  since?: string;
  /** A time. */
  until?: string;
  /** Reads of 1 MB. An order with many parcels can have thousands of events. */
  maxReads?: number;
}

export interface PastEvents {
  events: StoredEvent[];
  /** Whether the order has more events than were read. */
  isCut: boolean;
}

/** The outgoing events of an order that are still kept: in its own items, oldest first, and then in the outbox. */
export async function pastEvents(
  slug: string,
  fullOrder: OrderWithShipments,
  { since = '0', until = '9', maxReads = 5 }: Range,
): Promise<PastEvents> {
  const isInPeriod = ({ triggered_at }: StoredEvent) => since <= triggered_at && triggered_at <= until;
  const pages = queryPages({
    KeyConditionExpression: 'pk = :order AND begins_with(sk, :events)',
    ExpressionAttributeValues: { ':order': outboxOf(slug, fullOrder.order.uuid), ':events': outboxEventPrefix },
  }) as AsyncGenerator<unknown[]> as AsyncGenerator<(StoredEvent & Snapshot)[]>;
  const events = enclosedEvents(slug, fullOrder).filter(isInPeriod);
  let reads = 0;
  for await (const page of pages) {
    if (page.length > 0 && reads++ === maxReads) return { events, isCut: true };
    // A caller may keep the events of hundreds of orders, so they are kept without snapshots.
    events.push(...page.filter(isInPeriod).map(withoutSnapshot));
  }
  return { events, isCut: false };
}
