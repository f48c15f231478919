import { isErased } from '#domain/orders/erased-order.ts';
import { loadOrder, versionAfter } from '#domain/orders/order-store.ts';
import { outboxWrites } from '#domain/orders/outbox.ts';
import { byId } from '#domain/orders/record-event.ts';
import { type PlanItem, planItem, planOf, settlePlan } from '#domain/triggers/plan.ts';
import { loadTriggers, nextRevision, planWrite, readPlan, unchangedShipment } from '#domain/triggers/plan-store.ts';
import { triggerEvent, withLatestEvents } from '#domain/triggers/trigger-rules.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { loadOnce } from '#platform/batches.ts';
import { remember } from '#platform/recently-used.ts';
import type { DueItem, DueItemResult, StartRound } from '#platform/table/due-item.ts';
import { gatheredCommit } from '#platform/table/gathered-writes.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { retryOnConflict } from '#platform/table/writes.ts';

/** With the plan and the check of the shipment, this stays below the 100 actions of a transaction. */
const maxFired = 90;

/**
 * Fires the triggers of a shipment that are due. If the shipment or its plan changes during the decision, both are read
 * again.
 */
export const internalTriggers: StartRound = (now) => {
  const shopOf = loadOnce(loadShop);
  const orders = new Map<string, ReturnType<typeof loadOrder>>();
  const readAnew: OrderOf = ({ shop_slug, order_id }) => {
    const order = loadOrder(shop_slug, order_id);
    remember(orders, `${shop_slug}#${order_id}`, order, sharedOrders);
    return order;
  };
  const sharedOrder: OrderOf = async (plan) => {
    const shared = await orders.get(`${plan.shop_slug}#${plan.order_id}`)?.catch(() => undefined);
    return shared && byId(plan.shipment_id)(shared) ? shared : readAnew(plan);
  };
  return async (item) => {
    const results: DueItemResult[] = [];
    let isFirst = true;
    await retryOnConflict(async () => {
      const plan = isFirst ? (item as DueItem & PlanItem) : await readPlan(item);
      const orderOf = isFirst ? sharedOrder : readAnew;
      isFirst = false;
      if (plan && isDue(plan, now)) await settle(plan, await shopOf(item.shop_slug), orderOf, now, results);
    });
    return results.length > 0 ? results : 'lost';
  };
};

/**
 * The parcels of an order are often due together, and share one read of it: for orders of 50 parcels a round takes a third
 * less time. The read may be older than the plan of a parcel: if it lacks the parcel, or has another version of it than the table, the
 * order is read anew, for those that follow, too. At most this many orders are in memory.
 */
const sharedOrders = 100;

type OrderOf = (plan: PlanItem) => ReturnType<typeof loadOrder>;

async function loadShop(slug: string) {
  const [[shop], triggers] = await Promise.all([batchGet([keyOf.shop(slug)]), loadTriggers(slug)]);
  return { shop: shop as unknown as ShopItem | undefined, triggers };
}

type Shop = Awaited<ReturnType<typeof loadShop>>;

/** Each transaction fires as many triggers as it can hold, and adds their results. */
async function settle(
  plan: PlanItem,
  { shop, triggers }: Shop,
  orderOf: OrderOf,
  now: Date,
  results: DueItemResult[],
): Promise<void> {
  const known = shop && (await orderOf(plan));
  // What pends for an erased order is cancelled.
  const loaded = known && !isErased(known.order) ? known : undefined;
  const found = loaded && byId(plan.shipment_id)(loaded);
  const shipment = found && withLatestEvents(found);
  const version = versionAfter(loaded, [])(plan.shipment_id);
  const ids = { uuid: plan.shipment_id, order_id: plan.order_id };
  let current: PlanItem | undefined = plan;
  while (current && isDue(current, now)) {
    const settled = settlePlan(planOf(current), triggers, shipment, now, maxFired);
    const next = planItem(plan.shop_slug, ids, settled.plan, nextRevision(current));
    const events = settled.fire.map((owned) => triggerEvent(shipment!, owned, now, version));
    await gatheredCommit([
      planWrite(plan, current, next),
      // Also of what is dropped or moved: with an older version of the shipment a trigger would be lost.
      ...(shipment ? [unchangedShipment(plan.shop_slug, loaded!, shipment)] : []),
      ...(events.length > 0 ? outboxWrites(shop!, events, loaded!) : []),
    ]);
    results.push(...settled.results);
    current = next;
  }
}

/** Another function may have settled it. */
const isDue = ({ due_at }: PlanItem, now: Date) => due_at !== undefined && due_at <= now.toISOString();
