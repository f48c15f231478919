import { messageOf, newDelivery } from '#domain/deliveries/delivery-items.ts';
import type { QueuedDelivery } from '#domain/deliveries/delivery-queue.ts';
import { createDelivery } from '#domain/deliveries/delivery-store.ts';
import { keepBody } from '#domain/deliveries/payload-store.ts';
import {
  type EventSubject,
  type OrderContext,
  payloadOf,
  type StoredEvent,
  subjectsOf,
} from '#domain/payload/event-payload.ts';
import { mapConcurrently } from '#platform/batches.ts';
import type { ShopAudience } from './audience.ts';
import { type Notification, notificationsOf } from './audience.ts';

export interface Made {
  message: QueuedDelivery;
  /** False where an earlier run made it. */
  isNew: boolean;
}

/** Reads the order of the event, once for all who ask. */
export type ReadOrderContext = () => Promise<OrderContext>;

/** Bodies that are held in memory at the same time. */
const maxBodies = 5;

/**
 * A delivery for each subject of the event, each group it fires and each target that wants it. Nobody wants it: the order
 * is not read.
 */
export async function makeDeliveries(
  event: StoredEvent,
  audience: ShopAudience,
  read: ReadOrderContext,
  now: Date,
): Promise<Made[]> {
  const wanted = subjectsOf(event).flatMap((subject) =>
    notificationsOf(event, subject.occurrence, audience).map((notification) => ({ subject, notification })),
  );
  if (wanted.length === 0) return [];
  const context = await read();
  const made = await mapConcurrently(wanted, (one) => send({ event, context, audience, ...one }, now), maxBodies);
  return made.flat();
}

interface Sending {
  event: StoredEvent;
  subject: EventSubject;
  notification: Notification;
  context: OrderContext;
  audience: ShopAudience;
}

async function send({ event, subject, notification, context, audience }: Sending, now: Date): Promise<Made[]> {
  const { event_group, targets } = notification;
  const told = { ...event, event_group };
  const body = await keepBody(JSON.stringify(payloadOf(told, subject, context, audience.viewer)));
  const { id: event_id, ref, triggered_at, shop_slug } = event;
  const occasion = { event_id, subject_id: subject.id, ref, event_group, triggered_at, shop_slug };
  const beside = event_group === event.event_group ? {} : { beside: event_group };
  return mapConcurrently(targets, async (target) => {
    const delivery = newDelivery({ ...occasion, ...beside }, target, now);
    return { message: messageOf(delivery), isNew: await createDelivery(delivery, body) };
  });
}
