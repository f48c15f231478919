import { outboxEvents } from '#domain/outbox/outbox.ts';
import { retryLostRaces } from '#platform/table/retrying.ts';
import { currentEvent, phaseOf } from './event-rules.ts';
import { withShipment } from './fulfilment-rules.ts';
import type { Shipment, ShipmentEvent } from './model.ts';
import { allShipments } from './order-rules.ts';
import { loadOrder, saveOrder } from './order-store.ts';
import { isDelivery, reported } from './shipment-rules.ts';
import type { ShopIdentity } from './upsert.ts';

/** With the order, its drafts and the event for each direction they stay within the 100 actions of a transaction. */
const atOnce = 90;

/** Enough for as many shipments as an order can have. */
const mostRounds = 50;

/**
 * Records ORDER_CANCELLED, with its notification, on every parcel of the order that has not left. One that a carrier has
 * goes its way, and says so itself. Doing it again changes nothing.
 */
export async function cancelOrder(shop: ShopIdentity, orderId: string, time: string, now: Date): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    const left = await retryLostRaces(() => cancelSome(shop, orderId, time, now.toISOString()));
    if (left === 0) return;
  }
}

async function cancelSome(shop: ShopIdentity, orderId: string, time: string, at: string): Promise<number> {
  const before = await loadOrder(shop.slug, orderId);
  const open = before ? allShipments(before).filter(isCancellable) : [];
  const part = open.slice(0, atOnce);
  if (!before || part.length === 0) return 0;
  const event: ShipmentEvent = { event_name: 'ORDER_CANCELLED', time };
  const shipments = part.map((shipment) => reported(shipment, { event }, at).shipment);
  await saveOrder({
    shop,
    before,
    order: { ...part.reduce(withShipment, before.order), updated_at: at },
    shipments,
    events: outboxEvents('ORDER_CANCELLED', shipments, at),
    now: at,
  });
  return open.length - part.length;
}

const isCancellable = (shipment: Shipment) =>
  isDelivery(shipment) && ['order_created', 'order_processed'].includes(phaseOf(currentEvent(shipment.events)));
