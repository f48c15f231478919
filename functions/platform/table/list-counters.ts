import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { searchLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import { table, tableName } from './client.ts';
import { keyOf, timeIn } from './keys.ts';
import type { Positions, ReadStart } from './paging.ts';
import type { Key } from './reads.ts';

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
  find: async (item, position, now) => {
    const place = await ifCertain(() => findPlace(list, range, position, now));
    return item && place;
  },
});

/** The end of a range that has this time. */
export const justAfter = (time: string | Date | undefined) =>
  time === undefined ? undefined : new Date(time).getTime() + 1;

/** How many entries a part of a complete list has, if the counters say that they are more than these. */
export const totalAbove = (
  few: number,
  list: CountedList,
  { from = -Infinity, to = Infinity }: CountedRange,
  now: Date,
) =>
  ifCertain(async () => {
    const read = readOnce();
    const roughly = await walk(list.levels, read, { from, to, isForward: true }, Infinity);
    if (roughly.passed <= few) return undefined;
    const cut = await findCut(list, read, Math.min(to, now.getTime() - list.recentMs));
    const first = nextCell(list, from);
    if (cut === undefined || first > cut) return undefined;
    const uncounted = await Promise.all([countBefore(list, from), list.count(cut, to)]);
    if (uncounted.includes(undefined)) return undefined;
    const { passed } = await walk(list.levels, read, { from: first, to: cut, isForward: true }, Infinity);
    return passed + uncounted[0]! + uncounted[1]!;
  });

const cellOf = ({ levels }: CountedList) => levels.at(-1)!.cellMs;
const nextCell = (list: CountedList, ms: number) => Math.ceil(ms / cellOf(list)) * cellOf(list);
/** The entries of a cell that is in the range only in part. */
const countBefore = async (list: CountedList, from: number) =>
  from < nextCell(list, from) ? list.count(from, nextCell(list, from)) : 0;

/** An entry left a cell in which it was never counted. */
class WrongCounters extends Error {}

async function ifCertain<T>(find: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof WrongCounters) return undefined;
    throw error;
  }
}

async function findPlace(
  list: CountedList,
  { isForward = false, from = -Infinity, to = Infinity }: CountedRange,
  position: number,
  now: Date,
): Promise<ReadStart | undefined> {
  const read = readOnce();
  const until = Math.min(to, now.getTime() - list.recentMs);
  const cut = await findCut(list, read, until);
  if (cut === undefined) return undefined;
  const first = isForward ? nextCell(list, from) : -Infinity;
  const uncounted = await (isForward ? countBefore(list, from) : list.count(cut, to));
  if (uncounted === undefined || position < uncounted || first > cut) return undefined;
  const counted = { from: first, to: cut, isForward };
  const within = isForward ? counted : newestOf(until);
  const found = await walk(list.levels, read, counted, position - uncounted, within);
  if (!found.cell && isForward) return { bound: firstKey(list, cut), skip: position - uncounted - found.passed };
  // After the end of the list, the last cell: its page is empty.
  const { cell, passed } = found.cell ? found : await walk(list.levels, read, counted, found.passed - 1, within);
  if (!cell) return undefined;
  const bound = isForward ? firstKey(list, cell.start) : lastKey(list, cell.end);
  return { bound, skip: position - uncounted - passed };
}

/** No key of this time or later sorts before it. */
export const firstKey = ({ keys }: Pick<CountedList, 'keys'>, ms: number) =>
  keys === 'times' ? new Date(ms).toISOString() : idTime(ms);
/** No key before this time sorts after it. */
export const lastKey = (list: Pick<CountedList, 'keys'>, ms: number) => `${firstKey(list, ms - 1)}~`;
const idTime = (ms: number) => ms.toString(16).padStart(12, '0').replace(/^.{8}/, '$&-');

const newestOf = (until: number): Walked => ({ from: -Infinity, to: until, isForward: false });
const cutTries = 5;

/**
 * The end of the newest cell of which the counters have all that the list has. If the stream was not counted for some
 * time, that is the last cell before.
 */
async function findCut(list: CountedList, read: Read, until: number): Promise<number | undefined> {
  const within = newestOf(until);
  let to = Math.floor(until / cellOf(list)) * cellOf(list);
  for (let tries = 0; tries < cutTries; tries++) {
    const { cell } = await walk(list.levels, read, { ...within, to }, 0, within);
    if (!cell) return undefined;
    const listed = await list.count(cell.start, cell.end);
    if (listed !== undefined && listed <= cell.count) return cell.end;
    to = cell.start;
  }
  return undefined;
}

interface Cell {
  start: number;
  end: number;
  count: number;
}
interface Walked {
  isForward: boolean;
  from: number;
  to: number;
}

/**
 * Passes over the cells of the range up to the one with the entry at this position.
 * @param within what is read, so that several walks need the same items
 */
async function walk(
  [level, ...finer]: readonly Level[],
  read: Read,
  range: Walked,
  position: number,
  within: Walked = range,
): Promise<{ passed: number; cell?: Cell }> {
  let passed = 0;
  for await (const cell of cellsOf(level!, read, range, within)) {
    const [from, to] = [Math.max(cell.start, range.from), Math.min(cell.end, range.to)];
    const isPart = to - from < cell.end - cell.start;
    if (finer.length > 0 && (isPart || position < passed + cell.count)) {
      const found = await walk(finer, read, { ...range, from, to }, position - passed, {
        ...range,
        from: cell.start,
        to: cell.end,
      });
      passed += found.passed;
      if (found.cell) return { passed, cell: found.cell };
    } else if (position < passed + cell.count) return { passed, cell };
    else passed += cell.count;
  }
  return { passed };
}

async function* cellsOf(
  { cellMs, names, ...level }: Level,
  read: Read,
  range: Walked,
  within: Walked,
): AsyncGenerator<Cell> {
  for await (const item of itemsOf(level, read, within)) {
    const counts = new Map<number, number>();
    for (const [name, count] of Object.entries(item)) {
      const cell = numbers.indexOf(name.at(-1)!);
      if (names.includes(name.slice(0, -1))) counts.set(cell, (counts.get(cell) ?? 0) + Number(count));
    }
    const itemStart = startOf(item.sk.slice(item.sk.indexOf('#') + 1));
    const inOrder = [...counts].sort(([a], [b]) => (range.isForward ? a - b : b - a));
    for (const [number, count] of inOrder) {
      const start = itemStart + number * cellMs;
      if (start + cellMs <= range.from || start >= range.to) continue;
      if (count < 0) throw new WrongCounters();
      yield { start, end: start + cellMs, count };
    }
  }
}

type Item = Key & Record<string, unknown>;
type Read = (query: object) => Promise<{ items: Item[]; last: object | undefined }>;

/** Most pages are near: some items are read at first, then as many as one request can. */
const limits = [40];

async function* itemsOf({ pk, item }: Pick<Level, 'pk' | 'item'>, read: Read, { from, to, isForward }: Walked) {
  const edge = (ms: number, end: string) => keyOf.listCounters(pk, item, Number.isFinite(ms) ? timeOf(item, ms) : end);
  const values = { ':pk': edge(0, '').pk, ':from': edge(from, '').sk, ':to': edge(to - 1, '~').sk };
  let last: object | undefined;
  for (let reads = 0; reads === 0 || (last && reads < searchLimits.reads); reads++) {
    const found = await read({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: values,
      ScanIndexForward: isForward,
      Limit: limits[reads],
      ExclusiveStartKey: last,
    });
    yield* found.items;
    last = found.last;
  }
}

/** The same items are needed more than once to find a page. */
function readOnce(): Read {
  const answers = new Map<string, ReturnType<Read>>();
  return (query) => {
    const name = JSON.stringify(query);
    const answer = answers.get(name) ?? send(query);
    answers.set(name, answer);
    return answer;
  };
}

async function send(query: object) {
  const { Items = [], LastEvaluatedKey: last } = await table.send(
    new QueryCommand(query as ConstructorParameters<typeof QueryCommand>[0]),
  );
  return { items: Items as Item[], last };
}
