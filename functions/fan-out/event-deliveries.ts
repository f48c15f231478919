import { chunks } from '#shared/chunks.ts';
import { claimsOfOrder } from '#shared/claims/claim-store.ts';
import type { Claim } from '#shared/claims/model.ts';
import { messageOf, newDelivery } from '#shared/deliveries/delivery-items.ts';
import type { QueuedDelivery } from '#shared/deliveries/delivery-queue.ts';
import { createDelivery } from '#shared/deliveries/delivery-store.ts';
import { keepBody } from '#shared/deliveries/payload-store.ts';
import type { OrderBook } from '#shared/orders/model.ts';
import { loadOrder } from '#shared/orders/order-store.ts';
import { claimPayload } from '#shared/payload/claim-payload.ts';
import type { Occurrence } from '#shared/payload/shipment-event-data.ts';
import { shipmentPayload } from '#shared/payload/shipment-payload.ts';
import type { ShopAudience } from './audience-store.ts';
import type { OutboxItem } from './outbox-record.ts';
import { type Notification, notificationsOf } from './target-rules.ts';

export interface Made {
  message: QueuedDelivery;
  /** False where an earlier run made it. */
  isNew: boolean;
}

/** Bodies that are held in memory at the same time. */
const bodiesAtOnce = 5;

/** What a delivery is about, and when that happened. */
interface Subject {
  /** The id of the shipment or of the claim. */
  id: string;
  occurrence: Occurrence;
}

function subjectsOf(event: OutboxItem): Subject[] {
  if (event.source === 'shipments') {
    return event.shipments.map((occurrence) => ({ id: occurrence.shipment_id, occurrence }));
  }
  const { claim_id: id, shipment_id, triggered_at: time } = event;
  return [{ id, occurrence: { shipment_id, time } }];
}

/** A delivery for each subject of the event, each group it fires and each target that wants it. Nobody wants it: the order is not read. */
export async function makeDeliveries(event: OutboxItem, audience: ShopAudience, now: Date): Promise<Made[]> {
  const wanted = subjectsOf(event).flatMap((subject) =>
    notificationsOf(event, subject.occurrence, audience).map((notification) => ({ subject, notification })),
  );
  if (wanted.length === 0) return [];
  const [book, claims] = await Promise.all([
    loadOrder(event.shop_slug, event.order_id),
    claimsOfOrder(event.shop_slug, event.order_id),
  ]);
  if (!book) throw Object.assign(new Error('The order of an event is gone.'), { name: 'OrderGone' });
  const made: Made[] = [];
  for (const part of chunks(wanted, bodiesAtOnce)) {
    const results = part.map((one) => send({ event, book, claims, audience, ...one }, now));
    made.push(...(await Promise.all(results)).flat());
  }
  return made;
}

interface Sending {
  event: OutboxItem;
  subject: Subject;
  notification: Notification;
  book: OrderBook;
  claims: readonly Claim[];
  audience: ShopAudience;
}

function payloadOf({ event, subject, notification, book, claims, audience: { viewer } }: Sending) {
  if (event.source === 'claims') return claimPayload(event, book, viewer, claims);
  const told = { ...event, event_group: notification.event_group };
  return shipmentPayload(told, subject.occurrence, book, viewer, claims);
}

async function send(sending: Sending, now: Date): Promise<Made[]> {
  const { event, subject, notification } = sending;
  const { event_group, targets } = notification;
  const body = await keepBody(JSON.stringify(payloadOf(sending)));
  const { id: event_id, ref, triggered_at, shop_slug } = event;
  const occasion = { event_id, subject_id: subject.id, ref, event_group, triggered_at, shop_slug };
  const beside = event_group === event.event_group ? {} : { beside: event_group };
  return Promise.all(
    targets.map(async (target) => {
      const delivery = newDelivery({ ...occasion, ...beside }, target, now);
      return { message: messageOf(delivery), isNew: await createDelivery(delivery, body) };
    }),
  );
}
