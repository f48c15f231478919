import { isErasedPayload, leaveErased, type PlacedPayload, withPayload } from '#domain/deliveries/erased-payload.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { batchGet, itemsIn, type Key, queryPages } from '#platform/table/reads.ts';
import { removeAll } from '#platform/table/remove-all.ts';
import { removeBody } from '#platform/table/stored-body.ts';
import type { Turn } from './round.ts';

/** Removes items in small parts, and counts them. */
export interface Sweep {
  slug: string;
  turn: Turn;
  /** How many items were there. */
  removed: number;
}

/** An item has about this many kilobytes and entries in indexes together. */
const unitsOfItem = 3;

/** Keys in memory at a time. */
export const keysOfPage = 200;

export async function removeKeys(sweep: Sweep, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return;
  await sweep.turn.spend(keys.length * unitsOfItem);
  await removeAll(keys);
  sweep.removed += keys.length;
}

/** False if the time was over before everything was removed. Time ends it only after it has removed something, so that every turn gets on. */
export async function removePartition(
  sweep: Sweep,
  pk: string,
  { range = {}, isSpared = () => false }: { range?: { prefix?: string }; isSpared?: (sk: string) => boolean } = {},
): Promise<boolean> {
  for await (const page of keyPages(pk, range)) {
    const gone = page.filter(({ sk }) => !isSpared(sk));
    await removeKeys(sweep, gone);
    if (gone.length > 0 && sweep.turn.isOver()) return false;
  }
  return true;
}

async function* keyPages(pk: string, range: { prefix?: string }): AsyncGenerator<Key[]> {
  const query = { ...itemsIn(pk, range), ProjectionExpression: 'pk, sk', ConsistentRead: true, Limit: keysOfPage };
  for await (const page of queryPages(query)) yield page as unknown as Key[];
}

export async function keysIn(pk: string): Promise<Key[]> {
  const keys: Key[] = [];
  for await (const page of keyPages(pk, {})) keys.push(...page);
  return keys;
}

const itemsOfPage = 100;

/** Entries of a partition of the timeline up to a time, after the last one that was seen. */
export function itemsAfter(
  partition: string,
  last: string | undefined,
  upTo: string,
  index: 'timeline' | 'activity' = 'timeline',
) {
  const to = `${upTo}~`;
  if (last === undefined) return itemsIn(partition, { index, to });
  const from = `${last}!`;
  // DynamoDB refuses a range that ends before it begins.
  return itemsIn(partition, { index, from, to: from > to ? from : to });
}

/** The first items of a query, for work that goes on from there. */
export async function firstPage<T>(query: Parameters<typeof queryPages>[0]): Promise<T[]> {
  for await (const page of queryPages({ ...query, Limit: itemsOfPage })) return page as T[];
  return [];
}

/**
 * Removes payloads, and their bodies in the bucket first: only the items name them.
 * @param keepsMarks whether marks stay: that of an erased payload keeps what is late or replayed from storing it again, and
 * readers of the feed rely on what is at a place of it
 */
export async function removePayloads(
  sweep: Sweep,
  keys: readonly Key[],
  { keepsMarks = false }: { keepsMarks?: boolean } = {},
): Promise<void> {
  const items = await batchGet(keys, { attributes: ['s3_key', 'erased_at', 'expires_at', 'feed', 'feed_closed'] });
  const stored = items
    .filter((item) => item !== undefined && !(keepsMarks && (isErasedPayload(item) || !withPayload(item))))
    .map((item) => item as unknown as Stored);
  const bodies = stored.flatMap(({ s3_key }) => (s3_key === undefined ? [] : [String(s3_key)]));
  await mapConcurrently(bodies, removeBody, 4);
  const placed = stored.filter(({ feed }) => keepsMarks && feed !== undefined);
  await leaveMarks(sweep, placed);
  await removeKeys(
    sweep,
    stored.filter((item) => !placed.includes(item)),
  );
}

type Stored = PlacedPayload & { s3_key?: unknown };

async function leaveMarks({ turn }: Sweep, placed: readonly PlacedPayload[]): Promise<void> {
  if (placed.length === 0) return;
  await turn.spend(placed.length * unitsOfItem);
  const at = turn.now().toISOString();
  await mapConcurrently(placed, (item) => leaveErased(item, at), 4);
}
