import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { shipmentId } from '#domain/orders/model.ts';
import { draftsIn, type ListedDrafts } from '#domain/orders/order-items.ts';
import { findTrackings } from '#domain/orders/tracking-references.ts';
import { invalidValue, type ServiceError } from '#platform/errors.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf, orderIdIn, partitionOf, shipmentPrefix, timeIn, timeSortKey } from '#platform/table/keys.ts';
import { tooFarBack } from '#platform/table/paging.ts';
import { batchGet, itemsIn, queryPages } from '#platform/table/reads.ts';
import { readSpreadList, type ShardPart } from '#platform/table/spread-list.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import { indexes } from '#schemas/catalogues/table.ts';
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
}

interface ShipmentList {
  name: 'timeline' | 'activity';
  partition: string;
}

const parcelsOf = (slug: string, { field }: IndexRange): ShipmentList =>
  field === 'created_at'
    ? { name: 'timeline', partition: partitionOf.shipmentsByCreation(slug) }
    : { name: 'activity', partition: partitionOf.shipmentsByUpdate(slug) };

/** Drafts stand in a list of their own. It has both orders, because a draft does not change until it is a shipment. */
const draftsOf = (slug: string): ShipmentList => ({ name: 'activity', partition: partitionOf.drafts(slug) });

const listsOf = (slug: string, range: IndexRange): ShipmentList[] =>
  range.withDrafts ? [parcelsOf(slug, range), draftsOf(slug)] : [parcelsOf(slug, range)];

function queryOf({ name, partition }: ShipmentList, from: string, to: string, isForward = false) {
  return { ...itemsIn(partition, { index: name, from, to }), ScanIndexForward: isForward };
}

/** The last key of a range. */
const endOf = ({ to }: IndexRange) => `${to ?? '9'}~`;
/** DynamoDB refuses a range that ends before it begins. */
const isEmpty = (range: IndexRange) => range.from > endOf(range);

const placeIn = ({ name }: ShipmentList, entry: object): string =>
  String((entry as Record<string, unknown>)[indexes[name].sort]);

/** The shipments of the newest entries, and the sort key of the last entry, if the range goes on after it. */
export async function readNewest(
  slug: string,
  range: IndexRange,
  limit: number,
): Promise<{ summaries: Summary[]; last: string | undefined }> {
  if (isEmpty(range)) return { summaries: [], last: undefined };
  const lists = listsOf(slug, range);
  const { entries, next } = await readSpreadList<Placed>(
    {
      shards: [...lists.keys()],
      readShard: (shard, items) => readEntries(lists[shard]!, range, items),
      positionOf: ({ place }) => place,
      isBefore: (one, other) => one > other,
      itemsToRead: (missing) => missing,
    },
    { limit, maxRounds: 1 },
  );
  return { summaries: entries.flatMap(({ entry }) => summariesOf(entry, range)), last: next };
}

interface Placed {
  entry: IndexEntry;
  place: string;
}

async function readEntries(list: ShipmentList, range: IndexRange, limit: number): Promise<ShardPart<Placed>> {
  const query = { ...queryOf(list, range.from, endOf(range)), TableName: tableName(), Limit: limit };
  const { Items = [], LastEvaluatedKey: last } = await table.send(new QueryCommand(query));
  const entries = (Items as IndexEntry[]).map((entry) => ({ entry, place: placeIn(list, entry) }));
  return { entries, last: last && placeIn(list, last) };
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
  const { summaries, last } = await readNewest(slug, range, searchLimits.fewShipments);
  if (last !== undefined) return undefined;
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
  skip: number;
}

/**
 * How many shipments a part of a list has, and where those at any position are. The drafts are read, because an order has
 * one entry for all of them; the parcels are counted, and a page begins where the request began that counted up to it.
 */
export async function countRange(slug: string, range: IndexRange) {
  if (isEmpty(range)) return { total: 0, drafts: [], startAt: () => ({ skip: 0 }) };
  const parcels = parcelsOf(slug, range);
  const [requests, read]: [CountedPart[], Summary[]] = [[], []];
  const readings = [countParcels(parcels, range, requests)];
  if (range.withDrafts) readings.push(readEntriesOf(draftsOf(slug), range, read));
  await readBeside(readings, range.field);
  const drafts = newestFirst(read, range);
  const places = drafts.map((draft) => placeOf(draft, range));
  const total = requests.reduce((sum, { count }) => sum + count, drafts.length);
  /** @param position from the oldest if `isForward`, otherwise from the newest */
  const startAt = (position: number, isForward: boolean): Start => {
    let before = 0;
    for (const { start, end, count } of requests) {
      const newer = start && placeIn(parcels, start);
      const isWithin = (place: string) => (!newer || place < newer) && (!end || place >= end);
      const counted = count + places.filter(isWithin).length;
      const skip = position - (isForward ? total - before - counted : before);
      if (skip >= 0 && skip < counted) return { beyond: isForward ? end && textBefore(end) : newer, skip };
      before += counted;
    }
    return { skip: position };
  };
  return { total, drafts, startAt };
}

/** The last text that sorts before this one, among the places of lists. */
const textBefore = (place: string) =>
  `${place.slice(0, -1)}${String.fromCharCode(place.charCodeAt(place.length - 1) - 1)}~`;

/** @param drafts all that are in the range, if they were read */
export async function readPageFrom(
  slug: string,
  range: IndexRange,
  { start: { beyond, skip }, size, isForward }: { start: Start; size: number; isForward: boolean },
  drafts?: readonly Summary[],
): Promise<Summary[]> {
  const part = isForward ? { ...range, from: beyond ?? range.from } : { ...range, to: beyond ?? range.to };
  if (isEmpty(part)) return [];
  const isBeyond = (place: string, other: string) => (isForward ? place > other : place < other);
  const isInPart = (summary: Summary) => beyond === undefined || isBeyond(placeOf(summary, range), beyond);
  const parcels: Summary[] = [];
  let last: string | undefined;
  for await (const { entries, isLast } of parcelPages(slug, part, skip + size, isForward)) {
    parcels.push(...entries.filter(isInPart));
    last = isLast ? undefined : placeOf(entries.at(-1)!, range);
    if (parcels.length >= skip + size) break;
  }
  const { from, to } = last === undefined ? part : isForward ? { ...part, to: last } : { ...part, from: last };
  // The entry of several drafts has the place of one of them.
  const ofDrafts = { ...range, from: timeIn(from), to: to && `${timeIn(to)}#` };
  const others = drafts ?? (range.withDrafts ? await readList(draftsOf(slug), ofDrafts) : []);
  const isRead = (summary: Summary) =>
    isInPart(summary) && (last === undefined || !isBeyond(placeOf(summary, range), last));
  const found = newestFirst([...parcels, ...others.filter(isRead)], range);
  return (isForward ? found.reverse() : found).slice(skip, skip + size);
}

/** What one request counted of a list. */
interface CountedPart {
  /** The entries come after this key. */
  start: Record<string, unknown> | undefined;
  /** The sort key of the last entry. Undefined at the end of the range. */
  end: string | undefined;
  count: number;
}

async function* countParcels(list: ShipmentList, range: IndexRange, found: CountedPart[]): Reading {
  let start: CountedPart['start'];
  do {
    const query = { ...parcelQuery(list, range), Select: 'COUNT' as const, ExclusiveStartKey: start };
    const { Count = 0, LastEvaluatedKey: last } = await table.send(new QueryCommand(query));
    const end = last && placeIn(list, last);
    found.push({ start, end, count: Count });
    yield end ?? (Count > 0 ? range.from : undefined);
    start = last;
  } while (start);
}

/** At most so many requests as one search may make. */
async function* parcelPages(slug: string, range: IndexRange, count: number, isForward: boolean) {
  // If the query leaves some out, one request reads more of them.
  const Limit = range.withDrafts ? count + 1 : Math.max(count + 1, searchLimits.fewShipments);
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  for (let reads = 0; reads < searchLimits.reads; reads++) {
    const query = { ...parcelQuery(parcelsOf(slug, range), range, isForward), Limit, ExclusiveStartKey };
    const { Items = [], LastEvaluatedKey: last } = await table.send(new QueryCommand(query));
    const entries = (Items as IndexEntry[]).flatMap((entry) => summariesOf(entry));
    if (entries.length > 0 || !last) yield { entries, isLast: !last };
    if (!last) return;
    ExclusiveStartKey = last;
  }
  throw tooFarBack();
}

/** A parcel can be without a tracking number. Then it is a draft, although it is in the list of parcels. */
const parcelQuery = (list: ShipmentList, range: IndexRange, isForward = false) => ({
  ...queryOf(list, range.from, endOf(range), isForward),
  TableName: tableName(),
  ...(!range.withDrafts && { FilterExpression: 'attribute_exists(tracking_number)' }),
});

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
  await readBeside(readings, range.field);
  return found;
}

async function readList(list: ShipmentList, range: IndexRange): Promise<Summary[]> {
  const found: Summary[] = [];
  await readBeside([readEntriesOf(list, range, found)], range.field);
  return found;
}

/** Reads a list to its end. Each request yields the sort key of the last entry that it read, if there was one. */
type Reading = AsyncGenerator<string | undefined, void>;

async function* readEntriesOf(list: ShipmentList, range: IndexRange, found: Summary[]): Reading {
  for await (const page of queryPages(queryOf(list, range.from, endOf(range)))) {
    const entries = page as unknown as IndexEntry[];
    found.push(...entries.flatMap((entry) => summariesOf(entry, range)));
    yield entries.length > 0 ? placeIn(list, entries.at(-1)!) : undefined;
  }
}

async function readBeside(lists: readonly Reading[], field: TimeField): Promise<void> {
  let readings = lists.map((reading) => ({ reading, last: '~' }));
  for (let reads = 0; readings.length > 0; ) {
    // All that is newer has been read in the other list, too.
    const behind = readings.reduce((one, other) => (other.last > one.last ? other : one));
    const { value: last, done } = await behind.reading.next();
    if (done) readings = readings.filter((reading) => reading !== behind);
    else if (last !== undefined) {
      if (reads++ === searchLimits.reads) throw tooMany(field, behind.last);
      behind.last = last;
    }
  }
}

/** @param earliest the sort key of the earliest entry that was read */
function tooMany(field: TimeField, earliest: string): ServiceError {
  const name = field === 'created_at' ? 'created' : 'updated';
  const next = new Date(Date.parse(timeIn(earliest)) + 1).toISOString();
  return invalidValue(
    ['query', `${name}_from`],
    `must be ${next} or later, because the range has more shipments than one request can count; search the time before it with ${name}_to`,
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
