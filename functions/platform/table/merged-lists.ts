import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import { type IndexName, indexes } from '#schemas/catalogues/table.ts';
import { table, tableName } from './client.ts';
import { partitionOf, shardsOfShipments } from './keys.ts';
import { itemsIn } from './reads.ts';
import { readSpreadList, type ShardPart, shareOf } from './spread-list.ts';

/** A list in an index, in one partition or evenly in several. */
export interface IndexList {
  index: IndexName;
  partitions: readonly string[];
}

/** The shipments of a shop by their last change: those in the one list that was before the shards, and those in the shards. */
export const listsByUpdate = (slug: string): IndexList[] => [
  { index: 'activity', partitions: [partitionOf.shipmentsByUpdate(slug)] },
  { index: 'activity', partitions: shardsOfShipments(slug) },
];

/** Lists whose entries are read as one. */
export interface MergedLists {
  lists: readonly IndexList[];
  /** The first and the last sort key, both included. */
  from: string;
  to: string;
  /** Whether the first key comes first. */
  isForward?: boolean;
  /** Which entries are wanted, and what of them. */
  query?: Pick<QueryCommandInput, 'FilterExpression' | 'ProjectionExpression'>;
}

export interface MergedRange {
  limit: number;
  /** So many are read at least, if a filter leaves some out. */
  atLeast?: number;
  after?: string | undefined;
  /** The same for the entries of one partition. */
  afterIn?: ((partition: string) => string | undefined) | undefined;
}

interface PlacedEntry<T> {
  entry: T;
  /** Its sort key: a time and an id. No two entries have the same. */
  place: string;
}

interface MergedPart<T> {
  entries: PlacedEntry<T>[];
  /** Where to continue. Undefined at the end of the lists. */
  next: string | undefined;
  /** The partitions that have entries there. */
  partitions: string[];
}

/**
 * The first entries after a place. A list in one partition is read as if it had all of them, and one in several for its
 * share from each. An entry that moves from one partition to another meanwhile may be read twice or not at all, as one
 * that moves within a list that is read in parts.
 */
export async function readMerged<T extends object>(
  { lists, from, to, isForward = false, query }: MergedLists,
  { limit, atLeast = 0, after, afterIn }: MergedRange,
): Promise<MergedPart<T>> {
  const parts = lists.flatMap(({ index, partitions }) =>
    partitions.map((partition) => ({ index, partition, of: partitions.length })),
  );
  const found = new Set<string>();
  const readShard = async (shard: number, Limit: number, last: string | undefined): Promise<ShardPart<Placed>> => {
    const { index, partition } = parts[shard]!;
    const start = last ?? afterIn?.(partition);
    const range = isForward ? { from: behind(start) ?? from, to } : { from, to: before(start) ?? to };
    if (range.from > range.to) return { entries: [], last: undefined }; // DynamoDB refuses such a range
    const { Items = [], LastEvaluatedKey } = await table.send(
      new QueryCommand({
        TableName: tableName(),
        ...itemsIn(partition, { index, ...range }),
        ...query,
        ScanIndexForward: isForward,
        Limit,
      }),
    );
    if (Items.length > 0 || LastEvaluatedKey) found.add(partition);
    const placeOf = (item: object) => placeIn(index, item);
    const entries = Items.map((entry) => ({ entry, place: placeOf(entry) }));
    return { entries, last: LastEvaluatedKey && placeOf(LastEvaluatedKey) };
  };
  const { entries, next } = await readSpreadList<Placed>(
    {
      shards: [...parts.keys()],
      readShard,
      positionOf: ({ place }) => place,
      isBefore: (one, other) => (isForward ? one < other : one > other),
      itemsToRead: (missing, shard) => shareOf(Math.max(missing, atLeast), parts[shard]!.of),
    },
    { limit, after, maxRounds: searchLimits.reads },
  );
  return { entries: entries as PlacedEntry<T>[], next, partitions: [...found] };
}

type Placed = PlacedEntry<Record<string, unknown>>;

export const placeIn = (index: IndexName, entry: object): string =>
  String((entry as Record<string, unknown>)[indexes[index].sort]);

/** The first text after a place. It comes before all places that begin with it, because `!` comes before `#`. */
const behind = (place: string | undefined) => place && `${place}!`;
const before = (place: string | undefined) => place && textBefore(place);

/** The last text that sorts before this one, among the places of lists. */
export const textBefore = (place: string) =>
  `${place.slice(0, -1)}${String.fromCharCode(place.charCodeAt(place.length - 1) - 1)}~`;
