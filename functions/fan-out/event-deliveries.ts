import { chunks } from '#shared/chunks.ts';
import { messageOf, newDelivery, type Target } from '#shared/deliveries/delivery-items.ts';
import type { QueuedDelivery } from '#shared/deliveries/delivery-queue.ts';
import { createDelivery } from '#shared/deliveries/delivery-store.ts';
import { keepBody } from '#shared/deliveries/payload-store.ts';
import type { OrderBook } from '#shared/orders/model.ts';
import { loadOrder } from '#shared/orders/order-store.ts';
import type { Occurrence } from '#shared/payload/shipment-event-data.ts';
import { shipmentPayload } from '#shared/payload/shipment-payload.ts';
import type { ShopAudience } from './audience-store.ts';
import type { OutboxItem } from './outbox-record.ts';
import { targetsOf } from './target-rules.ts';

export interface Made {
  message: QueuedDelivery;
  /** False where an earlier run made it. */
  isNew: boolean;
}

/** Bodies that are held in memory at the same time. */
const bodiesAtOnce = 5;

/** A delivery for each shipment of the event and each target that wants it. Nobody wants it: the order is not read. */
export async function makeDeliveries(event: OutboxItem, audience: ShopAudience, now: Date): Promise<Made[]> {
  const wanted = event.shipments
    .map((occurrence) => ({ occurrence, targets: targetsOf(event, occurrence, audience) }))
    .filter(({ targets }) => targets.length > 0);
  if (wanted.length === 0) return [];
  const book = await loadOrder(event.shop_slug, event.order_id);
  if (!book) throw Object.assign(new Error('The order of an event is gone.'), { name: 'OrderGone' });
  const made: Made[] = [];
  for (const part of chunks(wanted, bodiesAtOnce)) {
    const results = part.map(({ occurrence, targets }) => send({ event, occurrence, book, audience }, targets, now));
    made.push(...(await Promise.all(results)).flat());
  }
  return made;
}

interface Sending {
  event: OutboxItem;
  occurrence: Occurrence;
  book: OrderBook;
  audience: ShopAudience;
}

async function send({ event, occurrence, book, audience }: Sending, targets: Target[], now: Date): Promise<Made[]> {
  const body = await keepBody(JSON.stringify(shipmentPayload(event, occurrence, book, audience.viewer)));
  const { id: event_id, ref, event_group, triggered_at, shop_slug } = event;
  const occasion = { event_id, subject_id: occurrence.shipment_id, ref, event_group, triggered_at, shop_slug };
  return Promise.all(
    targets.map(async (target) => {
      const delivery = newDelivery(occasion, target, now);
      return { message: messageOf(delivery), isNew: await createDelivery(delivery, body) };
    }),
  );
}
