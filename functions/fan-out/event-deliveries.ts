import { chunks } from '#shared/chunks.ts';
import { messageOf, newDelivery } from '#shared/deliveries/delivery-items.ts';
import { createDelivery } from '#shared/deliveries/delivery-store.ts';
import type { DeliveryMessage } from '#shared/deliveries/model.ts';
import { keepBody } from '#shared/deliveries/payload-store.ts';
import type { OrderBook } from '#shared/orders/model.ts';
import { loadOrder } from '#shared/orders/order-store.ts';
import type { Occurrence } from '#shared/payload/shipment-event-data.ts';
import { shipmentPayload } from '#shared/payload/shipment-payload.ts';
import type { ShopAudience } from './audience-store.ts';
import type { OutboxItem } from './outbox-record.ts';
import { type Notification, notificationsOf } from './target-rules.ts';

export interface Made {
  message: DeliveryMessage;
  /** False where an earlier run made it. */
  isNew: boolean;
}

/** Bodies that are held in memory at the same time. */
const bodiesAtOnce = 5;

/** A delivery for each shipment of the event, each group it fires and each target that wants it. Nobody wants it: the order is not read. */
export async function makeDeliveries(event: OutboxItem, audience: ShopAudience, now: Date): Promise<Made[]> {
  const wanted = event.shipments.flatMap((occurrence) =>
    notificationsOf(event, occurrence, audience).map((notification) => ({ occurrence, notification })),
  );
  if (wanted.length === 0) return [];
  const book = await loadOrder(event.shop_slug, event.order_id);
  if (!book) throw Object.assign(new Error('The order of an event is gone.'), { name: 'OrderGone' });
  const made: Made[] = [];
  for (const part of chunks(wanted, bodiesAtOnce)) {
    const results = part.map((one) => send({ event, book, audience, ...one }, now));
    made.push(...(await Promise.all(results)).flat());
  }
  return made;
}

interface Sending {
  event: OutboxItem;
  occurrence: Occurrence;
  notification: Notification;
  book: OrderBook;
  audience: ShopAudience;
}

async function send({ event, occurrence, notification, book, audience }: Sending, now: Date): Promise<Made[]> {
  const { event_group, targets } = notification;
  const told = { ...event, event_group };
  const body = await keepBody(JSON.stringify(shipmentPayload(told, occurrence, book, audience.viewer)));
  const { id: event_id, ref, triggered_at, shop_slug } = event;
  const occasion = { event_id, subject_id: occurrence.shipment_id, ref, event_group, triggered_at, shop_slug };
  const beside = event_group === event.event_group ? {} : { beside: event_group };
  return Promise.all(
    targets.map(async (target) => {
      const delivery = newDelivery({ ...occasion, ...beside }, target, now);
      return { message: messageOf(delivery), isNew: await createDelivery(delivery, body) };
    }),
  );
}
