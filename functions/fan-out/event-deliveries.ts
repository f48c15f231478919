import { chunks } from '#shared/chunks.ts';
import { messageOf, newDelivery, type Target } from '#shared/deliveries/delivery-items.ts';
import { createDelivery } from '#shared/deliveries/delivery-store.ts';
import type { DeliveryMessage } from '#shared/deliveries/model.ts';
import { keepBody } from '#shared/deliveries/payload-store.ts';
import { type EventSubject, payloadOf, type Surroundings, subjectsOf } from '#shared/payload/event-payload.ts';
import type { ShopAudience } from './audience-store.ts';
import type { OutboxItem } from './outbox-record.ts';
import { targetsOf } from './target-rules.ts';

export interface Made {
  message: DeliveryMessage;
  /** False where an earlier run made it. */
  isNew: boolean;
}

/** Reads the order of the event, once for all who ask. */
export type ReadSurroundings = () => Promise<Surroundings>;

/** Bodies that are held in memory at the same time. */
const bodiesAtOnce = 5;

/** A delivery for each subject of the event and each target that wants it. Nobody wants it: the order is not read. */
export async function makeDeliveries(
  event: OutboxItem,
  audience: ShopAudience,
  read: ReadSurroundings,
  now: Date,
): Promise<Made[]> {
  const wanted = subjectsOf(event)
    .map((subject) => ({ subject, targets: targetsOf(event, subject.occurrence, audience) }))
    .filter(({ targets }) => targets.length > 0);
  if (wanted.length === 0) return [];
  const surroundings = await read();
  const made: Made[] = [];
  for (const part of chunks(wanted, bodiesAtOnce)) {
    const results = part.map(({ subject, targets }) => send({ event, subject, surroundings, audience }, targets, now));
    made.push(...(await Promise.all(results)).flat());
  }
  return made;
}

interface Sending {
  event: OutboxItem;
  subject: EventSubject;
  surroundings: Surroundings;
  audience: ShopAudience;
}

async function send(sending: Sending, targets: Target[], now: Date): Promise<Made[]> {
  const { event, subject, surroundings, audience } = sending;
  const body = await keepBody(JSON.stringify(payloadOf(event, subject, surroundings, audience.viewer)));
  const { id: event_id, ref, event_group, triggered_at, shop_slug } = event;
  const occasion = { event_id, subject_id: subject.id, ref, event_group, triggered_at, shop_slug };
  return Promise.all(
    targets.map(async (target) => {
      const delivery = newDelivery(occasion, target, now);
      return { message: messageOf(delivery), isNew: await createDelivery(delivery, body) };
    }),
  );
}
