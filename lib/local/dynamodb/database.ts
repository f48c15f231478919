import { DatabaseSync, type StatementSync } from 'node:sqlite';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS tables (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, definition TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS streams (
  id INTEGER PRIMARY KEY AUTOINCREMENT, arn TEXT NOT NULL UNIQUE, table_name TEXT NOT NULL, definition TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS stream_records (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, stream INTEGER NOT NULL, created INTEGER NOT NULL, record TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS stream_records_by_stream ON stream_records (stream, sequence);
CREATE INDEX IF NOT EXISTS stream_records_by_age ON stream_records (created);
CREATE TABLE IF NOT EXISTS request_tokens (
  token TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, created INTEGER NOT NULL) WITHOUT ROWID;
`;

/** One SQLite file. With WAL an acknowledged write survives when the process is killed. */
export class Database {
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string) {
    this.#sqlite = new DatabaseSync(file);
    try {
      // Items of some kilobytes share pages of this size. In SQLite's own of 4 KB each takes a further one: a day needs a quarter
      // more of the disk then, and triggers that are due an eighth more time. A file keeps the size that it was made with.
      this.#sqlite.exec('PRAGMA page_size = 16384;');
      // Exclusive, because definitions are cached in memory: a second process on the same file must fail.
      this.#sqlite.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
      this.#sqlite.exec(SCHEMA);
    } catch (error) {
      this.#sqlite.close();
      throw error;
    }
  }

  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#sqlite.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  exec(sql: string): void {
    this.#sqlite.exec(sql);
  }

  transaction<Result>(work: () => Result): Result {
    this.prepare('BEGIN IMMEDIATE').run();
    try {
      const result = work();
      this.prepare('COMMIT').run();
      return result;
    } catch (error) {
      this.prepare('ROLLBACK').run();
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#sqlite.close();
  }
}
