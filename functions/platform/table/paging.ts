import { createHash } from 'node:crypto';
import { PutCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Caller } from '#platform/access/caller.ts';
import { invalid } from '#platform/http/errors.ts';
import { table, tableName } from './client.ts';
import { keyOf } from './keys.ts';
import { batchGet, type Key } from './reads.ts';

interface PageRequest {
  caller: Caller;
  query: { page: number; per_page: number };
  now: Date;
}

/** The page of a list that a request asks for. `name` and the filters tell the list from others. */
export async function pageOf<T>({ caller, query, now }: PageRequest, name: string, read: ReadPart<T>): Promise<T[]> {
  const { page, per_page: size } = query;
  const place = { tokenId: caller.tokenId, list: listName(name, query), page };
  const after = (await startOfPage(place, now))?.after as string | undefined;
  const skip = after === undefined ? (page - 1) * size : 0;
  const { found, toSkip, next } = await walk(read, { after, skip, size });
  if (next !== undefined && toSkip > 0) throw tooFarBack();
  if (next !== undefined) await keepStartOfPage({ ...place, page: page + 1 }, { after: next }, now);
  return found;
}

const tooFarBack = () =>
  invalid({
    loc: ['query', 'page'],
    msg: 'is too far from the start of the list; read the pages before it first, or use more filters',
    type: 'value_error',
  });

export interface Part<T> {
  entries: T[];
  /** Where to go on; undefined at the end of the list. */
  next?: string | undefined;
}

/** Reads at most `limit` entries of a list, from its beginning or behind the place `after`. */
export type ReadPart<T> = (limit: number, after: string | undefined) => Promise<Part<T>>;

export interface Walk {
  after?: string | undefined;
  /** How many to pass over. */
  skip?: number;
  /** How many to find. */
  size: number;
}

export interface Walked<T> {
  found: T[];
  /** How many are still to be passed over, where the walk had to stop before. */
  toSkip: number;
  /** Where to go on; undefined at the end of the list. */
  next: string | undefined;
}

const maxAtOnce = 1000;
/** So that a request ends in time, however long the list is. */
const maxSteps = 10;

/** Walks a list until there are enough, at its end, or after a bounded way. */
export async function walk<T>(read: ReadPart<T>, { after, skip = 0, size }: Walk): Promise<Walked<T>> {
  const found: T[] = [];
  let toSkip = skip;
  let next = after;
  for (let step = 0; step < maxSteps; step++) {
    const limit = Math.min(toSkip + size - found.length, maxAtOnce);
    const part = await read(limit, next);
    found.push(...part.entries.slice(toSkip));
    toSkip = Math.max(0, toSkip - part.entries.length);
    next = part.next;
    if (next === undefined || found.length === size) break;
  }
  return { found, toSkip, next };
}

type Item = Record<string, unknown>;

interface Reading<T> {
  query: Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey' | 'Limit'>;
  /** How many to find. */
  limit: number;
  start: Key | undefined;
  /** The entry of an item; undefined where a filter drops it. */
  toEntry: (item: Item) => T | undefined;
  /** Whether some items are dropped, by `toEntry` or in the query: a limit would count those, too. */
  filtered: boolean;
  /** What tells where an item stands in the list: its sort key, if nothing else is said. */
  placeOf?: (item: Item) => string;
}

/** Pages of the table that one call reads at most, 1 MB each: who filters for few among many goes on from `next`. */
const maxRequests = 10;

/** The next entries of a query; `next` is the place of the last item that was looked at. */
export async function queryPart<T>(reading: Reading<T>): Promise<Part<T>> {
  const { query, limit, start, toEntry, filtered, placeOf = sortKeyOf } = reading;
  const entries: T[] = [];
  const places: string[] = [];
  let from = start as Item | undefined;
  for (let request = 0; request < maxRequests; request++) {
    const Limit = filtered ? undefined : limit + 1 - entries.length;
    const page = await table.send(
      new QueryCommand({ ...query, TableName: tableName(), Limit, ExclusiveStartKey: from }),
    );
    for (const item of page.Items ?? []) {
      const entry = toEntry(item);
      if (entry === undefined) continue;
      entries.push(entry);
      places.push(placeOf(item));
    }
    if (entries.length > limit) return { entries: entries.slice(0, limit), next: places[limit - 1]! };
    from = page.LastEvaluatedKey;
    if (!from) return { entries };
  }
  return { entries, next: placeOf(from!) };
}

const sortKeyOf = (item: Item) => (item as unknown as Key).sk;

/**
 * Where a page of a list begins. Who reads page after page gets each where the one before ended: nothing is skipped or
 * repeated while new entries come in, and a page far back costs what the first one costs. Kept for each API key and
 * list for a quarter of an hour; without it a page is found by counting from the beginning.
 */
const ttlSeconds = 15 * 60;

export type Position = Record<string, unknown>;

interface PagePlace {
  tokenId: string;
  /** What distinguishes one list from another: its name and its filters. */
  list: string;
  page: number;
}

export async function startOfPage({ tokenId, list, page }: PagePlace, now: Date): Promise<Position | undefined> {
  if (page === 1) return undefined;
  const [kept] = await batchGet([keyOf.page(tokenId, list, page)]);
  const { position, expires_at } = (kept ?? {}) as { position?: Position; expires_at?: number };
  return expires_at !== undefined && expires_at * 1000 > now.getTime() ? position : undefined;
}

export async function keepStartOfPage(place: PagePlace, position: Position, now: Date): Promise<void> {
  const expires_at = Math.floor(now.getTime() / 1000) + ttlSeconds;
  const Item = { ...keyOf.page(place.tokenId, place.list, place.page), position, expires_at };
  await table.send(new PutCommand({ TableName: tableName(), Item }));
}

/** The same filters name the same list, in whatever order they are given. */
export function listName(name: string, filters: Record<string, unknown>): string {
  const { page: _page, ...rest } = filters;
  const text = JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${name}#${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
}
