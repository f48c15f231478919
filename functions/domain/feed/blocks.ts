import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from '#platform/table/client.ts';
import { feedBlocksPrefix, feedOf, keyOf } from '#platform/table/keys.ts';
import { batchGet, itemsIn, queryPages } from '#platform/table/reads.ts';
import { insert, retryOnConflict, tryCommit, update, WriteConflict } from '#platform/table/writes.ts';
import { bytesOfUuid, uuidLength, uuidOfBytes } from '#platform/uuid-bytes.ts';
import type { Place } from './mark.ts';
import { expiryOf } from './retention.ts';

/**
 * The order of a feed: places, in blocks that are numbered without gaps. A place is taken by one conditional write, which
 * appends to the newest block. A block that has `fullBlock` places takes no more, and only behind a full one the next begins.
 * So what a reader has passed never changes, whatever clocks say. The decision: lib/decisions/feed.md.
 */

/** The feed of a shop since it was last switched on. */
export interface Feed {
  slug: string;
  generation: number;
}

export interface Block {
  number: number;
  /** When it began. In milliseconds, by the clock of its writer. */
  since: number;
  entries: readonly Entry[];
}

/** Somebody means to put an event here. Whether it is here, says the payload item of the event. */
export interface Entry {
  event_id: string;
  /** When the place was taken. In milliseconds, by the clock of the writer. */
  at: number;
}

/** So many entries of 23 bytes, and the keys, have less than a kilobyte: to append one costs one write unit. */
const fullBlock = 36;

/** Behind it another one may begin, and nothing is appended to it any more. */
const isFull = ({ entries }: Block): boolean => entries.length >= fullBlock;

interface StoredBlock {
  sk: string;
  since: number;
  entries: Uint8Array[];
}

/** Behind the id, which is a UUID. */
const timeBytes = 6;

function writeEntry({ event_id, at }: Entry): Uint8Array {
  const time = Buffer.alloc(timeBytes);
  time.writeUIntBE(at, 0, timeBytes);
  return Buffer.concat([bytesOfUuid(event_id)!, time]);
}

function readEntry(entry: Uint8Array): Entry {
  const bytes = Buffer.from(entry);
  return { event_id: uuidOfBytes(bytes.subarray(0, uuidLength)), at: bytes.readUIntBE(uuidLength, timeBytes) };
}

const toBlock = ({ generation }: Feed, { sk, since, entries }: StoredBlock): Block => ({
  number: Number(sk.slice(feedBlocksPrefix(generation).length)),
  since,
  entries: entries.map(readEntry),
});

/** Undefined if the feed is empty. */
export const lastBlock = (feed: Feed): Promise<Block | undefined> => outermost(feed, false);

async function outermost(feed: Feed, ScanIndexForward: boolean): Promise<Block | undefined> {
  const all = itemsIn(feedOf(feed.slug), { prefix: feedBlocksPrefix(feed.generation) });
  for await (const [block] of queryPages({ ...all, ScanIndexForward, Limit: 1, ConsistentRead: true })) {
    if (block) return toBlock(feed, block as unknown as StoredBlock);
  }
  return undefined;
}

async function blockAt(feed: Feed, number: number): Promise<Block | undefined> {
  const [block] = await batchGet([keyOf.feedBlock(feed.slug, feed.generation, number)]);
  return block && toBlock(feed, block as unknown as StoredBlock);
}

/**
 * The block in which the places of this time and later begin; 0 if the feed is empty. Expired blocks go in any order, so one
 * that is missing counts as an old one. It reads a block for each doubling of their number.
 */
export async function blockOfTime(feed: Feed, time: number): Promise<number> {
  const [oldest, newest] = await Promise.all([outermost(feed, true), outermost(feed, false)]);
  if (!oldest || !newest) return 0;
  let before = oldest.number;
  let after = newest.number + 1;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    const block = await blockAt(feed, middle);
    if (block && block.since >= time) after = middle;
    else before = middle;
  }
  return before;
}

/** So many are read as one unit. */
const blocksAtOnce = 4;

/**
 * Blocks from this one on, each with all that it had when it was read. Behind one that was full comes the next number, or
 * where blocks have expired, the first that is left.
 */
export async function* blocksFrom(feed: Feed, number: number): AsyncGenerator<Block> {
  const from = keyOf.feedBlock(feed.slug, feed.generation, number).sk;
  const range = itemsIn(feedOf(feed.slug), { from, to: `${feedBlocksPrefix(feed.generation)}~` });
  let expected = number;
  for await (const page of queryPages({ ...range, Limit: blocksAtOnce, ConsistentRead: true })) {
    for (const item of page) {
      const block = toBlock(feed, item as unknown as StoredBlock);
      // A query is no snapshot: a block may have begun after its place was read, and another one behind it.
      if (block.number !== expected && (await blockAt(feed, block.number - 1))) return;
      yield block;
      // For the same reason, nothing follows one that was not full when it was read.
      if (!isFull(block)) return;
      expected = block.number + 1;
    }
  }
}

/** A place that was taken, and when. */
export interface TakenPlace extends Place {
  at: number;
}

/** Takes a place for each of these events, one behind the other. They are taken for good, also if nothing comes there. */
export function takePlaces(feed: Feed, eventIds: readonly string[], clock = Date.now): Promise<TakenPlace[]> {
  const { slug, generation } = feed;
  return retryOnConflict(async () => {
    const last = await lastBlock(feed);
    const at = clock();
    const entries = eventIds.map((event_id) => writeEntry({ event_id, at }));
    const block = !last ? 1 : isFull(last) ? last.number + 1 : last.number;
    const key = keyOf.feedBlock(slug, generation, block);
    const isNew = block !== last?.number;
    const count = isNew ? await begin({ ...key, since: at, entries }) : await append(key, entries);
    if (isNew && last) await letExpire(keyOf.feedBlock(slug, generation, last.number), at);
    const first = count - entries.length;
    return entries.map((_, i) => ({ generation, block, index: first + i, at }));
  });
}

/** @returns how many entries the block has now */
async function begin(block: StoredBlock & { pk: string }): Promise<number> {
  if (!(await tryCommit([insert(block)]))) throw new WriteConflict([0]);
  return block.entries.length;
}

/** Fails if the block is full. @returns how many entries it has now */
async function append(Key: object, entries: readonly Uint8Array[]): Promise<number> {
  try {
    const { Attributes } = await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key,
        UpdateExpression: 'SET entries = list_append(entries, :more)',
        ConditionExpression: 'size(entries) < :full',
        ExpressionAttributeValues: { ':more': entries, ':full': fullBlock },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    return (Attributes!.entries as unknown[]).length;
  } catch (error) {
    if ((error as Error).name === 'ConditionalCheckFailedException') throw new WriteConflict([0]);
    throw error;
  }
}

/**
 * The newest block stays for ever, because the next one is numbered by it: a number that came twice would mislead readers. So
 * a block expires only when another is behind it, for one write more in `fullBlock`. If its writer dies before this, a kilobyte stays.
 */
async function letExpire(key: object, at: number): Promise<void> {
  const change = {
    UpdateExpression: 'SET expires_at = :expires',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':expires': expiryOf(at) },
  };
  await tryCommit([update(key, change)]);
}

/**
 * Gives places to the events of one invocation. What asks while a write is under way shares the next one, so many events cost
 * few writes.
 */
export function startTakingPlaces(feed: Feed, clock = Date.now): (eventId: string) => Promise<TakenPlace> {
  let waiting: { eventId: string; resolve: (place: TakenPlace) => void; reject: (error: unknown) => void }[] = [];
  let isWriting = false;
  const write = async () => {
    isWriting = true;
    while (waiting.length > 0) {
      const served = waiting;
      waiting = [];
      try {
        const places = await takePlaces(
          feed,
          served.map(({ eventId }) => eventId),
          clock,
        );
        for (const [i, { resolve }] of served.entries()) resolve(places[i]!);
      } catch (error) {
        for (const { reject } of served) reject(error);
      }
    }
    isWriting = false;
  };
  return (eventId) =>
    new Promise((resolve, reject) => {
      waiting.push({ eventId, resolve, reject });
      // In the next step, so that those who ask in this one come along.
      if (!isWriting) {
        isWriting = true;
        queueMicrotask(write);
      }
    });
}
