import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from '#platform/table/client.ts';
import type { Place, Positions } from '#platform/table/paging.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import { justAfter, textBefore } from './position-keys.ts';
import type { PositionList } from './position-lists.ts';
import { type Counted, countOf, isLeaf, type Node } from './position-node.ts';
import { countsBefore, type End, findLeaf } from './position-reader.ts';
import { rootKey, toRoot } from './position-store.ts';

export interface Search {
  /** Where the list is read from. */
  end: End;
  /** Where the range of the search ends on that side, between two keys. Undefined if it has no bound there. */
  bound?: Buffer | '' | undefined;
}

/**
 * The cheaper an entry is to read, the more of them are counted in the list itself, which is always up to date: the first,
 * and those of the last minutes. The stream is counted within a minute, but its shards beside each other, so an entry can
 * be missing although later ones are counted.
 */
const ofEntries = { from: 300, recentMs: 300_000 };
const ofWholeItems = { from: 50, recentMs: 90_000 };
/** The index `lists` has the whole items. */
const countedInList = ({ source: { IndexName: index } }: PositionList) =>
  index === undefined || index === 'lists' ? ofWholeItems : ofEntries;

/** Where the pages of a list begin. */
export const positionsOf = (list: PositionList, { end, bound }: Search): Positions => ({
  key: rootKey(list),
  from: countedInList(list).from,
  find: (item, position, now) =>
    unlessRemoved(async () => {
      const { node, newest } = toRoot(list, item);
      if (isLeaf(node) || !newest) return undefined;
      const latest = Math.min(list.form.timeOf(newest), now.getTime()) - countedInList(list).recentMs;
      const tree = { list, node, cut: list.form.startOf(latest) };
      return end === 'newest'
        ? fromNewest(tree, position, bound || undefined)
        : fromOldest(tree, position, bound || undefined);
    }),
});

/** A node that was removed since its parent was read. Then the list is counted. */
export async function unlessRemoved<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof WriteConflict) return undefined;
    throw error;
  }
}

interface Tree {
  list: PositionList;
  node: Node;
  /** What is older is counted. What is newer is counted in the list itself. */
  cut: Buffer;
}

async function fromNewest({ list, node, cut }: Tree, position: number, bound?: Buffer): Promise<Place | undefined> {
  const isCounted = bound !== undefined && Buffer.compare(bound, cut) <= 0;
  const [uncounted, [before]] = await Promise.all([
    isCounted ? 0 : countFrom(list, cut, bound),
    countsBefore(list, node, [isCounted ? bound : cut]) as Promise<[Counted]>,
  ]);
  if (uncounted === undefined || position < uncounted) return undefined;
  const leaf = await findLeaf(list, node, countOf(node).all - before.all + position - uncounted, 'newest');
  if (!leaf) return undefined;
  const isCut = !isCounted && (!leaf.high || Buffer.compare(leaf.high, cut) > 0);
  if (isCut) return { bound: textBefore(list.form, cut), skip: position - uncounted };
  return { bound: leaf.high && textBefore(list.form, leaf.high), skip: leaf.skip };
}

async function fromOldest(
  { list, node, cut }: Tree,
  position: number,
  bound: Buffer = Buffer.alloc(0),
): Promise<Place | undefined> {
  const [outside, [upToCut]] = await Promise.all([
    countOlder(list, node, bound),
    countsBefore(list, node, [cut]) as Promise<[Counted]>,
  ]);
  if (outside === undefined || Buffer.compare(bound, cut) >= 0) return undefined;
  const counted = upToCut.all - outside;
  if (position >= counted) return { bound: list.form.toText(cut), skip: position - counted };
  const leaf = await findLeaf(list, node, outside + position, 'oldest');
  return leaf && { bound: leaf.low && list.form.toText(leaf.low), skip: leaf.skip };
}

/** A list that is older than its positions has entries before the first that is counted. */
async function countOlder(list: PositionList, node: Node, bound: Buffer): Promise<number | undefined> {
  const oldest = await readOldest(list, bound);
  if (!oldest) return undefined;
  const [before, upToOldest] = (await countsBefore(list, node, [bound, justAfter(oldest)])) as [Counted, Counted];
  return upToOldest.all > before.all ? before.all : undefined;
}

async function readOldest({ source, form }: PositionList, bound: Buffer): Promise<Buffer | undefined> {
  const from = source.prefix + form.toText(bound);
  const first = await Promise.all(source.partitions.map((partition) => firstFrom(source, partition, from)));
  const keys = first.flatMap((text) => (text === undefined ? [] : form.toBytes(text.slice(source.prefix.length))));
  return keys.sort(Buffer.compare)[0];
}

async function firstFrom(source: PositionList['source'], partition: string, from: string) {
  const query = {
    TableName: tableName(),
    IndexName: source.IndexName,
    KeyConditionExpression: `${source.partition} = :partition AND ${source.sort} >= :from`,
    ExpressionAttributeValues: { ':partition': partition, ':from': from },
    Limit: 1,
  };
  const { Items = [] } = await table.send(new QueryCommand(query));
  return Items[0]?.[source.sort] as string | undefined;
}

/** The entries of the list between two keys. Undefined if there are more than one request may read. */
async function countFrom(list: PositionList, first: Buffer, bound: Buffer | undefined): Promise<number | undefined> {
  const { form, source } = list;
  const range = {
    from: source.prefix + form.toText(first),
    to: source.prefix + (bound ? textBefore(form, bound) : '~'),
  };
  const counts = await Promise.all(source.partitions.map((partition) => countEntries(list, partition, range)));
  return counts.reduce<number | undefined>(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
}

async function countEntries(
  { source }: PositionList,
  partition: string,
  { from, to }: { from: string; to: string },
): Promise<number | undefined> {
  let count = 0;
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  if (from > to) return 0;
  for (let reads = 0; reads < searchLimits.reads; reads++) {
    const query = {
      TableName: tableName(),
      IndexName: source.IndexName,
      KeyConditionExpression: `${source.partition} = :partition AND ${source.sort} BETWEEN :from AND :to`,
      ExpressionAttributeValues: { ':partition': partition, ':from': from, ':to': to },
      Select: 'COUNT' as const,
      ExclusiveStartKey,
    };
    const { Count = 0, LastEvaluatedKey } = await table.send(new QueryCommand(query));
    count += Count;
    if (!LastEvaluatedKey) return count;
    ExclusiveStartKey = LastEvaluatedKey;
  }
  return undefined;
}
