import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { shipmentId } from '#domain/orders/model.ts';
import { draftsIn, type ListedDrafts } from '#domain/orders/order-items.ts';
import { findTrackings } from '#domain/orders/tracking-references.ts';
import { invalidValue, type ServiceError } from '#platform/errors.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf, orderIdIn, partitionOf, shipmentPrefix, timeIn, timeSortKey } from '#platform/table/keys.ts';
import { type IndexList, listsByUpdate, placeIn, readMerged, textBefore } from '#platform/table/merged-lists.ts';
import { tooFarBack } from '#platform/table/paging.ts';
import { batchGet, itemsIn } from '#platform/table/reads.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import type { ShipmentFilters } from '#schemas/families/shipments.ts';

/** Times are inclusive; undefined means no bound. */
export interface Range {
  updatedFrom: string;
  updatedTo: string | undefined;
  createdFrom: string | undefined;
  createdTo: string | undefined;
}

/** The fields of a shipment that the index holds: enough to filter, sort and count. */
export interface Summary {
  uuid: string;
  order_id: string;
  tracking_number: string | null;
  created_at: string;
  /** Absent if it was read from the list by creation, which does not follow the changes of shipments. */
  updated_at?: string | undefined;
  /** Whether it is a line of its order. A shipment with its own item can be without a tracking number too. */
  isDraft?: boolean;
}

/** Every shipment of a shop with this tracking number: one for each order that travels in the parcel. */
export async function shipmentsWithNumber(slug: string, number: string): Promise<Summary[]> {
  const references = await findTrackings(slug, number);
  const items = await batchGet(references.map((found) => keyOf.shipment(slug, found.order_id, found.shipment_id)));
  return (items as (IndexEntry | undefined)[]).flatMap((item) => (item ? summariesOf(item) : []));
}

export type TimeField = 'created_at' | 'updated_at';

/** A part of the list of shipments by one of their times, which are inclusive. */
export interface IndexRange {
  field: TimeField;
  /** A time, or the sort key of an entry. */
  from: string;
  to: string | undefined;
  withDrafts: boolean;
  /** Whether the drafts of an order stand together, at the time of the newest, as their entry in the index does. */
  draftsTogether?: boolean;
  /** The partitions of parcels that have entries in it. All if absent. */
  partitions?: readonly string[];
}

/** The parcels of a shop. By creation they are in one partition. */
function parcelsOf(slug: string, { field, partitions }: IndexRange): IndexList[] {
  if (field === 'created_at') return [{ index: 'timeline', partitions: [partitionOf.shipmentsByCreation(slug)] }];
  const lists = listsByUpdate(slug);
  if (!partitions) return lists;
  const known = lists.map((list) => ({
    ...list,
    partitions: list.partitions.filter((one) => partitions.includes(one)),
  }));
  return known.filter((list) => list.partitions.length > 0);
}

/** Drafts stand in a list of their own. It has both orders, because a draft does not change until it is a shipment. */
const draftsOf = (slug: string): IndexList => ({ index: 'activity', partitions: [partitionOf.drafts(slug)] });

const listsOf = (slug: string, range: IndexRange): IndexList[] =>
  range.withDrafts ? [...parcelsOf(slug, range), draftsOf(slug)] : parcelsOf(slug, range);

/** The last key of a range. */
const endOf = ({ to }: IndexRange) => `${to ?? '9'}~`;
/** DynamoDB refuses a range that ends before it begins. */
const isEmpty = (range: IndexRange) => range.from > endOf(range);

/** The shipments of the newest entries, and whether the range goes on after them. */
export async function readNewest(
  slug: string,
  range: IndexRange,
  limit: number,
): Promise<{ summaries: Summary[]; goesOn: boolean; partitions: readonly string[] }> {
  if (isEmpty(range)) return { summaries: [], goesOn: false, partitions: [] };
  const lists = { lists: listsOf(slug, range), from: range.from, to: endOf(range) };
  const { entries, next, partitions } = await readMerged<IndexEntry>(lists, { limit });
  const summaries = entries.flatMap(({ entry }) => summariesOf(entry, range));
  return { summaries: lastOfEach(summaries, range), goesOn: next !== undefined, partitions };
}

/** A parcel that changed while it was read may be found at both places. */
function lastOfEach(summaries: readonly Summary[], range: IndexRange): Summary[] {
  const last = new Map<string, Summary>();
  for (const summary of summaries) {
    const other = last.get(summary.uuid);
    if (!other || placeOf(other, range) < placeOf(summary, range)) last.set(summary.uuid, summary);
  }
  return [...last.values()];
}

/**
 * Every shipment of a shop in the range, for a search that is no part of one list: the range is read to its end,
 * but only its index entries. 1 MB holds about five thousand of them. Throws if there are more than one request may read.
 */
export async function listShipments(slug: string, range: Range, filters: ShipmentFilters): Promise<Summary[]> {
  const { updatedFrom, updatedTo, createdFrom, createdTo } = range;
  const withDrafts = filters.include_drafts;
  // A shipment never changes before it is created.
  const changedFrom = createdFrom !== undefined && createdFrom >= updatedFrom ? createdFrom : updatedFrom;
  const byUpdate: IndexRange = { field: 'updated_at', from: changedFrom, to: updatedTo, withDrafts };
  if (changedFrom !== createdFrom) return readRange(slug, byUpdate);
  const byCreation: IndexRange = { field: 'created_at', from: createdFrom, to: createdTo, withDrafts };
  const needsUpdates = updatedTo !== undefined || filters.sort.endsWith('updated_at');
  if (!needsUpdates) return readRange(slug, byCreation);
  const few = createdTo === undefined ? undefined : await readFew(slug, byCreation);
  return few ?? readRange(slug, byUpdate);
}

/**
 * The shipments of a range of creation with the times of their last changes, which its index does not hold. A range that
 * is long ago has few shipments beside all that changed since. Undefined if it has more than a few.
 */
async function readFew(slug: string, range: IndexRange): Promise<Summary[] | undefined> {
  const { summaries, goesOn } = await readNewest(slug, range, searchLimits.fewShipments);
  if (goesOn) return undefined;
  const parcels = summaries.filter(({ isDraft }) => !isDraft);
  const keys = parcels.map(({ order_id, uuid }) => keyOf.shipment(slug, order_id, uuid));
  const items = await batchGet(keys, { ConsistentRead: false, attributes: ['activity_sk'] });
  const places = items.map((item) => (item as Pick<IndexEntry, 'activity_sk'> | undefined)?.activity_sk);
  const moved = parcels.map((summary, i) => ({ ...summary, updated_at: places[i] && timeIn(places[i]) }));
  return [...summaries.filter(({ isDraft }) => isDraft), ...moved.filter(({ updated_at }) => updated_at)];
}

/** Where a page begins: beyond a place of the list, or at its start, and after so many shipments more. */
export interface Start {
  beyond?: string | undefined;
  /** Where it begins in each partition of parcels, if that is not the place of all. */
  beyondIn?: ReadonlyMap<string, string>;
  skip: number;
}

interface CountedShipments {
  total: number;
  drafts: readonly Summary[];
  /** @param position from the oldest if `isForward`, otherwise from the newest */
  startAt: (position: number, isForward: boolean) => Start;
  /** Where one request had to stop, if it is not the whole part. */
  stoppedAt: string | undefined;
}

/**
 * How many shipments a part of a list has, and where those at any position are. The drafts are read, because an order has
 * one entry for all of them; the parcels are counted, and a page begins where the requests began that counted up to it.
 */
export async function countRange(slug: string, range: IndexRange): Promise<CountedShipments> {
  if (isEmpty(range)) return { total: 0, drafts: [], startAt: () => ({ skip: 0 }), stoppedAt: undefined };
  const counted = new Map<string, CountedPart[]>();
  const read: Summary[] = [];
  const readings = parcelsOf(slug, range).map((list) => countParcels(list, range, counted));
  if (range.withDrafts) readings.push(readEntriesOf(draftsOf(slug), range, read));
  const stoppedAt = await readBeside(readings);
  const drafts = newestFirst(read, range);
  const places = drafts.map((draft) => placeOf(draft, range));
  const total = [...counted.values()].flat().reduce((sum, { count }) => sum + count, drafts.length);
  return {
    total,
    drafts,
    startAt: (position, isForward) => startOf(counted, places, position, isForward),
    stoppedAt,
  };
}

/** What one request counted of a partition. */
interface CountedPart {
  /** The sort key of the entry before it, which is newer. Undefined at the beginning of the range. */
  start: string | undefined;
  /** The sort key of the last entry. Undefined at the end of the range. */
  end: string | undefined;
  count: number;
}

/**
 * In each partition, passes over the parts that end before the position: one does if all that can come before its end is
 * not more than the position. @param drafts the places of the drafts, each of which is known
 */
function startOf(
  counted: ReadonlyMap<string, readonly CountedPart[]>,
  drafts: readonly string[],
  position: number,
  isForward: boolean,
): Start {
  const ways = [...counted].map(([partition, parts]) => ({ partition, parts: isForward ? parts.toReversed() : parts }));
  const borderOf = ([part]: readonly CountedPart[]) => (isForward ? part?.start : part?.end);
  const draftsUpTo = (border: string) =>
    drafts.filter((place) => (isForward ? place < border : place >= border)).length;
  const beyondIn = new Map<string, string>();
  let [passed, beyond]: [number, string | undefined] = [0, undefined];
  for (;;) {
    const borders = ways.flatMap(({ parts }) => borderOf(parts) ?? []).sort();
    const border = isForward ? borders[0] : borders.at(-1);
    if (border === undefined) break;
    const atMost = ways.reduce((sum, { parts: [part] }) => sum + (part?.count ?? 0), passed + draftsUpTo(border));
    if (atMost > position) break;
    const way = ways.find(({ parts }) => borderOf(parts) === border)!;
    passed += way.parts[0]!.count;
    way.parts = way.parts.slice(1);
    // Going forward, the part that follows has the entry at the border.
    beyond = isForward ? textBefore(border) : border;
    beyondIn.set(way.partition, beyond);
  }
  return { beyond, beyondIn, skip: position - passed - (beyond === undefined ? 0 : draftsUpTo(beyond)) };
}

/** @param drafts all that are in the range, if they were read */
export async function readPageFrom(
  slug: string,
  range: IndexRange,
  { start: { beyond, beyondIn, skip }, size, isForward }: { start: Start; size: number; isForward: boolean },
  drafts?: readonly Summary[],
): Promise<Summary[]> {
  if (isEmpty(range)) return [];
  const { entries, next } = await readMerged<IndexEntry>(
    { lists: parcelsOf(slug, range), from: range.from, to: endOf(range), isForward, query: filterOf(range) },
    {
      limit: skip + size,
      // If the query leaves some out, one request reads more of them.
      atLeast: range.withDrafts ? 0 : searchLimits.fewShipments,
      afterIn: (partition) => (beyondIn ? beyondIn.get(partition) : beyond),
    },
  );
  if (next !== undefined && entries.length < skip + size) throw tooFarBack();
  const isBeyond = (place: string, other: string) => (isForward ? place > other : place < other);
  const isRead = (draft: Summary) =>
    (beyond === undefined || isBeyond(placeOf(draft, range), beyond)) &&
    (next === undefined || !isBeyond(placeOf(draft, range), next));
  const others = drafts ?? (range.withDrafts ? await readDrafts(slug, range, { beyond, next, isForward }) : []);
  const parcels = entries.flatMap(({ entry }) => summariesOf(entry));
  const found = newestFirst([...parcels, ...others.filter(isRead)], range);
  return (isForward ? found.reverse() : found).slice(skip, skip + size);
}

interface Between {
  beyond: string | undefined;
  next: string | undefined;
  isForward: boolean;
}

async function readDrafts(slug: string, range: IndexRange, { beyond, next, isForward }: Between): Promise<Summary[]> {
  const [from, to] = isForward ? [beyond, next] : [next, beyond];
  // The entry of several drafts has the place of one of them.
  const until = to === undefined ? range.to : `${timeIn(to)}#`;
  const part = { ...range, from: timeIn(from ?? range.from), to: until };
  const found: Summary[] = [];
  if (!isEmpty(part)) await readAll([readEntriesOf(draftsOf(slug), part, found)], range.field);
  return found;
}

/** A parcel can be without a tracking number. Then it is a draft, although it is in the list of parcels. */
const filterOf = ({ withDrafts }: IndexRange) =>
  withDrafts ? {} : { FilterExpression: 'attribute_exists(tracking_number)' };

/** Those in the range. The drafts of an order have one entry, with the time of the newest; the others stand further back. */
export function newestFirst(summaries: readonly Summary[], range: IndexRange): Summary[] {
  const placed = summaries.map((summary) => ({ summary, place: placeOf(summary, range) }));
  return placed
    .filter(
      ({ summary, place }) =>
        (range.withDrafts || summary.tracking_number !== null) && place >= range.from && place <= endOf(range),
    )
    .sort((a, b) => (a.place < b.place ? 1 : -1))
    .map(({ summary }) => summary);
}

export const placeOf = (summary: Summary, { field }: Pick<IndexRange, 'field'>) =>
  timeSortKey(summary[field]!, summary.uuid);

/** Every shipment in a part of a list. */
async function readRange(slug: string, range: IndexRange): Promise<Summary[]> {
  if (isEmpty(range)) return [];
  const found: Summary[] = [];
  const readings = listsOf(slug, range).map((list) => readEntriesOf(list, range, found));
  await readAll(readings, range.field);
  return lastOfEach(found, range);
}

/** Reads a list to its end. */
type Reading = AsyncGenerator<ReadStep, void>;

interface ReadStep {
  /** The sort key up to which all has been read. Undefined at the end of the list. */
  last: string | undefined;
  /** How many requests of 1 MB it took, as far as they found something. */
  reads: number;
}

/** So many entries are less than a fifth of what one request can read. Then no partition is read much further than others. */
const shardRead = { Limit: 1000, reads: 0.2 };

type QueryPage = Pick<QueryCommandOutput, 'Items' | 'Count' | 'LastEvaluatedKey'>;

/** @param use gets what each request found, and the sort key of the entry before it */
async function* readingOf(
  { index, partitions }: IndexList,
  range: IndexRange,
  more: Partial<QueryCommandInput>,
  use: (page: QueryPage, partition: string, start: string | undefined) => void,
): Reading {
  const { reads, ...limit } = partitions.length > 1 ? shardRead : { reads: 1 };
  let open: { partition: string; start?: Record<string, unknown> }[] = partitions.map((partition) => ({ partition }));
  while (open.length > 0) {
    const pages = await Promise.all(
      open.map(({ partition, start }) =>
        table.send(
          new QueryCommand({
            TableName: tableName(),
            ...itemsIn(partition, { index, from: range.from, to: endOf(range) }),
            ScanIndexForward: false,
            ...limit,
            ...more,
            ExclusiveStartKey: start,
          }),
        ),
      ),
    );
    open.forEach(({ partition, start }, i) => void use(pages[i]!, partition, start && placeIn(index, start)));
    const found = pages.filter(({ Count, LastEvaluatedKey }) => Count || LastEvaluatedKey).length;
    open = open.flatMap(({ partition }, i) => {
      const start = pages[i]!.LastEvaluatedKey;
      return start ? [{ partition, start }] : [];
    });
    yield {
      last: open
        .map(({ start }) => placeIn(index, start!))
        .sort()
        .at(-1),
      reads: found * reads,
    };
  }
}

const readEntriesOf = (list: IndexList, range: IndexRange, found: Summary[]): Reading =>
  readingOf(list, range, {}, ({ Items = [] }) => {
    for (const entry of Items as IndexEntry[]) found.push(...summariesOf(entry, range));
  });

const countParcels = (list: IndexList, range: IndexRange, found: Map<string, CountedPart[]>): Reading =>
  readingOf(
    list,
    range,
    { Select: 'COUNT', ...filterOf(range) },
    ({ Count = 0, LastEvaluatedKey }, partition, start) => {
      const end = LastEvaluatedKey && placeIn(list.index, LastEvaluatedKey);
      found.set(partition, [...(found.get(partition) ?? []), { start, end, count: Count }]);
    },
  );

async function readAll(lists: readonly Reading[], field: TimeField): Promise<void> {
  const stoppedAt = await readBeside(lists);
  if (stoppedAt !== undefined) throw tooMany(field, stoppedAt);
}

/** The sort key of the earliest entry that was read, if there is more than one request may read. */
async function readBeside(lists: readonly Reading[]): Promise<string | undefined> {
  let readings = lists.map((reading) => ({ reading, last: '~' }));
  for (let reads = 0; readings.length > 0; ) {
    // All that is newer has been read in the other lists, too.
    const behind = readings.reduce((one, other) => (other.last > one.last ? other : one));
    const { value: step } = await behind.reading.next();
    reads += step?.reads ?? 0;
    if (reads > searchLimits.reads) return behind.last;
    if (step?.last === undefined) readings = readings.filter((reading) => reading !== behind);
    else behind.last = step.last;
  }
  return undefined;
}

const parameterOf = (field: TimeField) => (field === 'created_at' ? 'created' : 'updated');

/** @param earliest the sort key of the earliest entry that was read */
export function tooMany(field: TimeField, earliest: string): ServiceError {
  const name = parameterOf(field);
  const next = new Date(Date.parse(timeIn(earliest)) + 1).toISOString();
  return invalidValue(
    ['query', `${name}_from`],
    `must be ${next} or later, because the range has more shipments than one request can count; search the time before it with ${name}_to`,
  );
}

/** @param bound which of the two times of the range is between these */
export function tooManyBetween(field: TimeField, bound: 'from' | 'to', times: readonly string[]): ServiceError {
  return invalidValue(
    ['query', `${parameterOf(field)}_${bound}`],
    `must be ${times.join(' or ')}, because between them are more shipments than one request can count`,
  );
}

interface IndexEntry extends Partial<ListedDrafts> {
  pk: string;
  sk: string;
  tracking_number?: string;
  timeline_sk?: string;
}

/** An entry is a shipment, or an order with all its drafts. */
function summariesOf(entry: IndexEntry, range?: IndexRange): Summary[] {
  const { pk, sk, tracking_number, timeline_sk, activity_sk } = entry;
  const order_id = orderIdIn(pk);
  if (entry.drafts === undefined) {
    const uuid = sk.slice(shipmentPrefix.length);
    const created_at = timeIn(timeline_sk!);
    const updated_at = activity_sk && timeIn(activity_sk);
    return [{ uuid, order_id, tracking_number: tracking_number ?? null, created_at, updated_at }];
  }
  return draftsIn(entry).map(({ slot, created_at }) => {
    const at = range?.draftsTogether ? timeIn(activity_sk!) : created_at;
    const uuid = shipmentId(order_id, slot);
    return { uuid, order_id, tracking_number: null, created_at: at, updated_at: at, isDraft: true };
  });
}
