import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { removeBody, type StoredBody, storeBody, textOf, unpackBody } from '#platform/table/stored-body.ts';
import { insert, put, tryCommit } from '#platform/table/writes.ts';
import { payloadItem } from './delivery-items.ts';
import type { Delivery, PayloadReference } from './delivery-rules.ts';
import { whileSimulated } from './simulated.ts';

/**
 * What deliveries send. The deliveries of one event share one item: its first line is the context, which all of them
 * send, and each further line is what one of them sends besides. The text is stored and not made again, so that every
 * attempt sends the same bytes.
 */

/** The payloads of one event. */
export interface EventPayloads {
  context: object;
  /** What the payloads contain besides the context. */
  parts: readonly object[];
}

type PayloadOwner = Parameters<typeof payloadItem>[0];

/** Stores the payloads of an event, unless an earlier try has stored them: deliveries may be on their way with those. */
export async function storeEventPayloads(owner: PayloadOwner, { context, parts }: EventPayloads): Promise<void> {
  const text = [context, ...parts].map((line) => JSON.stringify(line)).join('\n');
  const stored = await storeBody(text);
  const isStored = await tryCommit([insert(payloadItem(owner, stored)), ...whileSimulated(owner)]);
  if (!isStored) await dropUnused(owner, stored);
}

/**
 * What is made for a simulation must go with it, and nobody would find a body that no item names: the simulation may have
 * been removed while the body was stored, or a replay made another text. Other bodies expire in the bucket.
 */
async function dropUnused(owner: PayloadOwner, stored: StoredBody): Promise<void> {
  if (owner.simulation_id === undefined || !('s3_key' in stored)) return;
  const [item] = await batchGet([keyOf.payload(owner.shop_slug, owner.payload_id)]);
  if (item?.s3_key !== stored.s3_key) await dropBody(stored);
}

/** Removes the body of an item that was not written. */
export async function dropBody(stored: StoredBody): Promise<void> {
  if ('s3_key' in stored) await removeBody(stored.s3_key);
}

/** Undefined if they were never stored, or have expired. */
export async function readEventPayloads(slug: string, eventId: string): Promise<EventPayloads | undefined> {
  const [item] = await batchGet([keyOf.payload(slug, eventId)]);
  if (!item) return undefined;
  const text = await textOf(item as unknown as StoredBody);
  const [context, ...parts] = text.split('\n').map((line) => JSON.parse(line));
  return { context, parts };
}

type PayloadOf = Pick<Delivery, 'shop_slug'> & PayloadReference;

/** Keeps what a delivery sends for as long as the delivery. If it has expired, the worker finds out and says so. */
export async function keepPayload(delivery: PayloadOf & Pick<Delivery, 'expires_at'>): Promise<void> {
  const { shop_slug, payload_id, expires_at } = delivery;
  const [item] = await batchGet([keyOf.payload(shop_slug, payload_id)]);
  if (!item || Number(item.expires_at) >= expires_at) return;
  await tryCommit([put({ ...item, expires_at }, 'attribute_exists(pk)')]);
}

/** The exact text that a delivery sent or will send. */
export async function readPayload(delivery: PayloadOf): Promise<string | undefined> {
  const [item] = await batchGet([keyOf.payload(delivery.shop_slug, delivery.payload_id)]);
  return item && (await bodyOf(delivery, item as unknown as StoredBody)).toString('utf8');
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
  kept.set(name, unpacking);
  if (kept.size > maxKept) kept.delete(kept.keys().next().value!);
  return unpacking;
}
