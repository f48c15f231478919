import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type StoredItem, shipmentVersion, unpack } from '#domain/orders/order-items.ts';
import { type PlannedShipment, plannableShipments } from '#domain/triggers/plan.ts';
import { type Cursor, loadTriggers, planShipments, type ReplanItem, replanItem } from '#domain/triggers/plan-store.ts';
import type { OwnedTrigger } from '#domain/triggers/trigger-rules.ts';
import { table, tableName } from '#platform/table/client.ts';
import { removeDue, type StartRound } from '#platform/table/due-item.ts';
import { partitionOf, partitionsByUpdate } from '#platform/table/keys.ts';
import { batchGet, itemsIn } from '#platform/table/reads.ts';
import { type Action, put } from '#platform/table/writes.ts';
import { commitResult } from './process-due.ts';

/** A shop with many shipments is planned over several rounds, so that it does not hold up other due items. */
const roundMs = 8000;
const shipmentsAtOnce = 10;

/**
 * Plans the shipments of a shop whose triggers have changed, then the drafts, the newest of each partition first. The next
 * round continues where this one stops.
 */
export const replanTriggers: StartRound = (now) => async (due) => {
  const item = due as ReplanItem;
  const triggers = await loadTriggers(item.shop_slug);
  // If a shipment has not changed for longer than any trigger waits, all its triggers are already due.
  const maxHours = Math.max(0, ...triggers.map(({ trigger }) => trigger.time_threshold_value));
  const from = hoursBefore(item.since, maxHours);
  const end = performance.now() + roundMs;
  let { cursor } = item;
  while (performance.now() < end) {
    const places = await recentShipments(item.shop_slug, from, cursor);
    if (places.length === 0) return commitResult('done', removeDue(item));
    await planAt(places, item, triggers);
    cursor = places.at(-1)!;
  }
  // Lost if the triggers have changed again: then planning starts again from the newest shipment.
  return commitResult('moved', continueLater(item, cursor, now));
};

async function planAt(
  places: readonly Cursor[],
  { shop_slug: slug, since }: ReplanItem,
  triggers: readonly OwnedTrigger[],
): Promise<void> {
  const keys = places.map(({ pk, sk }) => ({ pk, sk }));
  const items = (await batchGet(keys)).filter((item) => item !== undefined) as unknown as StoredItem[];
  await Promise.all(items.map((item) => planShipments(unchanged(slug, item), triggers, new Date(since))));
}

/** The shipments have not changed, so only triggers that are due later are new. */
const unchanged = (slug: string, item: StoredItem): PlannedShipment[] =>
  plannableShipments(unpack(item.document))
    .filter(({ simulation_id }) => simulation_id === undefined)
    .map((shipment) => ({ slug, shipment, version: shipmentVersion(item), before: shipment }));

function continueLater({ shop_slug, since, due_at }: ReplanItem, cursor: Cursor | undefined, now: Date): Action {
  const next = replanItem({ shop_slug, since, cursor, due_at: now.toISOString() });
  return put(next, 'due_at = :read', { ':read': due_at });
}

const hoursBefore = (time: string, hours: number) => new Date(Date.parse(time) - hours * 3_600_000).toISOString();

/**
 * The index keys of a shop's next shipments that changed since a time, or else of its next orders with drafts. A shipment
 * that changes meanwhile, and moves to another partition, is planned with the new triggers when it changes.
 */
async function recentShipments(slug: string, from: string, after: Cursor | undefined): Promise<Cursor[]> {
  const partitions = [...partitionsByUpdate(slug), partitionOf.drafts(slug)];
  const begun = after ? partitions.indexOf(after.activity_pk) : 0;
  for (const [i, partition] of partitions.slice(begun).entries()) {
    const places = await readList(partition, from, i === 0 ? after : undefined);
    if (places.length > 0) return places;
  }
  return [];
}

async function readList(partition: string, from: string, after?: Cursor): Promise<Cursor[]> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      ...itemsIn(partition, { index: 'activity', from }),
      ProjectionExpression: 'pk, sk, activity_pk, activity_sk',
      ScanIndexForward: false,
      Limit: shipmentsAtOnce,
      ExclusiveStartKey: after,
    }),
  );
  return Items as Cursor[];
}
