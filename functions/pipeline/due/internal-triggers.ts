import { type DueItemResult, moveDue, removeDue, retireDue, type StartRound } from '#domain/due/due-item.ts';
import type { Shipment } from '#domain/orders/model.ts';
import { type Loaded, loadOrder } from '#domain/orders/order-store.ts';
import { byId } from '#domain/orders/record-event.ts';
import { outboxWrites } from '#domain/outbox/outbox.ts';
import { loadTriggers } from '#domain/triggers/plan-store.ts';
import { dueTime, type OwnedTrigger, type TriggerDueItem, triggerEvent } from '#domain/triggers/trigger-rules.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { loadOnce } from '#platform/batches.ts';
import { tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { type Action, retryOnConflict, transact, WriteConflict } from '#platform/table/writes.ts';

/** An order that is older than this is no longer fulfilled, so none of its triggers is planned again. */
const firedMarkTtlDays = 400;

/**
 * Fires a planned trigger if the plan still holds, because the shipment or the trigger may have changed since. If the
 * shipment changes during the decision, it is read again.
 */
export const internalTriggers: StartRound = (now) => {
  const shopOf = loadOnce(loadShop);
  return (item) => retryOnConflict(() => settle(item as TriggerDueItem, shopOf, now));
};

interface Shop {
  shop: ShopItem | undefined;
  triggers: OwnedTrigger[];
}

async function loadShop(slug: string): Promise<Shop> {
  const [[shop], triggers] = await Promise.all([batchGet([keyOf.shop(slug)]), loadTriggers(slug)]);
  return { shop: shop as unknown as ShopItem | undefined, triggers };
}

async function settle(
  item: TriggerDueItem,
  shopOf: (slug: string) => Promise<Shop>,
  now: Date,
): Promise<DueItemResult> {
  const { shop, triggers } = await shopOf(item.shop_slug);
  const owned = triggers.find(
    ({ third_party, trigger }) => third_party === item.third_party && trigger.id === item.trigger_id,
  );
  const loaded = shop && owned && (await loadOrder(item.shop_slug, item.order_id));
  const shipment = loaded && byId(item.shipment_id)(loaded);
  const time = owned && shipment && dueTime(owned.trigger, shipment);
  if (time === undefined) return end('dropped', [removeDue(item)]);
  if (time > now.toISOString()) return end('moved', [moveDue(item, time)]);
  return end('done', [
    retireDue(item, 'fired_at', now, firedMarkTtlDays),
    unchanged(item.shop_slug, loaded!, shipment!),
    ...outboxWrites(shop!, [triggerEvent(shipment!, owned!, now)], loaded!),
  ]);
}

/**
 * Checks that the shipment has not changed since it was read. A draft is part of its order's item, so the version of
 * the order counts.
 */
function unchanged(slug: string, { order, version, versions }: Loaded, { uuid }: Shipment): Action {
  const stored = versions.get(uuid);
  const Key = stored === undefined ? keyOf.order(slug, order.uuid) : keyOf.shipment(slug, order.uuid, uuid);
  return {
    ConditionCheck: {
      TableName: tableName(),
      Key,
      ConditionExpression: 'version = :read',
      ExpressionAttributeValues: { ':read': stored ?? version },
    },
  };
}

/**
 * The due item is the first action. If that one fails, another invocation or a newer plan has already handled the item.
 */
async function end(result: DueItemResult, actions: Action[]): Promise<DueItemResult> {
  try {
    await transact(actions);
    return result;
  } catch (error) {
    if (error instanceof WriteConflict && error.positions.includes(0)) return 'lost';
    throw error;
  }
}
