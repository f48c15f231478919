import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Two stacks on one folder would lose each other's writes. SQLite's lock is the operating system's: it ends with its
 * process, however that ends, so there is no stale lock to tell from a live one.
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const database = new DatabaseSync(join(dataDir, 'lock.sqlite'));
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch {
    database.close();
    throw new Error(
      `The data folder ${dataDir} is in use by another local stack. Stop that stack, or set DATA_DIR to another folder.`,
    );
  }
  return () => database.close();
}
