import { tableName } from '#platform/table/client.ts';
import { deliveriesOf, keyOf } from '#platform/table/keys.ts';
import { queryListPart } from '#platform/table/paging.ts';
import { batchGet } from '#platform/table/reads.ts';
import { transact, WriteConflict } from '#platform/table/writes.ts';
import {
  deliveryItem,
  firstIdAt,
  lastIdAt,
  newRun,
  payloadItem,
  type Run,
  type StoredPayload,
  toDelivery,
  wakeItem,
} from './delivery-items.ts';
import type { Delivery, DeliveryStatus } from './delivery-rules.ts';
import { bodyOf, keepBody } from './payload-store.ts';

/**
 * Writes a delivery and its payload; false where it exists already and stays as it is. The payload is the text to send,
 * or where it lies for one that several deliveries share. `wake` also leaves word that it is to be queued; as a probe
 * it is tried even while its target is held to be down.
 */
export async function createDelivery(
  delivery: Delivery,
  payload: string | StoredPayload,
  { wake }: { wake?: { probe: boolean } } = {},
): Promise<boolean> {
  const stored = typeof payload === 'string' ? await keepBody(payload) : payload;
  const TableName = tableName();
  try {
    await transact([
      { Put: { TableName, Item: deliveryItem(delivery), ConditionExpression: 'attribute_not_exists(pk)' } },
      { Put: { TableName, Item: payloadItem(delivery, stored) } },
      ...(wake ? [{ Put: { TableName, Item: wakeItem(delivery, new Date(delivery.created_at), wake.probe) } }] : []),
    ]);
    return true;
  } catch (error) {
    // Without a position others only came in between: nothing says that it exists.
    if (error instanceof WriteConflict && error.positions.length > 0) return false;
    throw error;
  }
}

export async function readDelivery(slug: string, target: string, id: string): Promise<Delivery | undefined> {
  const [item] = await batchGet([keyOf.delivery(slug, target, id)]);
  return item && toDelivery(item);
}

/** The exact text that was or is to be sent. */
export async function readPayload(slug: string, target: string, id: string): Promise<string | undefined> {
  const [item] = await batchGet([keyOf.payload(slug, target, id)]);
  return item && (await bodyOf(item as unknown as StoredPayload)).toString('utf8');
}

export interface DeliveryFilter {
  status?: DeliveryStatus;
  /** With a status: also what is pending and was touched last before then. */
  orPendingSince?: Date;
  /** Of the events, both ends included. */
  since?: Date;
  until?: Date;
}

export interface DeliveryList {
  deliveries: Delivery[];
  /** The last id looked at; undefined where the list ends here. */
  next?: string;
}

/** Deliveries of a target, newest first: those before the id `before`, at most `limit`. */
export async function listDeliveries(
  slug: string,
  target: string,
  { limit, before, ...filter }: DeliveryFilter & { limit: number; before?: string | undefined },
): Promise<DeliveryList> {
  const { entries: deliveries, next } = await queryListPart({
    query: listQuery(slug, target, filter),
    limit,
    start: before === undefined ? undefined : keyOf.delivery(slug, target, before),
    toEntry: toDelivery,
    filtered: filter.status !== undefined,
  });
  return { deliveries, ...(next !== undefined && { next: next.slice(keyOf.delivery(slug, target, '').sk.length) }) };
}

function listQuery(slug: string, target: string, { since, until, ...filter }: DeliveryFilter) {
  const range = {
    ':target': deliveriesOf(slug, target),
    ':from': keyOf.delivery(slug, target, since ? firstIdAt(since) : '').sk,
    ':to': keyOf.delivery(slug, target, until ? lastIdAt(until) : '~').sk,
  };
  return {
    KeyConditionExpression: 'pk = :target AND sk BETWEEN :from AND :to',
    ScanIndexForward: false,
    ...statusFilter(range, filter),
  };
}

function statusFilter(range: Record<string, string>, { status, orPendingSince }: DeliveryFilter) {
  if (status === undefined) return { ExpressionAttributeValues: range };
  const forgotten = orPendingSince && {
    ':pending': 'pending' satisfies DeliveryStatus,
    ':before': orPendingSince.toISOString(),
  };
  return {
    FilterExpression: `#status = :status${forgotten ? ' OR (#status = :pending AND updated_at < :before)' : ''}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ...range, ':status': status, ...forgotten },
  };
}

/**
 * Sends a delivery again: a new run on the same item, and in the same transaction the word that it is to be queued, which
 * fan-out reads from the stream. `probe`: its target is tried even while it is held to be down. Throws WriteConflict where
 * the delivery has changed since it was read.
 */
export async function restart(delivery: Delivery, now: Date, { probe = true } = {}): Promise<Delivery> {
  const run = newRun(delivery.attempts, now);
  const after = { ...delivery, ...run };
  await transact([
    { Update: { TableName: tableName(), ...runUpdate(delivery, run) } },
    { Put: { TableName: tableName(), Item: wakeItem(after, now, probe) } },
  ]);
  return after;
}

function runUpdate(before: Delivery, run: Run) {
  return {
    Key: keyOf.delivery(before.shop_slug, before.target, before.id),
    UpdateExpression:
      'SET #status = :status, attempt_count = :none, run_since = :since, attempts = :attempts, updated_at = :now ' +
      'REMOVE list_pk, list_sk',
    ConditionExpression: '#status = :before AND attempt_count = :count',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':status': run.status,
      ':none': run.attempt_count,
      ':since': run.run_since,
      ':attempts': run.attempts,
      ':now': run.updated_at,
      ':before': before.status,
      ':count': before.attempt_count,
    },
  };
}
