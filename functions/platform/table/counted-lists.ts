import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { automationLimits, deliveryLimits, searchLimits } from '#schemas/catalogues/limits.ts';
import { attributes, indexes, type RecordKindName } from '#schemas/catalogues/table.ts';
import { table, tableName } from './client.ts';
import {
  automationRunPrefix,
  automationRunsOf,
  deliveriesOf,
  deliveryPrefix,
  listCountersOf,
  partitionOf,
  recordPrefix,
  recordsIn,
  simulationPrefix,
  simulationsOf,
} from './keys.ts';
import { type CountedList, firstKey, type Level, lastKey } from './list-counters.ts';
import { shardsOf } from './shards.ts';

/** Which lists are counted, and where. */

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Expired items are deleted some days late. */
const lateDays = 7;

/** All lists of a shop with many changes share the item of a day, so that a change costs one write. */
const ofShop = (slug: string, cellMs: number, names: Level['names']): Level => ({
  pk: listCountersOf(slug),
  item: 'day',
  cellMs,
  names,
});
const byHalfHour = (slug: string, ...names: string[]) => [ofShop(slug, 30 * minuteMs, names)];
/** Where the list has whole items, few may be passed over. */
const byMinute = (slug: string, list: string): Level => ({
  pk: listCountersOf(slug, list),
  item: 'hour',
  cellMs: minuteMs,
  names: ['n'],
});

/** The cheaper an entry is to read, the more of them are counted in the list itself. */
const ofEntries = { keys: 'times', from: 300, recentMs: 5 * minuteMs } as const;
const ofWholeItems = { keys: 'ids', from: 50, recentMs: 1.5 * minuteMs } as const;

/** Where the entries of a list are: an index, or partitions of the table. */
export interface ListSource {
  IndexName?: keyof typeof indexes;
  partitions: readonly string[];
  /** What the sort keys begin with, before the key of the list. */
  prefix?: string;
}

export type ListInTable = CountedList & { source: ListSource };

const listIn = (source: ListSource, list: Omit<CountedList, 'count'>): ListInTable => ({
  ...list,
  source,
  count: async (from, to) => {
    const range = [from === -Infinity ? '' : firstKey(list, from), to === Infinity ? '~' : lastKey(list, to)] as const;
    const counts = await Promise.all(source.partitions.map((partition) => countPartition(source, partition, range)));
    return counts.some((count) => count === undefined) ? undefined : counts.reduce((sum, count) => sum! + count!, 0);
  },
});

async function countPartition(
  { IndexName, prefix = '' }: ListSource,
  value: string,
  [from, to]: readonly [string, string],
) {
  const { partition, sort } = IndexName ? indexes[IndexName] : attributes;
  let count = 0;
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  if (from > to) return 0;
  for (let reads = 0; reads < searchLimits.reads; reads++) {
    const query = {
      TableName: tableName(),
      IndexName,
      KeyConditionExpression: `${partition} = :partition AND ${sort} BETWEEN :from AND :to`,
      ExpressionAttributeValues: { ':partition': value, ':from': prefix + from, ':to': prefix + to },
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

const entriesIn = (IndexName: 'timeline' | 'activity', partition: string, slug: string, letter: string) =>
  listIn({ IndexName, partitions: [partition] }, { ...ofEntries, slug, levels: byHalfHour(slug, letter) });

/** Lists that never expire and whose entries never move. */
const recordsOf = (slug: string, name: string, source: ListSource) =>
  listIn(source, {
    ...ofWholeItems,
    slug,
    levels: [{ ...byMinute(slug, name), item: 'month', cellMs: dayMs }, byMinute(slug, name)],
  });

/** Of deliveries and runs the day is counted in the item of the shop, and the minutes in items that expire with them. */
const expiringOf = (slug: string, name: 'deliveries' | 'runs', id: string, days: number, source: ListSource) =>
  listIn(source, {
    ...ofWholeItems,
    slug,
    levels: [
      ofShop(slug, dayMs, [`${name}#${id.slice(-12)}#`]),
      { ...byMinute(slug, `${name}#${id}`), days: days + lateDays },
    ],
  });

/** What a shipment is in its lists. The drafts of an order have one entry in the index, with the time of the newest. */
export type ShipmentState = 'withNumber' | 'withoutNumber' | 'draft';
/** No letter may be `p` or `s`, because of the names of the keys. */
const letters = {
  created_at: { withNumber: 'c', withoutNumber: 'C', draft: 'd' },
  updated_at: { withNumber: 'u', withoutNumber: 'U', draft: 'd' },
} as const;

export const countedLists = {
  orders: (slug: string) => entriesIn('timeline', partitionOf.orders(slug), slug, 'o'),
  claimsByCreation: (slug: string) => entriesIn('timeline', partitionOf.claimsByCreation(slug), slug, 'k'),
  claimsByUpdate: (slug: string) => entriesIn('activity', partitionOf.claimsByUpdate(slug), slug, 'K'),
  /** Two indexes have them, so who reads them counts them itself. */
  shipments: (
    slug: string,
    field: keyof typeof letters,
    states: readonly ShipmentState[],
    count: CountedList['count'] = async () => undefined,
  ): CountedList => {
    const names = states.map((state) => letters[field][state]);
    return { ...ofEntries, slug, levels: byHalfHour(slug, ...names), count };
  },
  deliveries: (slug: string, target: string) => {
    const partitions = shardsOf('deliveries').map((shard) => deliveriesOf(slug, target, shard));
    return expiringOf(slug, 'deliveries', target, deliveryLimits.days, { partitions, prefix: deliveryPrefix });
  },
  automationRuns: (slug: string, automationId: string) => {
    const days = automationLimits.runDays + automationLimits.delayDays;
    const source = { partitions: [automationRunsOf(slug, automationId)], prefix: automationRunPrefix };
    return expiringOf(slug, 'runs', automationId, days, source);
  },
  records: (slug: string, kind: CountedRecords) =>
    recordsOf(slug, kind, { partitions: [recordsIn(kind, slug)], prefix: recordPrefix }),
  simulations: (slug: string) =>
    recordsOf(slug, 'simulations', { partitions: [simulationsOf(slug)], prefix: simulationPrefix }),
  shops: () => recordsOf('', 'shops', { IndexName: 'lists', partitions: [partitionOf.shops()] }),
  dealsOfAllShops: () => recordsOf('', 'deals', { IndexName: 'lists', partitions: [partitionOf.deals()] }),
};

/** The kinds of records of which a shop may have any number. */
export const countedRecords = [
  'discounts',
  'announcements',
  'campaigns',
  'abTests',
] as const satisfies RecordKindName[];
export type CountedRecords = (typeof countedRecords)[number];
