import { indexes } from '#schemas/table.ts';
import { orderIdIn } from '#shared/keys.ts';
import { queryPages } from '#shared/query.ts';

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

/** Entries newest first, page by page; the caller stops when it has enough. */
export async function* walk(
  index: Index,
  start: Record<string, unknown> | undefined,
  limit: number,
): AsyncGenerator<Entry[]> {
  const { partition, sort } = indexes[index.name];
  const pages = queryPages({
    IndexName: index.name,
    KeyConditionExpression: `${partition} = :partition AND ${sort} BETWEEN :from AND :to`,
    ExpressionAttributeValues: {
      ':partition': index.partition,
      ':from': index.from ?? '0',
      ':to': `${index.to ?? '9'}~`, // behind every uuid of the last moment
    },
    ScanIndexForward: false,
    Limit: limit,
    ExclusiveStartKey: start,
  });
  for await (const items of pages) yield items.map((item) => toEntry(item, partition, sort));
}

function toEntry(item: Record<string, unknown>, partition: string, sort: string): Entry {
  const key = Object.fromEntries(['pk', 'sk', partition, sort].map((name) => [name, item[name]]));
  return { orderId: orderIdIn(String(item.pk)), key, place: String(item[sort]) };
}
