import type { TableDefinition } from './definitions.ts';
import type { Engine } from './engine.ts';
import { keyOfItem } from './keys.ts';
import { TOKEN_LIFETIME_MS } from './operations/transactions.ts';
import { RETENTION_MS } from './streams.ts';

const BATCH = 500;
const TRIM_BATCH = 10_000;
// AWS does not delete an item that expired more than five years ago, because it assumes a mistake.
const OLDEST_EXPIRY_SECONDS = 5 * 365 * 24 * 60 * 60;

/** One limited round of DynamoDB's background work: removes expired items, old stream records and old tokens. */
export function sweep(engine: Engine): void {
  for (const table of engine.catalog.tables()) {
    if (table.ttlAttribute !== undefined) expireItems(engine, table);
  }
  engine.changeDefinitions(() => {
    engine.streams.trim(TRIM_BATCH);
    forgetOldStreams(engine);
    engine.database.prepare('DELETE FROM request_tokens WHERE created <= ?').run(engine.now() - TOKEN_LIFETIME_MS);
  });
}

function expireItems(engine: Engine, table: TableDefinition): void {
  const seconds = Math.floor(engine.now() / 1000);
  engine.database.transaction(() => {
    for (const item of engine.storage.expired(table, seconds - OLDEST_EXPIRY_SECONDS, seconds, BATCH)) {
      const key = keyOfItem(table, item);
      engine.write(table, key, engine.storage.get(table, key), undefined, true);
    }
  });
}

function forgetOldStreams(engine: Engine): void {
  const horizon = engine.now() - RETENTION_MS;
  for (const stream of engine.catalog.streams()) {
    if (stream.stopped !== undefined && stream.stopped < horizon) engine.catalog.removeStream(stream);
  }
}
