import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { automationLimits, deliveryLimits, searchLimits } from '#schemas/catalogues/limits.ts';
import type { IndexName, RecordKindName } from '#schemas/catalogues/table.ts';
import { table, tableName } from './client.ts';
import {
  automationRunPrefix,
  automationRunsOf,
  deliveriesOf,
  deliveryPrefix,
  listCountersOf,
  partitionOf,
  partitionsByUpdate,
  recordPrefix,
  recordsIn,
  simulationPrefix,
  simulationsOf,
} from './keys.ts';
import { type CountedList, firstKey, type Level, lastKey } from './list-counters.ts';
import { itemsIn } from './reads.ts';
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
/** Where the list has whole items, few may be passed over. */
const byMinute = (slug: string, list: string): Level => ({
  pk: listCountersOf(slug, list),
  item: 'hour',
  cellMs: minuteMs,
  names: ['n'],
});

/** The cheaper an entry is to read, the more of them are counted in the list itself. */
const ofEntries = { keys: 'times', from: 300, maxChecked: 2000, recentMs: 5 * minuteMs } as const;
const ofWholeItems = { keys: 'ids', from: 50, maxChecked: 300, recentMs: 1.5 * minuteMs } as const;

/** A list whose entries lie in an index, or in partitions of the table. */
export interface ListInTable extends CountedList {
  source: {
    index?: IndexName;
    partitions: readonly string[];
    /** What the sort keys begin with, before the key of the list. */
    prefix?: string;
  };
}
type ListSource = ListInTable['source'];

const listIn = (source: ListSource, list: Omit<CountedList, 'count'>): ListInTable => ({
  ...list,
  source,
  count: async (from, to) => {
    const range = {
      from: from === -Infinity ? '' : firstKey(list, from),
      to: to === Infinity ? '~' : lastKey(list, to),
    };
    const counts = await Promise.all(source.partitions.map((partition) => countIn(source, partition, range)));
    return counts.some((count) => count === undefined) ? undefined : counts.reduce((sum, count) => sum! + count!, 0);
  },
});

/** Undefined if there are more than one request may read. */
async function countIn(
  { index, prefix = '' }: ListSource,
  partition: string,
  { from, to }: Record<'from' | 'to', string>,
) {
  if (from > to) return 0; // DynamoDB refuses a range that ends before it begins
  const range = { from: prefix + from, to: prefix + to, ...(index && { index }) };
  const query = { ...itemsIn(partition, range), TableName: tableName(), Select: 'COUNT' as const };
  let [count, reads] = [0, 0];
  for await (const { Count = 0, LastEvaluatedKey } of paginateQuery({ client: table }, query)) {
    count += Count;
    reads += 1;
    if (LastEvaluatedKey && reads === searchLimits.reads) return undefined;
  }
  return count;
}

const entriesIn = (
  index: 'timeline' | 'activity',
  partition: string | readonly string[],
  slug: string,
  ...letters: string[]
) =>
  listIn(
    { index, partitions: [partition].flat() },
    { ...ofEntries, slug, levels: [ofShop(slug, 30 * minuteMs, letters)] },
  );

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

/** What a shipment is in its lists. No letter may be `p` or `s`, because of the names of the keys. */
const letters = {
  created_at: { withNumber: 'c', withoutNumber: 'C' },
  updated_at: { withNumber: 'u', withoutNumber: 'U' },
} as const;
const draftLetter = 'd';
export type ShipmentState = 'withNumber' | 'withoutNumber';

const parcelsBy = (field: keyof typeof letters, slug: string, ...names: string[]) =>
  field === 'created_at'
    ? entriesIn('timeline', partitionOf.shipmentsByCreation(slug), slug, ...names)
    : entriesIn('activity', partitionsByUpdate(slug), slug, ...names);

export const countedLists = {
  orders: (slug: string) => entriesIn('timeline', partitionOf.orders(slug), slug, 'o'),
  claimsByCreation: (slug: string) => entriesIn('timeline', partitionOf.claimsByCreation(slug), slug, 'k'),
  claimsByUpdate: (slug: string) => entriesIn('activity', partitionOf.claimsByUpdate(slug), slug, 'K'),
  parcels: (slug: string, field: keyof typeof letters, state: ShipmentState) =>
    parcelsBy(field, slug, letters[field][state]),
  /** The drafts of an order have one entry in the index, with the time of the newest. */
  drafts: (slug: string) => entriesIn('activity', partitionOf.drafts(slug), slug, draftLetter),
  /** Parcels and drafts together. Two indexes have them, so who reads them counts them. */
  shipments: (
    slug: string,
    field: keyof typeof letters,
    withDrafts: boolean,
    count: CountedList['count'],
  ): CountedList => {
    const { withNumber, withoutNumber } = letters[field];
    const names = withDrafts ? [withNumber, withoutNumber, draftLetter] : [withNumber];
    return { ...parcelsBy(field, slug, ...names), count };
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
  shops: () => recordsOf('', 'shops', { index: 'lists', partitions: [partitionOf.shops()] }),
  dealsOfAllShops: () => recordsOf('', 'deals', { index: 'lists', partitions: [partitionOf.deals()] }),
};

/** The kinds of records of which a shop may have any number. */
export const countedRecords = [
  'discounts',
  'announcements',
  'campaigns',
  'abTests',
] as const satisfies RecordKindName[];
export type CountedRecords = (typeof countedRecords)[number];
