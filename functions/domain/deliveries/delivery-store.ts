import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { isStillWanted, whileSimulated } from '#domain/orders/simulated.ts';
import { erased } from '#platform/personal-data.ts';
import { table, tableName } from '#platform/table/client.ts';
import { deliveriesOf, deliveryPrefix, keyOf } from '#platform/table/keys.ts';
import { batchGet, itemsIn } from '#platform/table/reads.ts';
import { shardsOf } from '#platform/table/shards.ts';
import { readSpreadList, type ShardPart } from '#platform/table/spread-list.ts';
import { storeBody } from '#platform/table/stored-body.ts';
import { commit, insert, isRefused, put, retryOnConflict, tryCommit } from '#platform/table/writes.ts';
import { changedIf, deliveryItem, firstIdAt, lastIdAt, newRun, toDelivery, wakeItem } from './delivery-items.ts';
import { dropBody, keepPayload, payloadItem } from './delivery-messages.ts';
import { type Delivery, type DeliveryStatus, isEnded } from './delivery-rules.ts';
import { deliveryData } from './personal-data.ts';

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
  /** With a status: also deliveries that are parked or pending. */
  orWaiting?: boolean;
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
  const { since, until, upTo } = filter;
  const from = deliveryPrefix + (since ? firstIdAt(since) : '');
  const to = deliveryPrefix + (upTo ?? (until ? lastIdAt(until) : '~'));
  if (from > to) return { entries: [], last: undefined }; // DynamoDB refuses a range that ends before it begins
  const { Items = [], LastEvaluatedKey: last } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      ...filtered(itemsIn(pk, { from, to }), filter),
      ScanIndexForward: false,
      Limit,
      ExclusiveStartKey: before === undefined ? undefined : { pk, sk: deliveryPrefix + before },
    }),
  );
  return { entries: Items.map(toDelivery), last: last && String(last.sk).slice(deliveryPrefix.length) };
}

function filtered(query: ReturnType<typeof itemsIn>, filter: DeliveryFilter) {
  const parts = [statusFilter(filter), eventFilter(filter)].filter((part) => part !== undefined);
  if (parts.length === 0) return query;
  return {
    ...query,
    FilterExpression: parts.map(({ expression }) => `(${expression})`).join(' AND '),
    ExpressionAttributeNames: Object.assign({}, ...parts.map(({ names }) => names)),
    ExpressionAttributeValues: Object.assign({}, query.ExpressionAttributeValues, ...parts.map(({ values }) => values)),
  };
}

function statusFilter({ status, orWaiting = false }: DeliveryFilter) {
  if (status === undefined) return undefined;
  const statuses: DeliveryStatus[] = orWaiting ? [status, 'parked', 'pending'] : [status];
  return {
    expression: statuses.map((_, i) => `#status = :status${i}`).join(' OR '),
    names: { '#status': 'status' },
    values: Object.fromEntries(statuses.map((one, i) => [`:status${i}`, one])),
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

/** Erases what is personal from a delivery. One that is not sent yet is cancelled. */
export const eraseDelivery = (known: Delivery, now: Date): Promise<void> =>
  retryOnConflict(async () => {
    const { shop_slug, target, id } = known;
    const delivery = await readDelivery(shop_slug, target, id);
    if (!delivery) return;
    const { attempts } = erased(deliveryData, delivery);
    const set = {
      attempts,
      ...(!isEnded(delivery) && { status: 'cancelled' satisfies DeliveryStatus, updated_at: now.toISOString() }),
    };
    const change = changedIf(delivery, set, ['list_pk', 'list_sk', 'retry_id', 'next_attempt_at']);
    await commit([{ Update: { TableName: tableName(), Key: keyOf.delivery(shop_slug, target, id), ...change } }]);
  });

/**
 * Sends a delivery again: starts a new run on the same item and, in the same transaction, writes the wake item that
 * fan-out reads from the stream. `probe`: its target is tried even if its circuit is open. Throws WriteConflict if the
 * delivery changed after it was read.
 */
export async function restart(delivery: Delivery, now: Date, { probe = true } = {}): Promise<Delivery> {
  const run = newRun(delivery, now);
  const { retry_id: _, next_attempt_at: _due, reason: _reason, ...rest } = delivery;
  const after = { ...rest, ...run };
  if (run.expires_at > delivery.expires_at) await keepPayload(after);
  const Key = keyOf.delivery(delivery.shop_slug, delivery.target, delivery.id);
  const change = changedIf(delivery, run, ['list_pk', 'list_sk', 'retry_id', 'next_attempt_at', 'reason']);
  await commit([{ Update: { TableName: tableName(), Key, ...change } }, put(wakeItem(after, now, probe))]);
  return after;
}
