import { orderIdIn } from '#platform/table/keys.ts';
import { queryPages } from '#platform/table/query.ts';
import { indexes } from '#schemas/catalogues/table.ts';

/** A part of an index, from one time to another. */
export interface Index {
  name: 'timeline' | 'activity' | 'emails' | 'zip_codes' | 'names';
  partition: string;
  from: string | undefined;
  to: string | undefined;
}

/** An order's place in an index. */
export interface Entry {
  orderId: string;
  /** Where the walk goes on behind it. */
  key: Record<string, unknown>;
  /** Its sort key: a time and an id. */
  place: string;
}

/** Entries newest first, changes oldest first, page by page; the caller stops when it has enough. */
export async function* walk(
  index: Index,
  start: Record<string, unknown> | undefined,
  limit: number,
): AsyncGenerator<Entry[]> {
  const { partition, sort } = indexes[index.name];
  const [from, to] = [index.from ?? '0', `${index.to ?? '9'}~`]; // the tilde stands behind every uuid of the last moment
  if (from > to) return; // DynamoDB refuses a range that ends before it begins
  const pages = queryPages({
    IndexName: index.name,
    KeyConditionExpression: `${partition} = :partition AND ${sort} BETWEEN :from AND :to`,
    ExpressionAttributeValues: {
      ':partition': index.partition,
      ':from': from,
      ':to': to,
    },
    // Changes are read in the order they happened: an order that changes again comes later, and is not missed.
    ScanIndexForward: index.name === 'activity',
    Limit: limit,
    ExclusiveStartKey: start,
  });
  for await (const items of pages) yield items.map((item) => toEntry(item, partition, sort));
}

function toEntry(item: Record<string, unknown>, partition: string, sort: string): Entry {
  const key = Object.fromEntries(['pk', 'sk', partition, sort].map((name) => [name, item[name]]));
  return { orderId: orderIdIn(String(item.pk)), key, place: String(item[sort]) };
}
