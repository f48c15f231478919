import type { IndexName } from '#schemas/table.ts';
import type { StoredEvent } from '#shared/automations/event-subject.ts';
import { orderIdIn, outboxEventPrefix, outboxOf, partitionOf } from '#shared/keys.ts';
import { queryAll, queryPages } from '#shared/query.ts';

export interface Period {
  since: Date;
  until: Date;
}

/** What one request looks at. An order with many parcels stands in the index once for each. */
const mostOrders = 200;
const mostRows = 2000;

interface RecentOrders {
  orderIds: string[];
  /** Whether there are others, changed longer ago. */
  hasMore: boolean;
}

/**
 * The orders with an event since then, those that changed last first: what happens to a parcel moves it in the index of
 * activity. Events themselves stand in no list of the shop, which would cost a write for each.
 */
export async function recentOrders(slug: string, since: Date): Promise<RecentOrders> {
  const found = new Set<string>();
  let rows = 0;
  const pages = queryPages({
    IndexName: 'activity' satisfies IndexName,
    KeyConditionExpression: 'activity_pk = :shipments AND activity_sk >= :since',
    ExpressionAttributeValues: { ':shipments': partitionOf.shipmentsByUpdate(slug), ':since': since.toISOString() },
    ProjectionExpression: 'pk',
    ScanIndexForward: false,
    Limit: mostRows,
  });
  for await (const page of pages) {
    for (const { pk } of page) found.add(orderIdIn(String(pk)));
    rows += page.length;
    if (found.size > mostOrders || rows >= mostRows) break;
  }
  return { orderIds: [...found].slice(0, mostOrders), hasMore: found.size > mostOrders || rows >= mostRows };
}

/** The events of an order that went out in the period. */
export async function pastEvents(slug: string, orderId: string, { since, until }: Period): Promise<StoredEvent[]> {
  const events = await queryAll<StoredEvent>({
    KeyConditionExpression: 'pk = :order AND begins_with(sk, :events)',
    ExpressionAttributeValues: { ':order': outboxOf(slug, orderId), ':events': outboxEventPrefix },
  });
  const [from, to] = [since.toISOString(), until.toISOString()];
  return events.filter(({ triggered_at }) => from <= triggered_at && triggered_at <= to);
}
