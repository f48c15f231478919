import { type Snapshot, withoutSnapshot } from '#domain/outbox/snapshot.ts';
import type { StoredEvent } from '#domain/payload/event-payload.ts';
import { orderIdIn, outboxEventPrefix, outboxOf, partitionOf } from '#platform/table/keys.ts';
import { queryAll, queryPages } from '#platform/table/query.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';

export interface Period {
  since: Date;
  until: Date;
}

/** What one request looks at. An order with many parcels stands in the index once for each of them. */
const mostOrders = 200;
const mostRows = 2000;

interface RecentOrders {
  orderIds: string[];
  /** Whether there are others, changed longer ago. */
  hasMore: boolean;
}

/**
 * The orders with an event since then, those that changed last first: what happens to a parcel or a claim moves it in the
 * index of activity. Events themselves stand in no list of the shop, which would cost a write for each.
 */
export async function recentOrders(slug: string, since: Date): Promise<RecentOrders> {
  const [shipments, claims] = await Promise.all([
    changedSince(partitionOf.shipmentsByUpdate(slug), since),
    changedSince(partitionOf.claimsByUpdate(slug), since),
  ]);
  const found = new Set([...shipments, ...claims].sort(latestFirst).map(({ pk }) => orderIdIn(pk)));
  const isCut = shipments.length >= mostRows || claims.length >= mostRows;
  return { orderIds: [...found].slice(0, mostOrders), hasMore: isCut || found.size > mostOrders };
}

interface Row {
  pk: string;
  activity_sk: string;
}

const latestFirst = (a: Row, b: Row) => (a.activity_sk < b.activity_sk ? 1 : -1);

async function changedSince(partition: string, since: Date): Promise<Row[]> {
  const rows: Row[] = [];
  const pages = queryPages({
    IndexName: 'activity' satisfies IndexName,
    KeyConditionExpression: 'activity_pk = :list AND activity_sk >= :since',
    ExpressionAttributeValues: { ':list': partition, ':since': since.toISOString() },
    ProjectionExpression: 'pk, activity_sk',
    ScanIndexForward: false,
    Limit: mostRows,
  });
  for await (const page of pages) {
    rows.push(...(page as unknown as Row[]));
    if (rows.length >= mostRows) break;
  }
  return rows;
}

/** The events of an order that went out in the period. */
export async function pastEvents(slug: string, orderId: string, { since, until }: Period): Promise<StoredEvent[]> {
  const events = await queryAll<StoredEvent & Snapshot>({
    KeyConditionExpression: 'pk = :order AND begins_with(sk, :events)',
    ExpressionAttributeValues: { ':order': outboxOf(slug, orderId), ':events': outboxEventPrefix },
  });
  const [from, to] = [since.toISOString(), until.toISOString()];
  // The events of hundreds of orders are held until the last is looked at.
  return events.filter(({ triggered_at }) => from <= triggered_at && triggered_at <= to).map(withoutSnapshot);
}
