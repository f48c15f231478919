import { addIndexUnits, type Consumption, consumption, writeUnits } from './capacity.ts';
import type { Database } from './database.ts';
import { type IndexDefinition, indexTable, itemsTable, keyNames, type TableDefinition } from './definitions.ts';
import { validation } from './errors.ts';
import { itemSize } from './item-size.ts';
import { type ItemKey, indexKeyOf, type KeyBytes } from './keys.ts';
import { type AttributeMap, attributeOf, emptyMap, equalMaps } from './values.ts';

export interface StoredItem {
  item: AttributeMap;
  size: number;
}

export const MAX_ITEM_BYTES = 400 * 1024;

/**
 * Items and index entries as rows: key bytes that preserve the order, size, expiry, and the item as JSON. The item is
 * the last column, so sums of sizes do not read it.
 */
export class Storage {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  createItems(table: TableDefinition): void {
    const name = itemsTable(table);
    this.#database.exec(`
      CREATE TABLE ${name} (
        pk BLOB NOT NULL, sk BLOB NOT NULL, size INTEGER NOT NULL, expires INTEGER, item TEXT NOT NULL,
        PRIMARY KEY (pk, sk)) WITHOUT ROWID;
      CREATE INDEX ${name}_expires ON ${name} (expires) WHERE expires IS NOT NULL;`);
  }

  createIndex(table: TableDefinition, index: IndexDefinition): void {
    this.#database.exec(`
      CREATE TABLE ${indexTable(table, index)} (
        hash BLOB NOT NULL, range BLOB NOT NULL, pk BLOB NOT NULL, sk BLOB NOT NULL,
        size INTEGER NOT NULL, item TEXT NOT NULL, PRIMARY KEY (hash, range, pk, sk)) WITHOUT ROWID;`);
  }

  dropIndex(table: TableDefinition, index: IndexDefinition): void {
    this.#database.exec(`DROP TABLE ${indexTable(table, index)}`);
  }

  get(table: TableDefinition, key: KeyBytes): StoredItem | undefined {
    const row = this.#database
      .prepare(`SELECT item, size FROM ${itemsTable(table)} WHERE pk = ? AND sk = ?`)
      .get(key.hash, key.range);
    return row && { item: JSON.parse(row.item as string), size: row.size as number };
  }

  /** Replaces the old item, or removes it. Returns the consumed capacity. */
  replace(
    table: TableDefinition,
    key: ItemKey,
    old: StoredItem | undefined,
    next: StoredItem | undefined,
  ): Consumption {
    const size = next?.size ?? 0;
    if (size > MAX_ITEM_BYTES) throw validation('Item size has exceeded the maximum allowed size');
    const consumed = consumption(writeUnits(Math.max(size, old?.size ?? 0)), key.hash);
    if (next) this.#putItem(table, key, next);
    else if (old) this.#deleteItem(table, key);
    for (const index of table.indexes) {
      this.#replaceEntry(table, index, key, old?.item, next?.item, consumed);
    }
    return consumed;
  }

  #putItem(table: TableDefinition, key: KeyBytes, { item, size }: StoredItem): void {
    this.#database
      .prepare(`INSERT OR REPLACE INTO ${itemsTable(table)} (pk, sk, item, size, expires) VALUES (?, ?, ?, ?, ?)`)
      .run(key.hash, key.range, JSON.stringify(item), size, expiryOf(table, item));
  }

  #deleteItem(table: TableDefinition, key: KeyBytes): void {
    this.#database.prepare(`DELETE FROM ${itemsTable(table)} WHERE pk = ? AND sk = ?`).run(key.hash, key.range);
  }

  #replaceEntry(
    table: TableDefinition,
    index: IndexDefinition,
    key: KeyBytes,
    old: AttributeMap | undefined,
    next: AttributeMap | undefined,
    consumed: Consumption,
  ): void {
    const before = old && entryOf(table, index, old);
    const after = next && entryOf(table, index, next);
    if (before && after && samePlace(before.place, after.place)) {
      if (equalMaps(before.item, after.item)) return;
      this.#putEntry(table, index, key, after);
      addIndexUnits(consumed, index.name, writeUnits(Math.max(before.size, after.size)), after.place.hash);
      return;
    }
    if (before) {
      this.#deleteEntry(table, index, key, before.place);
      addIndexUnits(consumed, index.name, writeUnits(before.size), before.place.hash);
    }
    if (after) {
      this.#putEntry(table, index, key, after);
      addIndexUnits(consumed, index.name, writeUnits(after.size), after.place.hash);
    }
  }

  #putEntry(table: TableDefinition, index: IndexDefinition, key: KeyBytes, entry: IndexEntry): void {
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO ${indexTable(table, index)} (hash, range, pk, sk, item, size) VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(entry.place.hash, entry.place.range, key.hash, key.range, JSON.stringify(entry.item), entry.size);
  }

  #deleteEntry(table: TableDefinition, index: IndexDefinition, key: KeyBytes, place: KeyBytes): void {
    this.#database
      .prepare(`DELETE FROM ${indexTable(table, index)} WHERE hash = ? AND range = ? AND pk = ? AND sk = ?`)
      .run(place.hash, place.range, key.hash, key.range);
  }

  /** Fills a new index. An item whose attribute has another type than the index key is left out, as AWS does. */
  backfill(table: TableDefinition, index: IndexDefinition): void {
    for (const row of this.#database.prepare(`SELECT pk, sk, item FROM ${itemsTable(table)}`).iterate()) {
      const entry = entryIfFitting(table, index, JSON.parse(row.item as string));
      const key = { hash: Buffer.from(row.pk as Uint8Array), range: Buffer.from(row.sk as Uint8Array) };
      if (entry) this.#putEntry(table, index, key, entry);
    }
  }

  resetExpiry(table: TableDefinition): void {
    const update = this.#database.prepare(`UPDATE ${itemsTable(table)} SET expires = ? WHERE pk = ? AND sk = ?`);
    const rows = this.#database.prepare(`SELECT pk, sk, item, expires FROM ${itemsTable(table)}`).all();
    for (const row of rows) {
      const expires = expiryOf(table, JSON.parse(row.item as string));
      if (expires !== row.expires) update.run(expires, row.pk as Uint8Array, row.sk as Uint8Array);
    }
  }

  expired(table: TableDefinition, from: number, until: number, limit: number): AttributeMap[] {
    const rows = this.#database
      .prepare(`SELECT item FROM ${itemsTable(table)} WHERE expires > ? AND expires <= ? ORDER BY expires LIMIT ?`)
      .all(from, until, limit);
    return rows.map((row) => JSON.parse(row.item as string));
  }

  totals(name: string): { count: number; bytes: number } {
    const row = this.#database.prepare(`SELECT count(*) AS count, total(size) AS bytes FROM ${name}`).get();
    return { count: Number(row?.count), bytes: Number(row?.bytes) };
  }
}

interface IndexEntry {
  place: KeyBytes;
  item: AttributeMap;
  size: number;
}

function entryOf(table: TableDefinition, index: IndexDefinition, item: AttributeMap): IndexEntry | undefined {
  const place = indexKeyOf(table, index, item);
  if (!place) return undefined;
  const projected = projectOnIndex(table, index, item);
  return { place, item: projected, size: itemSize(projected) };
}

function entryIfFitting(table: TableDefinition, index: IndexDefinition, item: AttributeMap): IndexEntry | undefined {
  try {
    return entryOf(table, index, item);
  } catch {
    return undefined;
  }
}

function projectOnIndex(table: TableDefinition, index: IndexDefinition, item: AttributeMap): AttributeMap {
  if (index.projection === 'ALL') return item;
  const projected = emptyMap();
  for (const name of projectedNames(table, index)) {
    const value = attributeOf(item, name);
    if (value) projected[name] = value;
  }
  return projected;
}

export const projectedNames = (table: TableDefinition, index: IndexDefinition): Set<string> =>
  new Set([...keyNames(table.key), ...keyNames(index.key), ...index.included]);

const samePlace = (one: KeyBytes, two: KeyBytes) => one.hash.equals(two.hash) && one.range.equals(two.range);

function expiryOf(table: TableDefinition, item: AttributeMap): number | null {
  if (table.ttlAttribute === undefined) return null;
  const value = attributeOf(item, table.ttlAttribute);
  if (!value || !('N' in value)) return null;
  const seconds = Math.floor(Number(value.N));
  return Number.isSafeInteger(seconds) ? seconds : null;
}
