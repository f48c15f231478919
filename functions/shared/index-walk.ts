import { type IndexName, indexes } from '#schemas/table.ts';
import { queryPages } from './query.ts';

/** A part of an index, from one time to another, both included; undefined has no bound. */
export interface IndexRange {
  name: IndexName;
  partition: string;
  from: string | undefined;
  to: string | undefined;
  /** Oldest first; newest first otherwise. */
  forward: boolean;
}

/** An item's place in an index. */
export interface Place {
  item: Record<string, unknown>;
  /** Where the walk goes on behind it. */
  key: Record<string, unknown>;
  /** Its sort key: a time and an id. */
  place: string;
}

/** The places of a range in their order, page by page; the caller stops when it has enough. */
export async function* walkIndex(
  { name, partition: value, from = '0', to = '9', forward }: IndexRange,
  start: Record<string, unknown> | undefined,
  limit: number,
): AsyncGenerator<Place[]> {
  const { partition, sort } = indexes[name];
  const end = `${to}~`; // the tilde stands behind every uuid of the last moment
  if (from > end) return; // DynamoDB refuses a range that ends before it begins
  const pages = queryPages({
    IndexName: name,
    KeyConditionExpression: `${partition} = :partition AND ${sort} BETWEEN :from AND :to`,
    ExpressionAttributeValues: { ':partition': value, ':from': from, ':to': end },
    ScanIndexForward: forward,
    Limit: limit,
    ExclusiveStartKey: start,
  });
  for await (const items of pages) {
    yield items.map((item) => {
      const key = Object.fromEntries(['pk', 'sk', partition, sort].map((attribute) => [attribute, item[attribute]]));
      return { item, key, place: String(item[sort]) };
    });
  }
}
