import { orderIdOf } from '#domain/orders/model.ts';
import { endOfTime, isDraftOfOrder, startOfTime, timeKeys } from '#domain/positions/position-keys.ts';
import { type PositionList, positionLists } from '#domain/positions/position-lists.ts';
import { type Counted, countOf, type Entry, type Node } from '#domain/positions/position-node.ts';
import { counted, countsBefore, entriesAt, type Measure } from '#domain/positions/position-reader.ts';
import { viewRoot } from '#domain/positions/position-store.ts';
import { unlessRemoved } from '#domain/positions/positions.ts';
import { timeSortKey } from '#platform/table/keys.ts';
import type { ShipmentFilters } from '#schemas/families/shipments.ts';
import {
  type IndexRange,
  type Range,
  readNewest,
  readOldestTime,
  type Summary,
  type TimeField,
} from './shipment-index.ts';

/** A page of a search, and how many shipments match in all. */
export interface FoundPage {
  page: ListedShipment[];
  total: number;
}

/** Enough to read a shipment. */
export interface ListedShipment extends Pick<Summary, 'uuid' | 'order_id' | 'isDraft'> {
  /** Its time when it was counted, some seconds ago. If it has another one now, it has moved. Absent if it was read. */
  countedAt?: string;
}

/** So many shipments are read from the index, which is always up to date. The positions say what comes after them. */
const readFromIndex = 300;

interface CountedSearch extends IndexRange {
  list: PositionList;
  measure: Measure;
  filters: ShipmentFilters;
}

/**
 * The search as a part of one list in its own order, in which every shipment matches. Undefined if it is none: then the
 * whole range has to be read.
 */
function countedSearch(slug: string, filters: ShipmentFilters, range: Range): CountedSearch | undefined {
  const { updatedFrom, updatedTo, createdFrom, createdTo } = range;
  const common = { filters, measure: { withDrafts: filters.include_drafts } };
  if (timeField(filters) === 'updated_at') {
    if (createdFrom !== undefined || createdTo !== undefined) return undefined;
    return {
      ...common,
      list: positionLists.shipmentsByUpdate(slug),
      field: 'updated_at',
      from: updatedFrom,
      to: updatedTo,
    };
  }
  // A shipment never changes before it is created.
  if (createdFrom === undefined || createdFrom < updatedFrom || updatedTo !== undefined) return undefined;
  return {
    ...common,
    list: positionLists.shipmentsByCreation(slug),
    field: 'created_at',
    from: createdFrom,
    to: createdTo,
  };
}

export const timeField = ({ sort }: ShipmentFilters) => sort.replace('-', '') as TimeField;

/** Undefined if the positions do not tell it. */
export async function findCounted(
  slug: string,
  filters: ShipmentFilters,
  range: Range,
): Promise<FoundPage | undefined> {
  const search = countedSearch(slug, filters, range);
  if (!search) return undefined;
  const isFar = filters.page * filters.per_page > readFromIndex;
  const [newest, early] = await Promise.all([
    readNewest(slug, search, Math.max(readFromIndex, filters.per_page)),
    isFar ? viewRoot(search.list) : undefined,
  ]);
  const head = newest.summaries.filter((one) => isInHead(one, search, newest.last)).sort(newestFirst(search.field));
  if (newest.last === undefined) return pageOf(search, { head, tail: 0, entriesOfTail: async () => [] });
  const [root, oldest] = await Promise.all([early ?? viewRoot(search.list), readOldestTime(slug, search)]);
  return root && unlessRemoved(() => findAfterHead(search, root.node, { head, last: newest.last!, oldest }));
}

/** The drafts of an order have one entry in the index, with the time of the newest. The others stand further back. */
function isInHead(summary: Summary, { field, from, to, filters }: CountedSearch, last: string | undefined): boolean {
  const time = summary[field];
  return (
    (filters.include_drafts || summary.tracking_number !== null) &&
    time >= from &&
    (to === undefined || time <= to) &&
    (last === undefined || timeSortKey(time, summary.uuid) >= last)
  );
}

const newestFirst = (field: TimeField) => (a: Summary, b: Summary) =>
  timeSortKey(a[field], a.uuid) < timeSortKey(b[field], b.uuid) ? 1 : -1;

interface Head {
  head: Summary[];
  /** The sort key of its last entry. */
  last: string;
  /** The time of the oldest entry of the range in the index. */
  oldest: string;
}

/** Undefined if the positions do not reach back to the oldest shipment, because the list is older than they are. */
async function findAfterHead(search: CountedSearch, root: Node, { head, last, oldest }: Head) {
  const { list, measure, from } = search;
  const keys = [timeKeys.toBytes(last), startOfTime(from), endOfTime(oldest)];
  const [beforeHead, beforeRange, upToOldest] = (await countsBefore(list, root, keys)) as [Counted, Counted, Counted];
  if (upToOldest.all === beforeRange.all) return undefined;
  const [firstOfHead, firstOfRange, all] = [beforeHead, beforeRange, countOf(root)].map((one) =>
    counted(one, measure),
  ) as [number, number, number];
  const tail = Math.max(0, firstOfHead - firstOfRange);
  const entriesOfTail = (first: number, count: number) => {
    const [position, end] = isAscending(search)
      ? [firstOfRange + first, 'oldest' as const]
      : [all - firstOfHead + first, 'newest' as const];
    return entriesAt(list, root, { position, count, end, measure });
  };
  return pageOf(search, { head, tail, entriesOfTail });
}

interface Parts {
  /** Newest first. */
  head: Summary[];
  /** How many come after them. */
  tail: number;
  entriesOfTail: (first: number, count: number) => Promise<Entry[]>;
}

/** The head comes first, unless the search has the oldest first. */
async function pageOf(search: CountedSearch, { head, tail, entriesOfTail }: Parts): Promise<FoundPage> {
  const { list } = search;
  const { page, per_page } = search.filters;
  const [first, last] = [(page - 1) * per_page, page * per_page];
  const ascending = isAscending(search);
  const offset = ascending ? 0 : head.length;
  const [from, to] = [clamp(first - offset, tail), clamp(last - offset, tail)];
  const entries = to > from ? await entriesOfTail(from, to - from) : [];
  const ofTail = entries.map((entry) => listedEntry(list, entry));
  const headFrom = ascending ? tail : 0;
  const ofHead = (ascending ? head.toReversed() : head).slice(
    clamp(first - headFrom, head.length),
    clamp(last - headFrom, head.length),
  );
  return { page: ascending ? [...ofTail, ...ofHead] : [...ofHead, ...ofTail], total: head.length + tail };
}

const isAscending = ({ filters }: CountedSearch) => !filters.sort.startsWith('-');
const clamp = (value: number, max: number) => Math.min(Math.max(value, 0), max);

function listedEntry({ form }: PositionList, { key }: Entry): ListedShipment {
  const [countedAt, uuid] = form.toText(key).split('#') as [string, string];
  return { uuid, order_id: orderIdOf(uuid), isDraft: isDraftOfOrder(key), countedAt };
}
