import { orderIdOf } from '#domain/orders/model.ts';
import { endOfTime, isDraftOfOrder, startOfTime } from '#domain/positions/position-keys.ts';
import { type PositionList, positionLists } from '#domain/positions/position-lists.ts';
import { type Counted, countOf, type Entry, type Node } from '#domain/positions/position-node.ts';
import { counted, countsBefore, entriesAt, findLeaf } from '#domain/positions/position-reader.ts';
import { viewRoot } from '#domain/positions/position-store.ts';
import { unlessRemoved } from '#domain/positions/positions.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import type { ShipmentFilters } from '#schemas/families/shipments.ts';
import {
  countRange,
  type IndexRange,
  newestFirst,
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

/** So many are read at once. Most searches have no more, and need not be counted. */
const readAtOnce = 300;

interface CountedSearch extends IndexRange {
  slug: string;
  list: PositionList;
  filters: ShipmentFilters;
}

/**
 * The search as a part of one list in its own order, in which every shipment matches. Undefined if it is none: then the
 * whole range has to be read.
 */
function countedSearch(slug: string, filters: ShipmentFilters, range: Range): CountedSearch | undefined {
  const { updatedFrom, updatedTo, createdFrom, createdTo } = range;
  const common = { slug, filters, withDrafts: filters.include_drafts };
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

/**
 * The index says what a list has at this moment, so it is counted there. Only in a very long list those behind the newest
 * are counted by the positions, which lag. Undefined if the search is no part of one list.
 */
export async function findCounted(
  slug: string,
  filters: ShipmentFilters,
  range: Range,
): Promise<FoundPage | undefined> {
  const search = countedSearch(slug, filters, range);
  if (!search) return undefined;
  const { summaries, last } = await readNewest(slug, search, readAtOnce);
  if (last === undefined) {
    const all = newestFirst(summaries, search);
    return pageOf(filters, { total: all.length, read: async (first, count) => all.slice(first, first + count) });
  }
  const tail = await findTail(search);
  return pageOf(filters, await countRange(slug, tail ? { ...search, from: tail.end } : search), tail?.part);
}

/** A part of a list, newest first. */
interface Part {
  total: number;
  read: (first: number, count: number) => Promise<ListedShipment[]>;
}

interface Tail {
  /** The sort key of the oldest shipment that is not in it. */
  end: string;
  part: Part;
}

/** What the positions count. Undefined if the index can count all, or if the list is older than its positions. */
async function findTail(search: CountedSearch): Promise<Tail | undefined> {
  const root = await viewRoot(search.list);
  if (!root || countOf(root.node).all <= searchLimits.countedShipments) return undefined;
  const oldest = await readOldestTime(search.slug, search);
  return unlessRemoved(() => tailOf(search, root.node, oldest));
}

async function tailOf({ list, from, to, withDrafts }: CountedSearch, root: Node, oldest: string) {
  const keys = [startOfTime(from), endOfTime(oldest), ...(to === undefined ? [] : [endOfTime(to)])];
  const all = countOf(root);
  const [before, upToOldest, upToEnd = all] = (await countsBefore(list, root, keys)) as [Counted, Counted, Counted?];
  if (upToOldest.all === before.all || upToEnd.all - before.all <= searchLimits.countedShipments) return undefined;
  const position = all.all - upToEnd.all + searchLimits.countedShipments;
  const end = (await findLeaf(list, root, position, 'newest'))?.low;
  if (!end) return undefined;
  const [upToTail] = (await countsBefore(list, root, [end])) as [Counted];
  const measure = { withDrafts };
  const [isBefore, isIn, inAll] = [before, upToTail, all].map((one) => counted(one, measure)) as [
    number,
    number,
    number,
  ];
  const read: Part['read'] = async (first, count) => {
    const range = { position: inAll - isIn + first, count, end: 'newest' as const, measure };
    return (await entriesAt(list, root, range)).map((entry) => listedEntry(list, entry));
  };
  return { end: list.form.toText(end), part: { total: isIn - isBefore, read } };
}

/** The tail comes after the head, unless the search has the oldest first. */
async function pageOf({ page, per_page, sort }: ShipmentFilters, head: Part, tail?: Part): Promise<FoundPage> {
  const total = head.total + (tail?.total ?? 0);
  const isNewestFirst = sort.startsWith('-');
  const [first, last] = isNewestFirst
    ? [(page - 1) * per_page, page * per_page]
    : [total - page * per_page, total - (page - 1) * per_page];
  const found = [
    ...(await readWithin(head, first, last)),
    ...(await readWithin(tail, first - head.total, last - head.total)),
  ];
  return { page: isNewestFirst ? found : found.reverse(), total };
}

async function readWithin(part: Part | undefined, first: number, last: number): Promise<ListedShipment[]> {
  if (!part) return [];
  const [from, to] = [Math.max(first, 0), Math.min(last, part.total)];
  return to > from ? part.read(from, to - from) : [];
}

function listedEntry({ form }: PositionList, { key }: Entry): ListedShipment {
  const [countedAt, uuid] = form.toText(key).split('#') as [string, string];
  return { uuid, order_id: orderIdOf(uuid), isDraft: isDraftOfOrder(key), countedAt };
}
