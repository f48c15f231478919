import { countedLists } from '#platform/table/counted-lists.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type CountedRange, justAfter, positionsOf, totalAbove } from '#platform/table/list-counters.ts';
import { isFar, type Page, type PageStart } from '#platform/table/paging.ts';
import { batchGet } from '#platform/table/reads.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import type { ShipmentFilters } from '#schemas/families/shipments.ts';
import {
  countRange,
  type IndexRange,
  newestFirst,
  placeOf,
  type Range,
  readNewest,
  readPageFrom,
  type Start,
  type Summary,
  type TimeField,
  tooMany,
  tooManyBetween,
} from './shipment-index.ts';

/** A page of a search, and how many shipments match in all. */
export interface FoundPage extends Page<Summary, Position> {
  total: number;
}

/** The place of the last shipment of a page. */
export interface Position {
  after: string;
}

/** So many are read at once. Most searches have no more, and need not be counted. */
const readAtOnce = 300;

export const timeField = ({ sort }: ShipmentFilters) => sort.replace('-', '') as TimeField;
const isForward = ({ sort }: ShipmentFilters) => !sort.startsWith('-');

/**
 * The search as a part of one list in its own order, in which every shipment matches. Undefined if it is none: then the
 * whole range has to be read.
 */
export function partOfList(filters: ShipmentFilters, range: Range): IndexRange | undefined {
  const { updatedFrom, updatedTo, createdFrom, createdTo } = range;
  const withDrafts = filters.include_drafts;
  if (timeField(filters) === 'updated_at') {
    if (createdFrom !== undefined || createdTo !== undefined) return undefined;
    return { withDrafts, field: 'updated_at', from: updatedFrom, to: updatedTo };
  }
  // A shipment never changes before it is created.
  if (createdFrom === undefined || createdFrom < updatedFrom || updatedTo !== undefined) return undefined;
  return { withDrafts, field: 'created_at', from: createdFrom, to: createdTo };
}

interface Search {
  slug: string;
  filters: ShipmentFilters;
  start: PageStart<Position>;
  now: Date;
}

/** The index says what a list has at this moment, so it is counted there, unless it has very many. */
export async function findInList(search: Search, whole: IndexRange): Promise<FoundPage> {
  const { slug, filters } = search;
  const { summaries, goesOn, partitions } = await readNewest(slug, whole, readAtOnce);
  if (!goesOn) return pageOf(search, newestFirst(summaries, whole));
  // What is in other partitions a moment later has just changed, and comes when the page is asked for again.
  const part = { ...whole, partitions };
  const long = await findInLongList(search, { ...part, draftsTogether: true });
  if (long) return long;
  const { total, drafts, startAt, stoppedAt } = await countRange(slug, part);
  if (stoppedAt !== undefined) throw tooMany(part.field, stoppedAt);
  const start = startOf(search) ?? startAt(search.start.skip, isForward(filters));
  return { ...(await readFrom(search, part, start, drafts)), total };
}

/** A caller who has read the page before gets the page where that one ended. */
const startOf = ({ start: { after } }: Search): Start | undefined => after && { beyond: after.after, skip: 0 };

/** Of more shipments than one request should count, most are taken from the counters. */
async function findInLongList(search: Search, part: IndexRange): Promise<FoundPage | undefined> {
  const { slug, filters, start, now } = search;
  const [isCounted] = await batchGet([keyOf.countedLists(slug)], { ConsistentRead: false });
  if (!isCounted) return undefined;
  const list = countedLists.shipments(slug, part.field, part.withDrafts, async (from, to) => {
    const between = { ...part, from: timeAt(from), ...(to < Infinity && { to: timeAt(to - 1) }) };
    const { total, stoppedAt } = await countRange(slug, between);
    return stoppedAt === undefined ? total : undefined;
  });
  const range: CountedRange = { isForward: isForward(filters), from: Date.parse(part.from), to: justAfter(part.to) };
  const total = await totalAbove(searchLimits.countedShipments, list, range, now);
  if (total === undefined) return undefined;
  if ('tooManyIn' in total) {
    const { start: from, end: to } = total.tooManyIn;
    throw tooManyBetween(part.field, range.from! > from ? 'from' : 'to', [timeAt(from), timeAt(to)]);
  }
  const positions = positionsOf(list, range);
  const place = !start.after && isFar(positions, start.skip) ? await positions.find(start.skip, now) : undefined;
  const from = startOf(search) ?? (place ? { beyond: place.bound, skip: place.skip } : start);
  // The counters may lack what has just come. With one more, a page knows whether another follows.
  const found = await readPageFrom(slug, part, {
    start: from,
    size: filters.per_page + 1,
    isForward: isForward(filters),
  });
  const entries = found.slice(0, filters.per_page);
  const seen = (filters.page - 1) * filters.per_page + found.length;
  return { entries, next: nextOf(entries, filters), total: Math.max(total.entries, found.length > 0 ? seen : 0) };
}

const timeAt = (ms: number) => new Date(ms).toISOString();

async function readFrom(
  { slug, filters }: Search,
  part: IndexRange,
  start: Start,
  drafts: readonly Summary[],
): Promise<Page<Summary, Position>> {
  const size = filters.per_page;
  const entries = await readPageFrom(slug, part, { start, size, isForward: isForward(filters) }, drafts);
  return { entries, next: nextOf(entries, filters) };
}

/** @param found newest first */
export function pageOf({ filters, start }: Pick<Search, 'filters' | 'start'>, found: readonly Summary[]): FoundPage {
  const [field, after] = [timeField(filters), start.after?.after];
  const isAfter = (place: string) => (isForward(filters) ? place > after! : place < after!);
  const inOrder = isForward(filters) ? found.toReversed() : found;
  const rest =
    after === undefined ? inOrder.slice(start.skip) : inOrder.filter((summary) => isAfter(placeOf(summary, { field })));
  const entries = rest.slice(0, filters.per_page);
  return { entries, next: nextOf(entries, filters), total: found.length };
}

/** Also after the last page, because the list may go on when somebody asks for the next. */
const nextOf = (entries: readonly Summary[], filters: ShipmentFilters): Position | undefined =>
  entries.length < filters.per_page ? undefined : { after: placeOf(entries.at(-1)!, { field: timeField(filters) }) };
