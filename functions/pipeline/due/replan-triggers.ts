import { removeDue } from '#domain/due/due-actions.ts';
import type { Ending, StartRound } from '#domain/due/due-work.ts';
import type { PlannedShipment } from '#domain/triggers/plan.ts';
import { planShipments } from '#domain/triggers/plan-shipments.ts';
import { type PlannableItem, plannableShipments, versionOf } from '#domain/triggers/plannable-shipments.ts';
import { type Cursor, type ReplanItem, replanItem } from '#domain/triggers/replan.ts';
import { loadTriggers } from '#domain/triggers/shop-triggers.ts';
import type { OwnedTrigger } from '#domain/triggers/trigger-due.ts';
import { batchGet } from '#platform/table/batch-get.ts';
import { ConditionLost, transact } from '#platform/table/conditional-writes.ts';
import { type Action, put } from '#platform/table/write-actions.ts';
import { recentShipments } from './recent-shipments.ts';

/** A shop with many shipments is planned over several rounds, so that nothing else that is due is kept waiting. */
const roundMs = 8000;
const shipmentsAtOnce = 10;

/** Plans the shipments of a shop whose triggers have changed, newest first, and goes on in the next round. */
export const replanTriggers: StartRound = (now) => async (due) => {
  const item = due as ReplanItem;
  const triggers = await loadTriggers(item.shop_slug);
  // Of a shipment that has not changed for longer than any trigger waits, everything is due already.
  const longest = Math.max(0, ...triggers.map(({ trigger }) => trigger.time_threshold_value));
  const from = hoursBefore(item.since, longest);
  const end = performance.now() + roundMs;
  let { cursor } = item;
  while (performance.now() < end) {
    const places = await recentShipments(item.shop_slug, from, cursor, shipmentsAtOnce);
    if (places.length === 0) return ended('done', removeDue(item));
    await planAt(places, item, triggers);
    cursor = places.at(-1)!;
  }
  return ended('moved', goOn(item, cursor, now));
};

async function planAt(
  places: readonly Cursor[],
  { shop_slug: slug, since }: ReplanItem,
  triggers: readonly OwnedTrigger[],
): Promise<void> {
  const keys = places.map(({ pk, sk }) => ({ pk, sk }));
  const items = (await batchGet(keys)).filter((item) => item !== undefined) as unknown as PlannableItem[];
  await Promise.all(items.map((item) => planShipments(unchanged(slug, item), triggers, new Date(since))));
}

/** Nothing happened to them: only what is due later is new. */
const unchanged = (slug: string, item: PlannableItem): PlannedShipment[] =>
  plannableShipments(item).map((shipment) => ({ slug, shipment, version: versionOf(item), before: shipment }));

function goOn({ shop_slug, since, due_at }: ReplanItem, cursor: Cursor | undefined, now: Date): Action {
  const next = replanItem({ shop_slug, since, cursor, due_at: now.toISOString() });
  return put(next, 'due_at = :read', { ':read': due_at });
}

/** Lost where the triggers have changed again: that begins from the newest shipment. */
async function ended(ending: Ending, action: Action): Promise<Ending> {
  try {
    await transact([action]);
    return ending;
  } catch (error) {
    if (error instanceof ConditionLost) return 'lost';
    throw error;
  }
}

const hoursBefore = (time: string, hours: number) => new Date(Date.parse(time) - hours * 3_600_000).toISOString();
