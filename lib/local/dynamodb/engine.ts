import type { Consumption } from './capacity.ts';
import { Catalog } from './catalog.ts';
import { Database } from './database.ts';
import type { TableDefinition } from './definitions.ts';
import type { ItemKey } from './keys.ts';
import { Storage, type StoredItem } from './storage.ts';
import { StreamLog } from './streams.ts';
import { equalMaps } from './values.ts';

export interface EngineOptions {
  file: string;
  now: () => number;
  region: string;
  accountId: string;
}

/** The state that every operation uses. A write and its stream record belong to the same transaction of the caller. */
export class Engine {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly storage: Storage;
  readonly streams: StreamLog;
  readonly now: () => number;
  readonly region: string;
  readonly accountId: string;

  constructor(options: EngineOptions) {
    this.now = options.now;
    this.region = options.region;
    this.accountId = options.accountId;
    this.database = new Database(options.file);
    this.catalog = new Catalog(this.database);
    this.storage = new Storage(this.database);
    this.streams = new StreamLog(this.database, options.region, options.now);
  }

  write(
    table: TableDefinition,
    key: ItemKey,
    old: StoredItem | undefined,
    next: StoredItem | undefined,
    byTimeToLive = false,
  ): Consumption {
    const consumed = this.storage.replace(table, key, old, next);
    const changed = !(old && next && equalMaps(old.item, next.item));
    if (changed && table.stream?.enabled) this.streams.append(table.stream, { old, next, byTimeToLive });
    return consumed;
  }

  changeDefinitions<Result>(work: () => Result): Result {
    try {
      return this.database.transaction(work);
    } catch (error) {
      this.catalog.reload();
      throw error;
    }
  }

  close(): void {
    this.database.close();
  }
}
