import { type ListReader, queryListPart } from './paging.ts';
import { itemsIn } from './reads.ts';

/** Readers of lists whose ids begin with their time. Nothing is sorted: the keys have the order. */

type Item = Record<string, unknown>;

interface Entries<T> {
  /** The entry of an item, or undefined if it is none. */
  toEntry: (item: Item) => T | undefined;
  /** Whether many items are no entries: see `queryListPart`. */
  filtered?: boolean;
}

/** The items of a partition whose sort keys are the prefix and an id. */
export function newestIn<T>(
  partition: string,
  prefix: string,
  { toEntry, filtered = false }: Entries<T>,
): ListReader<T> {
  return async (limit, after, place) => {
    const range = { from: prefix, to: prefix + (place?.bound ?? '~') };
    const { entries, next } = await queryListPart({
      query: { ...itemsIn(partition, range), ScanIndexForward: false },
      limit,
      start: after === undefined ? undefined : { pk: partition, sk: prefix + after },
      toEntry,
      filtered,
    });
    return { entries, next: next?.slice(prefix.length) };
  };
}

/** The items of a list of all shops, whose sort keys are ids. */
export const newestOfAllShops =
  <T>(partition: string, { toEntry, filtered = false }: Entries<T>): ListReader<T> =>
  (limit, after, place) =>
    queryListPart({
      query: {
        IndexName: 'lists',
        KeyConditionExpression: 'list_pk = :list AND list_sk < :end',
        ExpressionAttributeValues: { ':list': partition, ':end': after ?? place?.bound ?? '~' },
        ScanIndexForward: false,
      },
      limit,
      start: undefined,
      toEntry,
      filtered,
      placeOf: ({ list_sk }) => list_sk as string,
    });
