import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from '#platform/table/client.ts';
import type { Place, Positions } from '#platform/table/paging.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';
import { justAfter, textBefore } from './position-keys.ts';
import type { PositionList } from './position-lists.ts';
import { type Counted, countOf, isLeaf, type Node } from './position-node.ts';
import { countsBefore, type End, findLeaf, type LeafPlace } from './position-reader.ts';
import { type Root, rootKey, toRoot } from './position-store.ts';

export interface Search {
  /** Where the list is read from. */
  end: End;
  /** Where the range of the search ends on that side, between two keys. Undefined if it has no bound there. */
  bound?: Buffer | '' | undefined;
}

/** The cheaper an entry is to read, the more of them are counted in the list itself, which is always up to date. */
const countedInIndex = 300;
const countedInTable = 50;
/** The index `lists` has the whole items. */
const countedIn = (index: IndexName | undefined) =>
  index === undefined || index === 'lists' ? countedInTable : countedInIndex;

/** Where the pages of a list begin. What was written in the last seconds may be missing in it, except at the newest end. */
export const positionsOf = (list: PositionList, { end, bound }: Search): Positions => ({
  key: rootKey(list),
  from: countedIn(list.source.IndexName),
  find: (item, position) =>
    unlessRemoved(() => findPlace(list, toRoot(list, item), position, { end, bound: bound || undefined })),
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

type Bounds = Search & { bound: Buffer | undefined };

async function findPlace(list: PositionList, root: Root, position: number, bounds: Bounds): Promise<Place | undefined> {
  if (isLeaf(root.node)) return undefined;
  const uncounted = await countUncounted(list, root, bounds);
  if (uncounted === undefined || position < uncounted) return undefined;
  const outside = await countOutside(list, root, bounds);
  if (outside === undefined) return undefined;
  const leaf = await findLeaf(list, root.node, outside + position - uncounted, bounds.end);
  return leaf && { bound: boundOf(list, leaf, bounds.end), skip: leaf.skip };
}

function boundOf({ form }: PositionList, { low, high }: LeafPlace, end: End): string | undefined {
  if (end === 'oldest') return low && form.toText(low);
  return high && textBefore(form, high);
}

/** The entries of the list before the range of the search. Undefined if those of the range are not all counted. */
async function countOutside(list: PositionList, { node }: Root, { end, bound }: Bounds): Promise<number | undefined> {
  if (end === 'oldest') return countOlder(list, node, bound ?? Buffer.alloc(0));
  if (!bound) return 0;
  const [before] = (await countsBefore(list, node, [bound])) as [Counted];
  return countOf(node).all - before.all;
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

/**
 * The entries of the search that are newer than all that was counted: usually those of the last seconds. Undefined if
 * there are more than one request may read.
 */
async function countUncounted(
  list: PositionList,
  { newest }: Root,
  { end, bound }: Bounds,
): Promise<number | undefined> {
  if (end === 'oldest' || !newest || (bound && Buffer.compare(bound, newest) <= 0)) return 0;
  const { form, source } = list;
  const range = {
    from: `${source.prefix}${form.toText(newest)}~`,
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
