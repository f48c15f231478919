import type { Database } from './database.ts';
import { indexTable, itemsTable, type StreamDefinition, type TableDefinition } from './definitions.ts';
import { resourceNotFound } from './errors.ts';
import { assertTableName } from './request.ts';

/** The definitions of tables and streams. They are cached in memory and always written to the file too. */
export class Catalog {
  readonly #database: Database;
  readonly #tables = new Map<string, TableDefinition>();
  readonly #streams = new Map<string, StreamDefinition>();

  constructor(database: Database) {
    this.#database = database;
    this.reload();
  }

  /** Also called after a failed transaction, because what was not committed must not stay in memory. */
  reload(): void {
    this.#tables.clear();
    this.#streams.clear();
    for (const row of this.#database.prepare('SELECT name, definition FROM tables').all()) {
      this.#tables.set(String(row.name), JSON.parse(String(row.definition)));
    }
    for (const row of this.#database.prepare('SELECT arn, definition FROM streams').all()) {
      this.#streams.set(String(row.arn), JSON.parse(String(row.definition)));
    }
  }

  tables(): TableDefinition[] {
    return [...this.#tables.values()];
  }

  find(nameOrArn: string): TableDefinition | undefined {
    return this.#tables.get(nameOrArn.startsWith('arn:') ? (nameOrArn.split('/')[1] ?? '') : nameOrArn);
  }

  table(nameOrArn: string, message?: string): TableDefinition {
    const table = this.find(nameOrArn);
    if (table) return table;
    if (!nameOrArn.startsWith('arn:')) assertTableName(nameOrArn, 1);
    throw resourceNotFound(message);
  }

  nextTableId(): number {
    return this.#nextId('tables');
  }

  nextStreamId(): number {
    return this.#nextId('streams');
  }

  #nextId(table: string): number {
    const row = this.#database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table);
    return Number(row?.seq ?? 0) + 1;
  }

  saveTable(table: TableDefinition): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO tables (id, name, definition) VALUES (?, ?, ?)')
      .run(table.id, table.name, JSON.stringify(table));
    this.#tables.set(table.name, table);
  }

  removeTable(table: TableDefinition): void {
    for (const index of table.indexes) this.#database.exec(`DROP TABLE ${indexTable(table, index)}`);
    this.#database.exec(`DROP TABLE ${itemsTable(table)}`);
    this.#database.prepare('DELETE FROM tables WHERE id = ?').run(table.id);
    this.#tables.delete(table.name);
  }

  streams(): StreamDefinition[] {
    return [...this.#streams.values()];
  }

  stream(arn: string): StreamDefinition {
    const stream = this.#streams.get(arn);
    if (!stream) throw resourceNotFound(`Requested resource not found: Stream: ${arn} not found`);
    return stream;
  }

  saveStream(stream: StreamDefinition): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO streams (id, arn, table_name, definition) VALUES (?, ?, ?, ?)')
      .run(stream.id, stream.arn, stream.tableName, JSON.stringify(stream));
    this.#streams.set(stream.arn, stream);
  }

  removeStream(stream: StreamDefinition): void {
    this.#database.prepare('DELETE FROM streams WHERE id = ?').run(stream.id);
    this.#streams.delete(stream.arn);
  }
}
