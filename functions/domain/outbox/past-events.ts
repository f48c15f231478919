import type { StoredEvent } from '#domain/payload/event-payload.ts';
import { outboxEventPrefix, outboxOf } from '#platform/table/keys.ts';
import { queryPages } from '#platform/table/reads.ts';
import { type Snapshot, withoutSnapshot } from './outbox.ts';

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

/** The outgoing events of an order that the outbox still keeps, oldest first. */
export async function pastEvents(
  slug: string,
  orderId: string,
  { since = '0', until = '9', maxReads = 5 }: Range,
): Promise<PastEvents> {
  const pages = queryPages({
    KeyConditionExpression: 'pk = :order AND begins_with(sk, :events)',
    ExpressionAttributeValues: { ':order': outboxOf(slug, orderId), ':events': outboxEventPrefix },
  }) as AsyncGenerator<unknown[]> as AsyncGenerator<(StoredEvent & Snapshot)[]>;
  const events: StoredEvent[] = [];
  let reads = 0;
  for await (const page of pages) {
    if (page.length > 0 && reads++ === maxReads) return { events, isCut: true };
    const inPeriod = page.filter(({ triggered_at }) => since <= triggered_at && triggered_at <= until);
    // A caller may keep the events of hundreds of orders, so they are kept without snapshots.
    events.push(...inPeriod.map(withoutSnapshot));
  }
  return { events, isCut: false };
}
