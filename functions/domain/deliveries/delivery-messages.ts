import { type Caused, causeOf } from '#platform/correlation.ts';
import { sendAll } from '#platform/queue.ts';
import {
  type Delivery,
  type EndedAttempt,
  type NewDelivery,
  type Retry,
  ttlSeconds,
  type Wait,
} from './delivery-rules.ts';

/** The messages of the queue of deliveries: how they are made, sent and read. */

/** The message on the queue. It never holds the payload, so none is too big for it. */
export interface DeliveryMessage extends Caused {
  shop_slug: string;
  target: string;
  delivery_id: string;
  /** With it, the delivery and its payload are read in one request. */
  payload_id: string;
}

export interface QueuedDelivery extends DeliveryMessage {
  /** What the delivery is. Absent once it is written. */
  first?: NewDelivery;
  /** Absent in the first message of a run, and in those of parked deliveries. */
  retry?: Retry;
  /** The attempt of this message was made, and is only to be recorded. An older version makes it again. */
  ended?: EndedAttempt;
  /** How many messages in a row ended in a fault of ours. */
  faults?: number;
  /** The target is tried even if its circuit is open. */
  probe?: boolean;
  /** The delivery has waited for its turn at the target, and need not wait again. */
  hasTurn?: boolean;
  /** Absent if the delivery has not waited for a turn since its last attempt. */
  wait?: Wait;
}

export function messageOf(delivery: Delivery): DeliveryMessage {
  const { shop_slug, target, id, payload_id } = delivery;
  return { shop_slug, target, delivery_id: id, payload_id, ...causeOf(delivery) };
}

/** The first message of a delivery that is not written yet. */
export function firstMessageOf(delivery: Delivery): DeliveryMessage & { first: NewDelivery } {
  const { id, kind, event_id, ref, event_group, payload_part, simulation_id, subject_version, created_at } = delivery;
  const first = {
    ...{ id, kind, event_id, ref, event_group, created_at },
    ...(payload_part !== undefined && { payload_part }),
    ...(simulation_id !== undefined && { simulation_id }),
    ...(subject_version !== undefined && { subject_version }),
  };
  return { ...messageOf(delivery), first };
}

/** The delivery that a first message tells of. */
export const deliveryIn = ({ shop_slug, target, payload_id }: DeliveryKey, first: NewDelivery): Delivery =>
  withoutAttempts({ shop_slug, target, payload_id, ...first });

type DeliveryKey = Pick<Delivery, 'shop_slug' | 'target' | 'payload_id'>;

export const withoutAttempts = (delivery: DeliveryKey & NewDelivery): Delivery => ({
  ...delivery,
  status: 'pending',
  attempt_count: 0,
  attempts: [],
  updated_at: delivery.created_at,
  expires_at: Math.floor(Date.parse(delivery.created_at) / 1000) + ttlSeconds,
});

/**
 * Sends deliveries to the queue. The message group is the target, so the fair queue serves other targets while one has
 * many messages waiting. Throws NotEnqueued with the messages that the queue did not accept.
 */
export const enqueue = (
  messages: readonly QueuedDelivery[],
  { delaySeconds }: { delaySeconds?: number } = {},
): Promise<void> =>
  sendAll(messages, {
    variable: 'DELIVERY_QUEUE_URL',
    groupOf: ({ shop_slug, target }) => `${shop_slug}#${target}`,
    delayOf: () => delaySeconds,
  });

/**
 * What a message of the queue says, or undefined if the message is not ours. The last release writes the id of a delivery
 * that is not stored yet only into `first`.
 */
export function parseMessage(body: string): QueuedDelivery | undefined {
  try {
    const message = JSON.parse(body) as QueuedDelivery;
    const { shop_slug, target, payload_id, first, ended, delivery_id = first?.id ?? '' } = message;
    const ofDelivery = first ? [first.kind, first.event_id, first.ref, first.created_at] : [];
    const texts = [shop_slug, target, payload_id, delivery_id, ...ofDelivery, ...(ended ? [ended.at] : [])];
    return texts.every(isText) ? { ...message, delivery_id } : undefined;
  } catch {
    return undefined;
  }
}

const isText = (part: unknown): boolean => typeof part === 'string' && part !== '';
