import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { loadOnce } from '#platform/batches.ts';
import { searchLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import { table, tableName } from './client.ts';
import { keyOf, timeIn } from './keys.ts';
import type { Positions, ReadStart } from './paging.ts';
import { itemsIn, type Key } from './reads.ts';

/**
 * How many entries of a list have a time in each cell of some minutes, so that a far page is found without reading what is
 * before it. The stream adds to these counters, so they lag: what is recent is counted in the list itself. Times are in
 * milliseconds. A range has its beginning and not its end.
 */
export interface CountedList {
  /** Empty if the list is of all shops. */
  slug: string;
  /** Coarse ones first. Each but the first divides the cells of the one before it. */
  levels: readonly Level[];
  /** What its sort keys begin with: a time, or an id that begins with one. */
  keys: 'times' | 'ids';
  /** Pages that begin before this position are counted in the list itself. */
  from: number;
  /** Entries that came within this time may not be counted. */
  recentMs: number;
  /** If its newest cells have more, the counters are believed without a look at the list. */
  maxChecked: number;
  /** Counts the list itself. Undefined if it has more there than one request may read. */
  count: (from: number, to: number) => Promise<number | undefined>;
}

/** Items with counters. Several lists may have theirs in the same items. */
export interface Level {
  pk: string;
  /** The time that one item is for. */
  item: 'month' | 'day' | 'hour';
  cellMs: number;
  /** With what the names of its counters begin, before the number of the cell. If there are several, their sum counts. */
  names: readonly string[];
  /** Absent if the items stay for ever. */
  days?: number;
}

const lengths = { month: 'yyyy-mm'.length, day: 'yyyy-mm-dd'.length, hour: 'yyyy-mm-ddThh'.length };
/** The numbers of cells, one character each, because the item of a busy day should stay below a kilobyte. */
const numbers = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The counters that an entry with this key counts in, one for each level. */
export function countersAt({ levels, keys }: Pick<CountedList, 'levels' | 'keys'>, key: string) {
  const ms = keys === 'times' ? Date.parse(timeIn(key)) : Number.parseInt(key.replace('-', '').slice(0, 12), 16);
  if (Number.isNaN(ms)) throw new Error('not a key of a list');
  return levels.map(({ pk, item, cellMs, names: [name], days }) => {
    const time = timeOf(item, ms);
    return {
      key: keyOf.listCounters(pk, item, time),
      name: `${name}${numbers[Math.floor((ms - startOf(time)) / cellMs)]}`,
      ...(days !== undefined && { expires_at: Math.floor(ms / 1000) + secondsOfDays(days) }),
    };
  });
}

/** When the cell of a counter begins. @param name of the counter, which ends with the number of its cell */
export const startOfCell = ({ cellMs }: Pick<Level, 'cellMs'>, sk: string, name: string) =>
  startOf(sk.slice(sk.indexOf('#') + 1)) + numbers.indexOf(name.at(-1)!) * cellMs;

const timeOf = (item: Level['item'], ms: number) => new Date(ms).toISOString().slice(0, lengths[item]);
const startOf = (time: string) => Date.parse(time + '0000-01-01T00:00:00.000Z'.slice(time.length));

/** A part of a list. */
export interface CountedRange {
  /** Whether the oldest come first. */
  isForward?: boolean;
  from?: number | undefined;
  to?: number | undefined;
}

/** Where the pages of a list begin. The item says that all entries of the shop's lists are counted. */
export const positionsOf = (list: CountedList, range: CountedRange = {}): Positions => ({
  key: keyOf.countedLists(list.slug),
  from: list.from,
  find: (position, now) => findPlace(list, range, position, now),
});

/** The end of a range that has this time. */
export const justAfter = (time: string | Date | undefined) =>
  time === undefined ? undefined : new Date(time).getTime() + 1;

/** How many entries a part of a complete list has, or a cell that is in it only in part and has too many to count them. */
export type Total = { entries: number } | { tooManyIn: Pick<Cell, 'start' | 'end'> };

/** Undefined if the counters say that they are no more than these, or if the counters cannot be believed. */
export async function totalAbove(
  few: number,
  list: CountedList,
  range: CountedRange,
  now: Date,
): Promise<Total | undefined> {
  const cells = await Array.fromAsync(cellsIn({ ...range, isForward: false }, list));
  if (cells.some(isWrong) || sumOf(cells) <= few) return undefined;
  const counted = await findCounted(list, range, cells, now);
  if (!counted) return undefined;
  const { first, last, older, newer } = counted;
  const [inOlder, inNewer] = await Promise.all([countEdge(list, older, now), countEdge(list, newer, now)]);
  if (inOlder === undefined) return { tooManyIn: older.cell };
  if (inNewer === undefined) return newer.isCounted ? { tooManyIn: newer.cell } : undefined;
  return { entries: inOlder + sumOf(cells.filter(({ start, end }) => start >= first && end <= last)) + inNewer };
}

async function findPlace(
  list: CountedList,
  range: CountedRange,
  position: number,
  now: Date,
): Promise<ReadStart | undefined> {
  const { isForward = false, to } = range;
  const read = readOnce();
  const counted = await findCounted(list, isForward ? range : { to }, cellsIn({ to }, list, read), now);
  if (!counted) return undefined;
  const { first, last } = counted;
  const inEdge = await countEdge(list, isForward ? counted.older : counted.newer, now);
  if (inEdge === undefined || position < inEdge) return undefined;
  let passed = inEdge;
  let place = isForward ? first : last;
  const isCounted = ({ start, end }: Cell) => start >= first && end <= last;
  const isWhole = (cell: Cell) =>
    cell.start >= last || cell.end <= first || (isCounted(cell) && passed + cell.count <= position);
  // The same items as before, which are not read again.
  for await (const cell of cellsIn({ isForward, from: first, to }, list, read, isWhole)) {
    if (!isCounted(cell)) continue;
    if (isWrong(cell)) return undefined;
    if (passed + cell.count > position) break;
    passed += cell.count;
    place = isForward ? cell.end : cell.start;
  }
  if (!Number.isFinite(place)) return { skip: position - passed };
  return { bound: isForward ? firstKey(list, place) : lastKey(list, place), skip: position - passed };
}

/** No key of this time or later sorts before it. */
export const firstKey = ({ keys }: Pick<CountedList, 'keys'>, ms: number) =>
  keys === 'times' ? new Date(ms).toISOString() : idTime(ms);
/** No key before this time sorts after it. */
export const lastKey = (list: Pick<CountedList, 'keys'>, ms: number) => `${firstKey(list, ms - 1)}~`;
const idTime = (ms: number) => ms.toString(16).padStart(12, '0').replace(/^.{8}/, '$&-');

/** The whole cells of a range that are counted, and what is in the range beside them. */
interface Counted {
  first: number;
  last: number;
  older: Edge;
  newer: Edge;
}

/** A part of a range at one of its ends. */
interface Edge {
  from: number;
  to: number;
  /** The cell that it is a part of. */
  cell: Pick<Cell, 'start' | 'end'>;
  /** Whether the cell is counted. */
  isCounted: boolean;
}

/** @param cells newest first */
async function findCounted(
  list: CountedList,
  { from = -Infinity, to = Infinity }: CountedRange,
  cells: Iterable<Cell> | AsyncIterable<Cell>,
  now: Date,
): Promise<Counted | undefined> {
  const { cellMs } = list.levels.at(-1)!;
  const cut = await findCut(list, cells, Math.min(to, now.getTime() - list.recentMs));
  if (cut === undefined) return undefined;
  const first = Math.ceil(from / cellMs) * cellMs;
  const last = Math.min(cut, Math.floor(to / cellMs) * cellMs);
  if (first > last) return undefined;
  return {
    first,
    last,
    older: { from, to: first, cell: { start: first - cellMs, end: first }, isCounted: true },
    newer: { from: last, to, cell: { start: last, end: last + cellMs }, isCounted: cut === Infinity },
  };
}

/** If its cell is counted, and the other part of the cell is shorter, that part is counted and taken from the cell. */
async function countEdge(
  list: CountedList,
  { from, to, cell, isCounted }: Edge,
  now: Date,
): Promise<number | undefined> {
  if (from >= to) return 0;
  const [restFrom, restTo] = to === cell.end ? [cell.start, from] : [to, cell.end];
  const restMs = Math.min(restTo, now.getTime()) - restFrom;
  if (!isCounted || to - from <= restMs) return list.count(from, to);
  const inCell = await Array.fromAsync(cellsIn({ from: cell.start, to: cell.end }, list));
  const inRest = await list.count(restFrom, restTo);
  return inRest === undefined ? undefined : Math.max(0, sumOf(inCell) - inRest);
}

const cutTries = 5;

/**
 * The end of the newest cell of which the counters have all that the list has. If the stream was not counted for some
 * time, that is the last cell before. Undefined if it is not among the newest. If the newest cells have more entries than
 * should be counted in the list, all counters are believed: they lag by some seconds.
 * @param cells newest first
 */
async function findCut(list: CountedList, cells: Iterable<Cell> | AsyncIterable<Cell>, until: number) {
  const { cellMs } = list.levels.at(-1)!;
  let [tries, passed, isRecent] = [0, 0, false];
  for await (const cell of cells) {
    if (cell.count === 0) continue;
    isRecent ||= cell.end > until - cellMs;
    passed += cell.count;
    if (tries === 0 && isRecent && passed > list.maxChecked) return Infinity;
    if (cell.end > until) continue;
    if (isWrong(cell) || tries++ === cutTries) return undefined;
    const listed = await list.count(cell.start, cell.end);
    if (listed !== undefined && listed <= cell.count) return cell.end;
  }
  return undefined;
}

interface Cell {
  start: number;
  end: number;
  count: number;
}
interface CellRange {
  from: number;
  to: number;
  isForward: boolean;
}

const sumOf = (cells: readonly Cell[]) => cells.reduce((sum, { count }) => sum + count, 0);
/** An entry left a cell in which it was never counted. */
const isWrong = ({ count }: Cell) => count < 0;

/** The cells that a range has a part of, in its order. @param isWhole whether a coarse cell need not be divided */
const cellsIn = (
  { from = -Infinity, to = Infinity, isForward = false }: CountedRange,
  { levels }: CountedList,
  read = readOnce(),
  isWhole?: (cell: Cell) => boolean,
) => cellsOf(levels, read, { from, to, isForward }, isWhole);

async function* cellsOf(
  [level, ...finer]: readonly Level[],
  read: Read,
  range: CellRange,
  isWhole: (cell: Cell) => boolean = () => false,
): AsyncGenerator<Cell> {
  const { cellMs, names } = level!;
  for await (const item of itemsOf(level!, read, range)) {
    const counts = new Map<number, number>();
    for (const [name, count] of Object.entries(item)) {
      if (!names.includes(name.slice(0, -1))) continue;
      const start = startOfCell(level!, item.sk, name);
      counts.set(start, (counts.get(start) ?? 0) + Number(count));
    }
    const inOrder = [...counts].sort(([a], [b]) => (range.isForward ? a - b : b - a));
    for (const [start, count] of inOrder) {
      const cell = { start, end: start + cellMs, count };
      if (cell.end <= range.from || cell.start >= range.to) continue;
      if (finer.length === 0 || count <= 0 || isWhole(cell)) yield cell;
      else yield* cellsOf(finer, read, { ...range, from: cell.start, to: cell.end }, isWhole);
    }
  }
}

/** Most pages are near: some items are read at first, then as many as one request can. */
const limits = [40];

async function* itemsOf({ pk, item }: Level, read: Read, { from, to, isForward }: CellRange) {
  const edge = (ms: number, end: string) =>
    keyOf.listCounters(pk, item, Number.isFinite(ms) ? timeOf(item, ms) : end).sk;
  const query = { ...itemsIn(pk, { from: edge(from, ''), to: edge(to - 1, '~') }), ScanIndexForward: isForward };
  let last: Record<string, unknown> | undefined;
  for (let reads = 0; reads === 0 || (last && reads < searchLimits.reads); reads++) {
    const page = await read(JSON.stringify({ ...query, Limit: limits[reads], ExclusiveStartKey: last }));
    yield* (page.Items ?? []) as (Key & Record<string, unknown>)[];
    last = page.LastEvaluatedKey;
  }
}

type Read = ReturnType<typeof readOnce>;

/** The same items are needed more than once to find a page. */
const readOnce = () =>
  loadOnce((query) => table.send(new QueryCommand({ TableName: tableName(), ...JSON.parse(query) })));
