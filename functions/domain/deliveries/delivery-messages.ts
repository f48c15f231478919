import { whileSimulated } from '#domain/orders/simulated.ts';
import { type Caused, causeOf } from '#platform/correlation.ts';
import { sendAll } from '#platform/queue.ts';
import { remember } from '#platform/recently-used.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { removeBody, type StoredBody, storeBody, textOf, unpackBody } from '#platform/table/stored-body.ts';
import { put, tryCommit } from '#platform/table/writes.ts';
import {
  type Delivery,
  type EndedAttempt,
  type NewDelivery,
  type PayloadReference,
  type Retry,
  ttlSeconds,
  type Wait,
} from './delivery-rules.ts';
import { isErasedPayload, withoutPayload, withPayload } from './erased-payload.ts';

/** What travels to the function that delivers: the message on the queue, and the payload that the message names. */

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
  const { id, kind, event_id, ref, event_group, payload_part, mail, simulation_id, feed, subject_version, created_at } =
    delivery;
  const first = {
    ...{ id, kind, event_id, ref, event_group, created_at },
    ...(payload_part !== undefined && { payload_part }),
    ...(mail !== undefined && { mail }),
    ...(simulation_id !== undefined && { simulation_id }),
    ...(feed !== undefined && { feed }),
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
 * What a message of the queue says, or undefined if the message is not ours. Earlier releases wrote the id of a delivery
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

/**
 * The deliveries of one event share one item: its first line is the context, which all of them
 * send, and each further line is what one of them sends besides. The text is stored and not made again, so that every
 * attempt sends the same bytes.
 */

/** The payloads of one event. */
export interface EventPayloads {
  context: object;
  /** What the payloads contain besides the context. */
  parts: readonly object[];
}

/**
 * Stores the payloads of an event, unless an earlier try has stored them: deliveries may be on their way with those.
 * @returns what is stored instead of them: if the order of the event was erased, nothing may be made of the event any more
 */
export async function storeEventPayloads(owner: PayloadOwner, payloads: EventPayloads) {
  const stored = await storeBody(textOfPayloads(payloads));
  const isStored = await tryCommit([put(payloadItem(owner, stored), withoutPayload), ...whileSimulated(owner)]);
  return isStored ? undefined : dropUnused(owner, stored);
}

export const textOfPayloads = ({ context, parts }: EventPayloads): string =>
  [context, ...parts].map((line) => JSON.stringify(line)).join('\n');

/**
 * Nobody would find a body that no item names: the simulation may have been removed while the body was stored, the order
 * was erased, or a replay made another text. @returns the item that is there instead
 */
export async function dropUnused(owner: PayloadOwner, stored: StoredBody) {
  const item = await getItem(keyOf.payload(owner.shop_slug, owner.payload_id));
  if ('s3_key' in stored && item?.s3_key !== stored.s3_key) await dropBody(stored);
  return item;
}

/** Removes the body of an item that was not written. */
export async function dropBody(stored: StoredBody): Promise<void> {
  if ('s3_key' in stored) await removeBody(stored.s3_key);
}

/** Undefined if they were never stored, or have expired. */
export async function readEventPayloads(slug: string, eventId: string): Promise<EventPayloads | 'erased' | undefined> {
  const item = withPayload(await getItem(keyOf.payload(slug, eventId)));
  if (!item) return undefined;
  if (isErasedPayload(item)) return 'erased';
  return payloadsIn(item as unknown as StoredBody);
}

export async function payloadsIn(stored: StoredBody): Promise<EventPayloads> {
  const [context, ...parts] = (await textOf(stored)).split('\n').map((line) => JSON.parse(line));
  return { context, parts };
}

type PayloadOf = Pick<Delivery, 'shop_slug'> & PayloadReference;

/** Keeps what a delivery sends for as long as the delivery. If it has expired, the worker finds out and says so. */
export async function keepPayload(delivery: PayloadOf & Pick<Delivery, 'expires_at'>): Promise<void> {
  const { shop_slug, payload_id, expires_at } = delivery;
  const item = withPayload(await getItem(keyOf.payload(shop_slug, payload_id)));
  if (!item || Number(item.expires_at) >= expires_at) return;
  // Its order may have been erased since it was read.
  await tryCommit([put({ ...item, expires_at }, 'attribute_exists(pk) AND attribute_not_exists(erased_at)')]);
}

/** The exact text that a delivery sent or will send. Undefined if it has expired or was erased. */
export async function readPayload(delivery: PayloadOf): Promise<string | undefined> {
  const item = withPayload(await getItem(keyOf.payload(delivery.shop_slug, delivery.payload_id)));
  if (!item || isErasedPayload(item)) return undefined;
  return (await bodyOf(delivery, item as unknown as StoredBody)).toString('utf8');
}

/** The exact bytes that a delivery sends. */
export async function bodyOf(delivery: PayloadOf, stored: StoredBody): Promise<Buffer> {
  const { payload_part: part } = delivery;
  if (part === undefined) return unpackBody(stored);
  const text = await unpackedOnce(delivery, stored);
  const own = lineOf(text, part + 1);
  // The context becomes the last field of the own part, which is an object with other fields.
  return Buffer.concat([own.subarray(0, -1), contextName, lineOf(text, 0), closing]);
}

const contextName = Buffer.from(',"context":');
const closing = Buffer.from('}');
const lineFeed = 10;

function lineOf(text: Buffer, line: number): Buffer {
  let start = 0;
  for (let before = 0; before < line; before++) start = text.indexOf(lineFeed, start) + 1;
  const end = text.indexOf(lineFeed, start);
  return text.subarray(start, end === -1 ? undefined : end);
}

/** The deliveries of one event come one after the other. A text has a few megabytes at most. */
const maxKept = 4;
const kept = new Map<string, Promise<Buffer>>();

/** What several deliveries share is unpacked once. It never changes. */
function unpackedOnce({ shop_slug, payload_id }: PayloadOf, stored: StoredBody): Promise<Buffer> {
  const name = `${shop_slug}#${payload_id}`;
  const known = kept.get(name);
  if (known) return known;
  const unpacking = unpackBody(stored);
  unpacking.catch(() => kept.delete(name));
  remember(kept, name, unpacking, maxKept);
  return unpacking;
}

/** Lists what a simulation made, so that it can be removed with the simulation. */
export const madeBy = ({ simulation_id }: { simulation_id?: string }, id: string) =>
  simulation_id === undefined ? {} : indexKeyOf.madeBySimulation(simulation_id, id);

export type PayloadOwner = Pick<Delivery, 'shop_slug' | 'payload_id' | 'expires_at' | 'simulation_id'>;

export function payloadItem(owner: PayloadOwner, payload: StoredBody) {
  const { shop_slug, payload_id, expires_at } = owner;
  return {
    ...keyOf.payload(shop_slug, payload_id),
    ...madeBy(owner, `payload ${payload_id}`),
    ...payload,
    expires_at,
  };
}
