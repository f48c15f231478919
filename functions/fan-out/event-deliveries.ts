import { chunks } from '#shared/chunks.ts';
import { claimsOfOrder } from '#shared/claims/claim-store.ts';
import type { Claim } from '#shared/claims/model.ts';
import { messageOf, newDelivery, type Target } from '#shared/deliveries/delivery-items.ts';
import { createDelivery } from '#shared/deliveries/delivery-store.ts';
import type { DeliveryMessage } from '#shared/deliveries/model.ts';
import { keepBody } from '#shared/deliveries/payload-store.ts';
import type { OrderBook } from '#shared/orders/model.ts';
import { loadOrder } from '#shared/orders/order-store.ts';
import { claimPayload } from '#shared/payload/claim-payload.ts';
import type { Occurrence } from '#shared/payload/shipment-event-data.ts';
import { shipmentPayload } from '#shared/payload/shipment-payload.ts';
import type { ShopAudience } from './audience-store.ts';
import type { OutboxItem } from './outbox-record.ts';
import { targetsOf } from './target-rules.ts';

export interface Made {
  message: DeliveryMessage;
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

/** A delivery for each subject of the event and each target that wants it. Nobody wants it: the order is not read. */
export async function makeDeliveries(event: OutboxItem, audience: ShopAudience, now: Date): Promise<Made[]> {
  const wanted = subjectsOf(event)
    .map((subject) => ({ subject, targets: targetsOf(event, subject.occurrence, audience) }))
    .filter(({ targets }) => targets.length > 0);
  if (wanted.length === 0) return [];
  const [book, claims] = await Promise.all([
    loadOrder(event.shop_slug, event.order_id),
    claimsOfOrder(event.shop_slug, event.order_id),
  ]);
  if (!book) throw Object.assign(new Error('The order of an event is gone.'), { name: 'OrderGone' });
  const made: Made[] = [];
  for (const part of chunks(wanted, bodiesAtOnce)) {
    const results = part.map(({ subject, targets }) => send({ event, subject, book, claims, audience }, targets, now));
    made.push(...(await Promise.all(results)).flat());
  }
  return made;
}

interface Sending {
  event: OutboxItem;
  subject: Subject;
  book: OrderBook;
  claims: readonly Claim[];
  audience: ShopAudience;
}

function payloadOf({ event, subject, book, claims, audience: { viewer } }: Sending) {
  if (event.source === 'claims') return claimPayload(event, book, viewer, claims);
  return shipmentPayload(event, subject.occurrence, book, viewer, claims);
}

async function send(sending: Sending, targets: Target[], now: Date): Promise<Made[]> {
  const { event, subject } = sending;
  const body = await keepBody(JSON.stringify(payloadOf(sending)));
  const { id: event_id, ref, event_group, triggered_at, shop_slug } = event;
  const occasion = { event_id, subject_id: subject.id, ref, event_group, triggered_at, shop_slug };
  return Promise.all(
    targets.map(async (target) => {
      const delivery = newDelivery(occasion, target, now);
      return { message: messageOf(delivery), isNew: await createDelivery(delivery, body) };
    }),
  );
}
