import { orderPartition, outboxEventPrefix, outboxOf } from '#platform/table/keys.ts';
import { allItemsIn, itemsIn, queryPages } from '#platform/table/reads.ts';
import { contentOf } from './enclosed-events.ts';
import type { OrderWithShipments } from './model.ts';
import type { StoredItem } from './order-items.ts';
import { type Snapshot, toOrderWithShipments } from './outbox.ts';

/** The copies of an order as earlier writes left it: in its outbox, and in its own items with what they announced. */
export async function* orderCopies(slug: string, orderId: string): AsyncGenerator<OrderWithShipments> {
  const events = itemsIn(outboxOf(slug, orderId), { prefix: outboxEventPrefix });
  for await (const page of queryPages(events))
    for (const { snapshot } of page as Snapshot[]) if (snapshot) yield toOrderWithShipments(snapshot);
  for (const item of await allItemsIn<StoredItem>(orderPartition(slug, orderId))) {
    const { announcement } = contentOf(item);
    if (announcement) yield announcement.fullOrder;
  }
}
