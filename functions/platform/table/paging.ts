import { createHash } from 'node:crypto';
import { PutCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Caller } from '#platform/access/caller.ts';
import { invalidValue } from '#platform/errors.ts';
import { readerHeader } from '#schemas/catalogues/headers.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import { table, tableName } from './client.ts';
import { keyOf } from './keys.ts';
import { batchGet, type Key } from './reads.ts';

export interface PageRequest {
  caller: Caller;
  /** With names in lower case. */
  headers: Record<string, string | undefined>;
  query: { page: number; per_page: number };
  now: Date;
}

export interface PageStart<Position> {
  /** The page begins after this entry. Undefined if the page must be found by counting from the start of the list. */
  after: Position | undefined;
  /** Entries before this sort key, or after it in a list with the newest first, need not be read. */
  bound?: string | undefined;
  /** How many entries to skip, from the bound on. */
  skip: number;
}

/** Finds a far page of a list without reading what is before it. */
export interface Positions {
  /** An item that exists if pages can be found. It is read together with the stored start of the page. */
  key: Key;
  /** Pages that begin before are counted in the list itself. */
  from: number;
  /** Undefined if it is not known. */
  find: (position: number, now: Date) => Promise<ReadStart | undefined>;
}

export const isFar = ({ from }: Positions, position: number) => position >= from;

export type ReadStart = Pick<PageStart<never>, 'bound' | 'skip'>;

export interface Page<T, Position> {
  entries: T[];
  /** The start of the next page. Undefined at the end of the list. */
  next: Position | undefined;
}

/**
 * The requested page of a list. `name` and the filters identify the list. A caller that reads page after page gets each
 * page where the previous one ended: no entry is skipped or repeated while new entries arrive, and a late page costs
 * the same as the first. If the start of a page is not known, `positions` says where it is. Without them, or near the
 * start of the list, `find` must count.
 */
export async function readPageWith<T, Position extends object>(
  request: PageRequest,
  name: string,
  find: (start: PageStart<Position>) => Promise<Page<T, Position>>,
  positions?: Positions,
): Promise<T[]> {
  const { caller, query, now } = request;
  const { page, per_page } = query;
  const list = listName(name, { ...query, reader: readerOf(request) });
  const place = { tokenId: caller.tokenId, list, page, skip: (page - 1) * per_page };
  const { entries, next } = await find(await startOfPage<Position>(place, now, positions));
  if (next) await storeStartOfPage({ ...place, page: page + 1 }, next, now);
  return entries;
}

/** Like `readPageWith`, for a list with a ListReader. */
export function readPage<T>(
  request: PageRequest,
  name: string,
  read: ListReader<T>,
  positions?: Positions,
): Promise<T[]> {
  const find = async ({ after: start, bound, skip }: PageStart<{ after: string }>) => {
    const size = request.query.per_page;
    const { entries, next } = await readFullPage(read, { after: start?.after, bound, skip, size });
    return { entries, next: next === undefined ? undefined : { after: next } };
  };
  return readPageWith(request, name, find, positions);
}

/**
 * A part of a list. A caller takes a short page for the end of the list, so this throws if the page is not full where
 * reading has to stop.
 */
export async function readFullPage<T>(read: ListReader<T>, range: ListRange): Promise<ListPart<T>> {
  const { entries, toSkip, next } = await readList(read, range);
  if (next !== undefined && toSkip > 0) throw tooFarBack();
  if (next !== undefined && entries.length < range.size)
    throw entries.length > 0 ? perPageTooLarge(entries.length) : nothingFound();
  return { entries, next };
}

/** The requested page of a list that was read whole. */
export const pageOf = <T>(found: readonly T[], { page, per_page }: PageRequest['query']): T[] =>
  found.slice((page - 1) * per_page, page * per_page);

export const tooFarBack = () =>
  invalidValue(
    ['query', 'page'],
    'is too far from the start of the list; read the pages before it first, or use more filters',
  );

/** @param found how many entries were found before reading had to stop */
export const perPageTooLarge = (found: number) =>
  invalidValue(
    ['query', 'per_page'],
    `must not be more than ${found} here, because one request cannot read enough of the list to find more`,
  );

const nothingFound = () =>
  invalidValue(
    ['query'],
    'matches nothing in the part of the list that one request can read; use a narrower time range, or read the list without filters',
  );

export interface ListPart<T> {
  entries: T[];
  /** How many entries before them the reader passed over, because they are to be skipped anyway. */
  skipped?: number;
  /** Where to continue. Undefined at the end of the list. */
  next?: string | undefined;
}

/** Reads at most `limit` entries of a list, from its start, from the bound on or after the position `after`. */
export type ListReader<T> = (limit: number, after: string | undefined, place?: ReadStart) => Promise<ListPart<T>>;

export interface ListRange {
  after?: string | undefined;
  /** See PageStart. */
  bound?: string | undefined;
  /** How many entries to skip. */
  skip?: number;
  /** The maximum number of entries to return. */
  size: number;
}

export interface ListResult<T> extends ListPart<T> {
  /** How many entries are left to skip, if reading had to stop before. */
  toSkip: number;
}

const maxEntriesOfPart = 1000;

/** Reads a list in parts until it has enough entries, reaches the end, or has read as much as one request may. */
export async function readList<T>(
  read: ListReader<T>,
  { after, bound, skip = 0, size }: ListRange,
): Promise<ListResult<T>> {
  const entries: T[] = [];
  let toSkip = skip;
  let next = after;
  for (let reads = 0; reads < searchLimits.reads; reads++) {
    const limit = Math.min(toSkip + size - entries.length, maxEntriesOfPart);
    const part = await read(limit, next, { bound, skip: toSkip });
    const left = toSkip - (part.skipped ?? 0);
    entries.push(...part.entries.slice(left));
    toSkip = Math.max(0, left - part.entries.length);
    next = part.next;
    if (next === undefined || entries.length === size) break;
  }
  return { entries, toSkip, next };
}

type Item = Record<string, unknown>;

interface ListQuery<T> {
  query: Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey' | 'Limit'>;
  /** The maximum number of entries to return. */
  limit: number;
  start: Key | undefined;
  /** The entry of an item, or undefined if a filter drops it. */
  toEntry: (item: Item) => T | undefined;
  /** Whether `toEntry` or the query drops items. Then there is no limit, because it would count dropped items too. */
  filtered: boolean;
  /** The position of an item in the list. The default is its sort key. */
  placeOf?: (item: Item) => string;
}

/**
 * The next entries of a query, from one request. DynamoDB ends a request after 1 MB, so they can be fewer than `limit`
 * although the list goes on. `next` is the position of the last item that was read.
 */
export async function queryListPart<T>(list: ListQuery<T>): Promise<ListPart<T>> {
  const { query, limit, start, toEntry, filtered, placeOf = sortKeyOf } = list;
  const { Items = [], LastEvaluatedKey: last } = await table.send(
    new QueryCommand({
      ...query,
      TableName: tableName(),
      Limit: filtered ? undefined : limit + 1,
      ExclusiveStartKey: start as Item | undefined,
    }),
  );
  const found = Items.flatMap((item) => {
    const entry = toEntry(item);
    return entry === undefined ? [] : [{ entry, place: placeOf(item) }];
  });
  const entries = found.slice(0, limit).map(({ entry }) => entry);
  if (found.length > limit) return { entries, next: found[limit - 1]!.place };
  return { entries, ...(last && { next: placeOf(last) }) };
}

const sortKeyOf = (item: Item) => (item as unknown as Key).sk;

/** How long the start of a page is stored. It is stored for each API key, reader and list. */
const ttlSeconds = 15 * 60;

interface PagePlace {
  tokenId: string;
  /** The name and the filters of the list, and its reader. */
  list: string;
  page: number;
}

async function startOfPage<Position>(
  { tokenId, list, page, skip }: PagePlace & { skip: number },
  now: Date,
  positions: Positions | undefined,
): Promise<PageStart<Position>> {
  if (page === 1) return { after: undefined, skip };
  const far = positions && isFar(positions, skip) ? positions : undefined;
  const [stored, isCounted] = await batchGet([keyOf.page(tokenId, list, page), ...(far ? [far.key] : [])]);
  const { position, expires_at } = (stored ?? {}) as { position?: Position; expires_at?: number };
  if (expires_at !== undefined && expires_at * 1000 > now.getTime()) return { after: position, skip: 0 };
  const place = far && isCounted ? await far.find(skip, now) : undefined;
  return { after: undefined, skip, ...place };
}

async function storeStartOfPage(place: PagePlace, position: object, now: Date): Promise<void> {
  const expires_at = Math.floor(now.getTime() / 1000) + ttlSeconds;
  const Item = { ...keyOf.page(place.tokenId, place.list, place.page), position, expires_at };
  await table.send(new PutCommand({ TableName: tableName(), Item }));
}

/**
 * Two programs may read with one key. A page begins where the page before it ended for the same program, and a request says
 * nothing else by which they could be told apart.
 */
const readerOf = ({ caller, headers }: PageRequest): string =>
  headers[readerHeader] ?? caller.session?.hash ?? headers['user-agent'] ?? '';

/** The name does not depend on the order of the filters. */
function listName(name: string, filters: Record<string, unknown>): string {
  const { page: _page, ...rest } = filters;
  const text = JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${name}#${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
}
