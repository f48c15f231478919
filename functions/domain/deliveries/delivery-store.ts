import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { sendAll } from '#platform/queue.ts';
import { table, tableName } from '#platform/table/client.ts';
import { deliveriesOf, deliveryPrefix, keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { shardsOf } from '#platform/table/shards.ts';
import { readSpreadList, type ShardPart } from '#platform/table/spread-list.ts';
import { storeBody } from '#platform/table/stored-body.ts';
import { commit, insert, isRefused, put, tryCommit } from '#platform/table/writes.ts';
import {
  deliveryItem,
  firstIdAt,
  lastIdAt,
  newRun,
  payloadItem,
  type Run,
  toDelivery,
  wakeItem,
} from './delivery-items.ts';
import type {
  Delivery,
  DeliveryMessage,
  DeliveryStatus,
  EndedAttempt,
  NewDelivery,
  Retry,
  Wait,
} from './delivery-rules.ts';
import { dropBody, keepPayload } from './payload-store.ts';
import { isStillWanted, whileSimulated } from './simulated.ts';

/**
 * Writes a delivery, whose payload is stored with the others of its event. Returns false if it is of a simulation that
 * is removed, and throws WriteConflict if the delivery exists. Then it changes nothing.
 */
export async function createDelivery(delivery: Delivery): Promise<boolean> {
  try {
    await commit([insert(deliveryItem(delivery)), ...whileSimulated(delivery)]);
    return true;
  } catch (error) {
    if (isRefused(error) && !error.positions.includes(0)) return false;
    throw error;
  }
}

/**
 * Writes a delivery with a payload of its own, and the item that makes fan-out queue it. As a probe it is tried even if
 * the circuit of its target is open. Does nothing if the delivery exists already.
 */
export async function createAndWake(delivery: Delivery, body: string, { probe }: { probe: boolean }): Promise<boolean> {
  if (!(await isStillWanted(delivery))) return false;
  const stored = await storeBody(body);
  const wake = wakeItem(delivery, new Date(delivery.created_at), probe);
  const items = [insert(deliveryItem(delivery)), put(payloadItem(delivery, stored)), put(wake)];
  const isNew = await tryCommit([...items, ...whileSimulated(delivery)]);
  // It may have been removed while the body was stored, and nobody would find the body.
  if (!isNew && !(await isStillWanted(delivery))) await dropBody(stored);
  return isNew;
}

export async function readDelivery(slug: string, target: string, id: string): Promise<Delivery | undefined> {
  const [item] = await batchGet([keyOf.delivery(slug, target, id)]);
  return item && toDelivery(item);
}

/** Those of the references that exist. */
export async function readDeliveries(
  slug: string,
  references: readonly { target: string; id: string }[],
): Promise<Delivery[]> {
  const items = await batchGet(references.map(({ target, id }) => keyOf.delivery(slug, target, id)));
  return items.flatMap((item) => (item ? [toDelivery(item)] : []));
}

export interface DeliveryFilter {
  status?: DeliveryStatus;
  /** With a status: also parked deliveries, and pending ones that were last changed before this time. */
  orWaitingSince?: Date;
  /** A ref, or its beginning up to a slash. */
  event?: string;
  /** The time range of the events, both ends included. */
  since?: Date;
  until?: Date;
}

export interface DeliveryList {
  deliveries: Delivery[];
  /** The last id that was read. Undefined at the end of the list. */
  next?: string;
}

interface DeliveryPart {
  limit: number;
  before?: string | undefined;
  /** The greatest id that need be read. It comes before the end of the filter's range. */
  upTo?: string | undefined;
}

/** Deliveries of a target that come before the id `before`, newest first, at most `limit`. */
export async function listDeliveries(
  slug: string,
  target: string,
  { limit, before, upTo, ...filter }: DeliveryFilter & DeliveryPart,
): Promise<DeliveryList> {
  const list = {
    shards: shardsOf('deliveries'),
    readShard: (shard: number, items: number, after: string | undefined) =>
      readShard(deliveriesOf(slug, target, shard), items, after, { ...filter, upTo }),
    positionOf: ({ id }: Delivery) => id,
    isBefore: (id: string, other: string) => id > other,
  };
  const isFiltered = filter.status !== undefined || filter.event !== undefined;
  const { entries: deliveries, next } = await (isFiltered
    ? readSpreadList({ ...list, itemsToRead: () => itemsOfFilteredRead }, { limit, after: before, maxRounds: 1 })
    : readSpreadList(list, { limit, after: before, maxRounds }));
  return { deliveries, ...(next !== undefined && { next }) };
}

type DeliveryRange = DeliveryFilter & Pick<DeliveryPart, 'upTo'>;

/** More are needed only if the deliveries are so large that a request ends before its limit. */
const maxRounds = 4;

/** A filter drops items after they were read. All shards together read about as much as one request can, 1 MB. */
const itemsOfFilteredRead = 250;

async function readShard(
  pk: string,
  Limit: number,
  before: string | undefined,
  filter: DeliveryRange,
): Promise<ShardPart<Delivery>> {
  const query = listQuery(pk, filter);
  const { ':from': from, ':to': to } = query.ExpressionAttributeValues as Record<string, string>;
  if (from! > to!) return { entries: [], last: undefined }; // DynamoDB refuses a range that ends before it begins
  const { Items = [], LastEvaluatedKey: last } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      ...query,
      Limit,
      ExclusiveStartKey: before === undefined ? undefined : { pk, sk: deliveryPrefix + before },
    }),
  );
  return { entries: Items.map(toDelivery), last: last && String(last.sk).slice(deliveryPrefix.length) };
}

function listQuery(partition: string, { since, until, upTo, ...filter }: DeliveryRange) {
  const range = {
    ':partition': partition,
    ':from': deliveryPrefix + (since ? firstIdAt(since) : ''),
    ':to': deliveryPrefix + (upTo ?? (until ? lastIdAt(until) : '~')),
  };
  return {
    KeyConditionExpression: 'pk = :partition AND sk BETWEEN :from AND :to',
    ScanIndexForward: false,
    ...filterOf(range, filter),
  };
}

function filterOf(range: Record<string, string>, filter: DeliveryFilter) {
  const parts = [statusFilter(filter), eventFilter(filter)].filter((part) => part !== undefined);
  if (parts.length === 0) return { ExpressionAttributeValues: range };
  return {
    FilterExpression: parts.map(({ expression }) => `(${expression})`).join(' AND '),
    ExpressionAttributeNames: Object.assign({}, ...parts.map(({ names }) => names)),
    ExpressionAttributeValues: Object.assign({}, range, ...parts.map(({ values }) => values)),
  };
}

function statusFilter({ status, orWaitingSince }: DeliveryFilter) {
  if (status === undefined) return undefined;
  const waiting = orWaitingSince && {
    ':parked': 'parked' satisfies DeliveryStatus,
    ':pending': 'pending' satisfies DeliveryStatus,
    ':before': orWaitingSince.toISOString(),
  };
  const orWaiting = waiting ? ' OR #status = :parked OR (#status = :pending AND updated_at < :before)' : '';
  return {
    expression: `#status = :status${orWaiting}`,
    names: { '#status': 'status' },
    values: { ':status': status, ...waiting },
  };
}

const eventFilter = ({ event }: DeliveryFilter) =>
  event === undefined
    ? undefined
    : {
        expression: '#ref = :ref OR begins_with(#ref, :below)',
        names: { '#ref': 'ref' },
        values: { ':ref': event, ':below': `${event}/` },
      };

/**
 * Sends a delivery again: starts a new run on the same item and, in the same transaction, writes the wake item that
 * fan-out reads from the stream. `probe`: its target is tried even if its circuit is open. Throws WriteConflict if the
 * delivery changed after it was read.
 */
export async function restart(delivery: Delivery, now: Date, { probe = true } = {}): Promise<Delivery> {
  const run = newRun(delivery, now);
  const { retry_id: _, ...rest } = delivery;
  const after = { ...rest, ...run };
  if (run.expires_at > delivery.expires_at) await keepPayload(after);
  await commit([{ Update: { TableName: tableName(), ...runUpdate(delivery, run) } }, put(wakeItem(after, now, probe))]);
  return after;
}

function runUpdate(before: Delivery, run: Run) {
  return {
    Key: keyOf.delivery(before.shop_slug, before.target, before.id),
    UpdateExpression:
      'SET #status = :status, attempt_count = :none, run_since = :since, attempts = :attempts, updated_at = :now, ' +
      'expires_at = :expiry ' +
      'REMOVE list_pk, list_sk, retry_id',
    ConditionExpression: '#status = :before AND attempt_count = :count AND size(attempts) = :logged',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':status': run.status,
      ':none': run.attempt_count,
      ':since': run.run_since,
      ':attempts': run.attempts,
      ':now': run.updated_at,
      ':expiry': run.expires_at,
      ':before': before.status,
      ':count': before.attempt_count,
      ':logged': before.attempts.length,
    },
  };
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
