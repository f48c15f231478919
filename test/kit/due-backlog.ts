import { newOrderId, shipmentId } from '#domain/orders/model.ts';
import { orderItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { planItem, triggerName } from '#domain/triggers/plan.ts';
import { keyOf } from '#platform/table/keys.ts';
import { aTrigger, hoursAfter, noon, triggersItem } from './internal-triggers.ts';
import { memoryTable } from './memory-table.ts';
import { shop } from './shop-with-triggers.ts';

const parcels = 50;

/** Orders of fifty drafts each, and a trigger that is due for each of the drafts. Returns the orders' ids. */
export function fillBacklog(due: number): string[] {
  const trigger = aTrigger();
  memoryTable.put(
    { ...keyOf.shop(shop.slug), ...shop, language: 'en' },
    triggersItem(shop.slug, 'integration_1', trigger),
  );
  const orders = Array.from({ length: due / parcels }, (_, i) => {
    const input = { order_number: `B${i}`, expected_number_of_shipments: parcels };
    return newOrder(newOrderId(new Date(noon)), input, new Date(noon));
  });
  const planned = { [triggerName({ third_party: 'integration_1', trigger })]: Date.parse(hoursAfter(noon, 24)) };
  const plans = orders.flatMap(({ uuid: order_id, drafts }) =>
    drafts.map(({ slot }) => {
      const draft = { order_id, uuid: shipmentId(order_id, slot) };
      return planItem(shop.slug, draft, { planned, fired: {}, version: 0 }, 1)!;
    }),
  );
  memoryTable.put(...orders.map((order) => orderItem(shop.slug, order, 1)), ...plans);
  return orders.map(({ uuid }) => uuid);
}
