import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Key } from './batch-get.ts';
import { table, tableName } from './client.ts';
import type { Part } from './list-walk.ts';

type Item = Record<string, unknown>;

interface Reading<T> {
  query: Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey' | 'Limit'>;
  /** How many to find. */
  limit: number;
  start: Key | undefined;
  /** The entry of an item; undefined where a filter drops it. */
  toEntry: (item: Item) => T | undefined;
  /** Whether some items are dropped, by `toEntry` or in the query: a limit would count those, too. */
  filtered: boolean;
  /** What tells where an item stands in the list: its sort key, if nothing else is said. */
  placeOf?: (item: Item) => string;
}

/** Pages of the table that one call reads at most, 1 MB each: who filters for few among many goes on from `next`. */
const mostRequests = 10;

/** The next entries of a query; `next` is the place of the last item that was looked at. */
export async function queryPart<T>(reading: Reading<T>): Promise<Part<T>> {
  const { query, limit, start, toEntry, filtered, placeOf = sortKeyOf } = reading;
  const entries: T[] = [];
  const places: string[] = [];
  let from = start as Item | undefined;
  for (let request = 0; request < mostRequests; request++) {
    const Limit = filtered ? undefined : limit + 1 - entries.length;
    const page = await table.send(
      new QueryCommand({ ...query, TableName: tableName(), Limit, ExclusiveStartKey: from }),
    );
    for (const item of page.Items ?? []) {
      const entry = toEntry(item);
      if (entry === undefined) continue;
      entries.push(entry);
      places.push(placeOf(item));
    }
    if (entries.length > limit) return { entries: entries.slice(0, limit), next: places[limit - 1]! };
    from = page.LastEvaluatedKey;
    if (!from) return { entries };
  }
  return { entries, next: placeOf(from!) };
}

const sortKeyOf = (item: Item) => (item as unknown as Key).sk;
