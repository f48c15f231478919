import { tableName } from '#platform/table/client.ts';
import { dayCountsPrefix, deliveryCountsPrefix, keyOf, statisticsOf } from '#platform/table/keys.ts';
import { batchGet, itemsIn, queryAll } from '#platform/table/reads.ts';
import { type Action, commit, insert } from '#platform/table/writes.ts';
import { secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { CounterChange } from './count-rules.ts';

/** DynamoDB takes a hundred actions in a transaction. One of them is the mark. */
export const maxChanges = 99;

/** Some records of the stream that are counted together, from the first to the last. */
export interface RecordRange {
  /** The id of the first record, which no other record has. */
  first: string;
  /** The sequence number of the last record. */
  until: string;
}

/** Up to which record those from this one on have been counted; undefined if they have not. */
export async function countedUntil(first: string): Promise<string | undefined> {
  const [mark] = await batchGet([keyOf.countedRecords(first)]);
  return mark?.until as string | undefined;
}

/**
 * Adds to the counters and remembers in the same transaction which records were counted, so that a batch that comes again
 * counts nothing twice. Throws WriteConflict if these records have been counted.
 */
export function addCounts({ first, until }: RecordRange, changes: readonly CounterChange[], now: Date): Promise<void> {
  // The stream keeps its records for a day.
  const expires_at = Math.floor(now.getTime() / 1000) + secondsOfDays(2);
  return commit([insert({ ...keyOf.countedRecords(first), until, expires_at }), ...changes.map(toAction)]);
}

function toAction({ key, steps, expires_at }: CounterChange): Action {
  const entries = Object.entries(steps);
  const added = entries.map((_, i) => `#c${i} :s${i}`).join(', ');
  const kept = expires_at === undefined ? '' : 'SET expires_at = :expires ';
  return {
    Update: {
      TableName: tableName(),
      Key: key,
      UpdateExpression: `${kept}ADD ${added}`,
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name], i) => [`#c${i}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(entries.map(([, step], i) => [`:s${i}`, step])),
        ...(expires_at !== undefined && { ':expires': expires_at }),
      },
    },
  };
}

/** The counters of an item, by their names. */
export type Counters = Record<string, number>;

export async function readCountsNow(slug: string): Promise<Counters> {
  const [item] = await batchGet([keyOf.countsNow(slug)]);
  return (item ?? {}) as Counters;
}

interface Days {
  /** The first and the last day, as `yyyy-mm-dd`. */
  from: string;
  to: string;
}

/** How many orders were placed on each day that has some. */
export async function readOrderCounts(slug: string, days: Days): Promise<Map<string, number>> {
  const items = await readDays<{ sk: string; orders?: number }>(slug, dayCountsPrefix, days);
  return new Map(items.map(({ sk, orders = 0 }) => [sk.slice(dayCountsPrefix.length), orders]));
}

export interface DeliveryCounts {
  day: string;
  target: string;
  counters: Counters;
}

export async function readDeliveryCounts(slug: string, days: Days): Promise<DeliveryCounts[]> {
  const items = await readDays<{ sk: string }>(slug, deliveryCountsPrefix, days);
  return items.map(({ sk, ...counters }) => {
    const place = sk.slice(deliveryCountsPrefix.length);
    const end = place.indexOf('#');
    return { day: place.slice(0, end), target: place.slice(end + 1), counters: counters as unknown as Counters };
  });
}

/** Of one target: a key for each day. */
export async function readDeliveryCountsOf(
  slug: string,
  target: string,
  days: readonly string[],
): Promise<DeliveryCounts[]> {
  const items = await batchGet(days.map((day) => keyOf.deliveryCounts(slug, day, target)));
  return days.flatMap((day, i) => (items[i] ? [{ day, target, counters: items[i] as Counters }] : []));
}

/** `~` sorts after every target. */
const readDays = <T>(slug: string, prefix: string, { from, to }: Days): Promise<T[]> =>
  queryAll<T>(itemsIn(statisticsOf(slug), { from: prefix + from, to: `${prefix}${to}~` }));
