import { type IndexDefinition, indexTable, itemsTable, keyNames, type TableDefinition } from '../definitions.ts';
import type { Engine } from '../engine.ts';
import { validation } from '../errors.ts';
import { holds } from '../expressions/evaluate.ts';
import type { Condition } from '../expressions/syntax.ts';
import { indexKeyOf, type KeyBytes, keyOfItem } from '../keys.ts';
import { someAttributes } from '../some-attributes.ts';
import { type AttributeMap, attributeOf, emptyMap, readMap } from '../values.ts';
import type { KeyRange } from './key-conditions.ts';

const MAX_PAGE_BYTES = 1024 * 1024;

/** The table or one of its indexes. */
export interface Source {
  table: TableDefinition;
  index: IndexDefinition | undefined;
}

/** The values of the sort columns of the item after which the page starts. */
export type Position = Buffer[];

export interface PageRequest {
  range?: KeyRange;
  forward: boolean;
  start: Position | undefined;
  limit: number | undefined;
  filter: Condition | undefined;
  /** The attributes that are read, if not all are. Those of the keys are among them. */
  names?: ReadonlySet<string> | undefined;
  /** Then no item is parsed but the last, because a search in a large shop counts tens of thousands. */
  onlyCounts?: boolean;
  accepts?: (hash: Uint8Array) => boolean;
}

export interface Page {
  /** Empty if they are only counted. */
  items: AttributeMap[];
  /** How many of them the filter lets through. */
  matched: number;
  scanned: number;
  bytes: number;
  lastKey: AttributeMap | undefined;
}

const columnsOf = (source: Source) => (source.index ? ['hash', 'range', 'pk', 'sk'] : ['pk', 'sk']);
const rowsOf = ({ table, index }: Source) => (index ? indexTable(table, index) : itemsTable(table));

function selectRows(source: Source, page: PageRequest): { sql: string; values: Buffer[] } {
  const columns = columnsOf(source);
  const tests: string[] = [];
  const values: Buffer[] = [];
  const ordered = page.range ? columns.slice(1) : columns;
  if (page.range) {
    tests.push(`${columns[0]} = ?`);
    values.push(page.range.hash);
    // The start replaces the bound on its side, so SQLite can seek to it, however late the page is.
    const { low, high } = page.range;
    if (low && !(page.start && page.forward)) {
      tests.push(`${columns[1]} ${low.inclusive ? '>=' : '>'} ?`);
      values.push(low.bytes);
    }
    if (high && !(page.start && !page.forward)) {
      tests.push(`${columns[1]} ${high.inclusive ? '<=' : '<'} ?`);
      values.push(high.bytes);
    }
  }
  if (page.start) {
    tests.push(`(${ordered.join(', ')}) ${page.forward ? '>' : '<'} (${ordered.map(() => '?').join(', ')})`);
    values.push(...(page.range ? page.start.slice(1) : page.start));
  }
  const where = tests.length > 0 ? `WHERE ${tests.join(' AND ')}` : '';
  const order = ordered.map((column) => `${column} ${page.forward ? 'ASC' : 'DESC'}`).join(', ');
  return { sql: `SELECT ${columns[0]} AS first, item, size FROM ${rowsOf(source)} ${where} ORDER BY ${order}`, values };
}

export function readPage(engine: Engine, source: Source, request: PageRequest): Page {
  const { sql, values } = selectRows(source, request);
  const { names, filter } = request;
  const page: Page = { items: [], matched: 0, scanned: 0, bytes: 0, lastKey: undefined };
  const parsed = (text: string): AttributeMap => (names ? someAttributes(text, names) : JSON.parse(text));
  const isParsed = filter || !request.onlyCounts;
  let text = '';
  let item: AttributeMap | undefined;
  const lastKey = () => positionKey(source, item ?? parsed(text));
  for (const row of engine.database.prepare(sql).iterate(...values)) {
    if (request.accepts && !request.accepts(row.first as Uint8Array)) continue;
    const size = row.size as number;
    if (page.scanned > 0 && page.bytes + size > MAX_PAGE_BYTES) {
      page.lastKey = lastKey();
      break;
    }
    text = row.item as string;
    if (isParsed) item = parsed(text);
    page.bytes += size;
    page.scanned += 1;
    if (!filter || holds(filter, item!)) {
      page.matched += 1;
      if (!request.onlyCounts) page.items.push(item!);
    }
    if (page.scanned === request.limit) {
      page.lastKey = lastKey();
      break;
    }
  }
  return page;
}

export const positionNames = ({ table, index }: Source) =>
  new Set([...keyNames(table.key), ...(index ? keyNames(index.key) : [])]);

function positionKey(source: Source, item: AttributeMap): AttributeMap {
  const key = emptyMap();
  for (const name of positionNames(source)) key[name] = item[name]!;
  return key;
}

export function readStart(source: Source, input: unknown): { position: Position; place: KeyBytes } | undefined {
  if (input === undefined || input === null) return undefined;
  const key = readMap(input);
  const names = positionNames(source);
  if (Object.keys(key).length !== names.size || ![...names].every((name) => attributeOf(key, name))) {
    throw invalidStart();
  }
  try {
    const own = keyOfItem(source.table, key);
    const place = source.index ? indexKeyOf(source.table, source.index, key)! : own;
    const position = source.index ? [place.hash, place.range, own.hash, own.range] : [own.hash, own.range];
    return { position, place };
  } catch {
    throw invalidStart();
  }
}

const invalidStart = () => validation('The provided starting key is invalid');
