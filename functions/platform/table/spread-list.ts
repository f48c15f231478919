import type { ListPart } from './paging.ts';

/** A list whose entries lie in several partitions. Each partition is in the order of the list. */
export interface SpreadList<T> {
  shards: readonly number[];
  /** Reads at most `limit` items of a partition that come after the position, in one request. */
  readShard(shard: number, limit: number, after: string | undefined): Promise<ShardPart<T>>;
  positionOf(entry: T): string;
  isBefore(position: string, other: string): boolean;
  /** How many items to read of a partition if so many entries are missing. The default is its share of them. */
  itemsToRead?(missing: number, shard: number): number;
}

export interface ShardPart<T> {
  entries: readonly T[];
  /** The position of the last item that was read. Undefined at the end of the partition. */
  last: string | undefined;
}

export interface SpreadRange {
  limit: number;
  after?: string | undefined;
  /** How often a partition may be read. */
  maxRounds: number;
}

/**
 * The first entries of a list after a position. Each partition is read for about its share of them, and only those that
 * ran out are read again, so this costs about as much as one query of one partition. The entries can be fewer than
 * `limit` although the list goes on: then `next` says where.
 */
export async function readSpreadList<T>(
  list: SpreadList<T>,
  { limit, after, maxRounds }: SpreadRange,
): Promise<ListPart<T>> {
  const { itemsToRead = (missing: number) => shareOf(missing, list.shards.length) } = list;
  let readings: Reading<T>[] = list.shards.map((shard) => ({ shard, entries: [], last: after, hasEnded: false }));
  for (let round = 1; round <= maxRounds; round++) {
    // One more than the page, to know whether the list goes on.
    const missing = limit + 1 - mergedOf(list, readings).entries.length;
    const behind = new Set(round === 1 ? readings : readingsBehind(list, readings, limit));
    if (behind.size === 0) break;
    readings = await Promise.all(
      readings.map((one) => (behind.has(one) ? readOn(list, one, itemsToRead(missing, one.shard)) : one)),
    );
  }
  const { entries, bound } = mergedOf(list, readings);
  if (entries.length <= limit) return { entries, next: bound };
  return { entries: entries.slice(0, limit), next: list.positionOf(entries[limit - 1]!) };
}

/** Hashes do not divide a page evenly. With a margin of more than three standard deviations, nearly all pages need one round. */
export const shareOf = (missing: number, shards: number): number =>
  Math.ceil(missing / shards + 3.5 * Math.sqrt((missing / shards) * (1 - 1 / shards)));

/** What was read of a partition. */
interface Reading<T> {
  shard: number;
  entries: readonly T[];
  last: string | undefined;
  hasEnded: boolean;
}

async function readOn<T>(list: SpreadList<T>, reading: Reading<T>, items: number): Promise<Reading<T>> {
  const { entries, last } = await list.readShard(reading.shard, items, reading.last);
  return { shard: reading.shard, entries: [...reading.entries, ...entries], last, hasEnded: last === undefined };
}

/** The partitions that may hold entries of the page which were not read. */
function readingsBehind<T>(list: SpreadList<T>, readings: readonly Reading<T>[], limit: number): Reading<T>[] {
  const afterPage = inOrder(list, readings)[limit];
  return readings.filter(
    ({ hasEnded, last }) => !hasEnded && (!afterPage || list.isBefore(last!, list.positionOf(afterPage))),
  );
}

/** The entries up to the place from which on a partition may hold some that were not read. */
function mergedOf<T>(list: SpreadList<T>, readings: readonly Reading<T>[]): { entries: T[]; bound?: string } {
  const ends = readings.flatMap(({ hasEnded, last }) => (hasEnded || last === undefined ? [] : [last]));
  const entries = inOrder(list, readings);
  if (ends.length === 0) return { entries };
  const bound = ends.reduce((one, other) => (list.isBefore(other, one) ? other : one));
  return { entries: entries.filter((entry) => !list.isBefore(bound, list.positionOf(entry))), bound };
}

const inOrder = <T>({ positionOf, isBefore }: SpreadList<T>, readings: readonly Reading<T>[]): T[] =>
  readings
    .flatMap(({ entries }) => entries)
    .sort((one, other) => (isBefore(positionOf(one), positionOf(other)) ? -1 : 1));
