import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { sendAll } from '#platform/queue.ts';
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
import type { Delivery, DeliveryMessage, DeliveryStatus } from './delivery-rules.ts';

/**
 * Writes a delivery and its payload. Returns false if the delivery exists already, and then changes nothing. The
 * payload is the text to send, or a stored payload that several deliveries share. `wake` also writes the item that
 * makes fan-out queue the delivery. As a probe it is tried even if the circuit of its target is open.
 */
export async function createDelivery(
  delivery: Delivery,
  payload: string | StoredPayload,
  { wake }: { wake?: { probe: boolean } } = {},
): Promise<boolean> {
  const stored = typeof payload === 'string' ? await storeBody(payload) : payload;
  const TableName = tableName();
  try {
    await transact([
      { Put: { TableName, Item: deliveryItem(delivery), ConditionExpression: 'attribute_not_exists(pk)' } },
      { Put: { TableName, Item: payloadItem(delivery, stored) } },
      ...(wake ? [{ Put: { TableName, Item: wakeItem(delivery, new Date(delivery.created_at), wake.probe) } }] : []),
    ]);
    return true;
  } catch (error) {
    // A conflict without positions only means that others wrote at the same time, not that the delivery exists.
    if (error instanceof WriteConflict && error.positions.length > 0) return false;
    throw error;
  }
}

export async function readDelivery(slug: string, target: string, id: string): Promise<Delivery | undefined> {
  const [item] = await batchGet([keyOf.delivery(slug, target, id)]);
  return item && toDelivery(item);
}

/** The exact text that was sent or will be sent. */
export async function readPayload(slug: string, target: string, id: string): Promise<string | undefined> {
  const [item] = await batchGet([keyOf.payload(slug, target, id)]);
  return item && (await bodyOf(item as unknown as StoredPayload)).toString('utf8');
}

export interface DeliveryFilter {
  status?: DeliveryStatus;
  /** With a status: also pending deliveries that were last changed before this time. */
  orPendingSince?: Date;
  /** The time range of the events, both ends included. */
  since?: Date;
  until?: Date;
}

export interface DeliveryList {
  deliveries: Delivery[];
  /** The last id that was read. Undefined at the end of the list. */
  next?: string;
}

/** Deliveries of a target that come before the id `before`, newest first, at most `limit`. */
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
  const stalePending = orPendingSince && {
    ':pending': 'pending' satisfies DeliveryStatus,
    ':before': orPendingSince.toISOString(),
  };
  return {
    FilterExpression: `#status = :status${stalePending ? ' OR (#status = :pending AND updated_at < :before)' : ''}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ...range, ':status': status, ...stalePending },
  };
}

/**
 * Sends a delivery again: starts a new run on the same item and, in the same transaction, writes the wake item that
 * fan-out reads from the stream. `probe`: its target is tried even if its circuit is open. Throws WriteConflict if the
 * delivery changed after it was read.
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

/** An item can hold 400 KB. A larger body goes to the bucket. */
const maxItemBytes = 300 * 1024;

/**
 * Stores the exact text of a body. Its name in the bucket is the hash of its content, so several deliveries share one
 * object, and a replay that builds another body does not replace one that is being sent.
 */
export async function storeBody(body: string): Promise<StoredPayload> {
  const compressed = await promisify(gzip)(body);
  if (compressed.length <= maxItemBytes) return { body: compressed };
  const s3_key = `payloads/${createHash('sha256').update(body).digest('hex')}.json.gz`;
  const { PutObjectCommand } = await import('#platform/lazy/s3.ts');
  await (await bucketClient()).send(new PutObjectCommand({ Bucket: bucket(), Key: s3_key, Body: compressed }));
  return { s3_key };
}

/** The exact bytes of the text that `storeBody` stored. */
export async function bodyOf(payload: StoredPayload): Promise<Buffer> {
  const compressed = 'body' in payload ? payload.body : await readObject(payload.s3_key);
  return compressed.length <= maxSyncBytes ? gunzipSync(compressed) : promisify(gunzip)(compressed);
}

/** Most bodies have a few kilobytes, and unpacking them here is faster than in another thread. */
const maxSyncBytes = 16 * 1024;

async function readObject(key: string): Promise<Uint8Array> {
  const { GetObjectCommand } = await import('#platform/lazy/s3.ts');
  const { Body } = await (await bucketClient()).send(new GetObjectCommand({ Bucket: bucket(), Key: key }));
  return Body!.transformToByteArray();
}

let client: S3Client | undefined;

/** The S3 client is loaded only when a body needs it, and few do. */
async function bucketClient(): Promise<S3Client> {
  const { S3Client } = await import('#platform/lazy/s3.ts');
  client ??= new S3Client({});
  return client;
}

function bucket(): string {
  const name = process.env.PAYLOAD_BUCKET;
  if (!name) throw new Error('PAYLOAD_BUCKET is not set');
  return name;
}

/** A message that may also be marked as a probe. */
export interface QueuedDelivery extends DeliveryMessage {
  probe?: boolean;
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
    delaySeconds,
  });

/** The reference in a message of the queue, or undefined if the message is not ours. */
export function parseMessage(body: string): QueuedDelivery | undefined {
  try {
    const message = JSON.parse(body) as QueuedDelivery | null;
    const parts = [message?.shop_slug, message?.target, message?.delivery_id];
    return parts.every((part) => typeof part === 'string' && part !== '') ? message! : undefined;
  } catch {
    return undefined;
  }
}
