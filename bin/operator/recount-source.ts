import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  type DynamoDBDocumentClient,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { chunks, mapConcurrently } from '#platform/batches.ts';
import type { Key } from '#platform/table/reads.ts';

export interface TableAccess {
  table: DynamoDBDocumentClient;
  tableName: string;
}

/** A number in an item of the table. */
export interface Cell {
  key: Key;
  name: string;
  /** Unix seconds. Absent if the item stays for ever, or if nothing counts in the cell any more. */
  expires_at?: number;
}

interface StoredCell extends Cell {
  count: number;
  /** Set if it is known without counting. */
  shouldBe?: number;
}

/** What one thing adds to a cell. */
interface CellStep extends Cell {
  step: number;
}

/** Counters that the stream adds to, and all that they count. */
export interface CountSource {
  /** The counters as they are stored, in parts. */
  stored: () => AsyncIterable<readonly StoredCell[]>;
  /**
   * What everything that is stored now counts, in parts: nobody holds all orders and parcels of a shop at once. All its
   * counters are held, as they were at the first and at the second look: about 0.4 KB for each counter and look.
   */
  counted: () => AsyncIterable<readonly CellStep[]>;
  /** Nothing that happened before this time, in milliseconds, counts in the cell. */
  beginningOf: (cell: Cell) => number;
  /** Of what nobody can say any more how much it should be. Asked after everything was counted. */
  leftAlone?: () => LeftAlone[];
}

interface LeftAlone {
  name: string;
  /** With what the sort keys of its items begin. */
  prefix: string;
}

type Item = Key & Record<string, unknown>;

/** The items of a partition, or the entries of an index, by the pages in which they are read. */
export async function* pagesIn({ table, tableName }: TableAccess, part: Omit<QueryCommandInput, 'TableName'>) {
  const input = { ...part, TableName: tableName, ConsistentRead: part.IndexName === undefined };
  for await (const { Items = [] } of paginateQuery({ client: table }, input)) yield Items as Item[];
}

export async function* itemsOf(access: TableAccess, part: Omit<QueryCommandInput, 'TableName'>) {
  for await (const page of pagesIn(access, part)) yield* page;
}

/** DynamoDB reads this many items in one request. */
const maxKeys = 100;
const requestsAtOnce = 4;

/** The items that an index has entries of, in parts. Those that are gone meanwhile are left out. */
export async function* wholeItemsOf(access: TableAccess, part: Omit<QueryCommandInput, 'TableName'>) {
  for await (const entries of pagesIn(access, part)) {
    for (const some of chunks(entries, maxKeys * requestsAtOnce)) {
      const keys = chunks(
        some.map(({ pk, sk }) => ({ pk, sk })),
        maxKeys,
      );
      yield (await mapConcurrently(keys, (those) => readItems(access, those))).flat();
    }
  }
}

async function readItems({ table, tableName }: TableAccess, Keys: Key[]): Promise<Item[]> {
  const found: Item[] = [];
  let request: BatchGetCommandInput['RequestItems'] = { [tableName]: { Keys, ConsistentRead: true } };
  while (request && Object.keys(request).length > 0) {
    const { Responses, UnprocessedKeys }: BatchGetCommandOutput = await table.send(
      new BatchGetCommand({ RequestItems: request }),
    );
    found.push(...((Responses?.[tableName] ?? []) as Item[]));
    request = UnprocessedKeys;
  }
  return found;
}

const expiryName = 'expires_at';
const keyNames = ['pk', 'sk', expiryName];

export const isExpiry = ({ name }: Cell): boolean => name === expiryName;

/**
 * The time at which an item expires, as a number in it that is wrong, if that is too early: a release of before kept figures
 * for some weeks only. It comes before the counters of the item, so that it is corrected with the first of them.
 */
export const earlyExpiryIn = ({ pk, sk, expires_at }: Item, shouldBe: number): StoredCell[] =>
  Number(expires_at) < shouldBe ? [{ key: { pk, sk }, name: expiryName, count: Number(expires_at), shouldBe }] : [];

/** The counters in an item that has nothing else. */
export const countersIn = ({ pk, sk, ...item }: Item): StoredCell[] =>
  Object.entries(item)
    .filter(([name]) => !keyNames.includes(name))
    .map(([name, count]) => ({ key: { pk, sk }, name, count: Number(count) }));
