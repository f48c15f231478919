import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Two stacks on one folder would overwrite each other's data. The lock of SQLite is a lock of the operating system,
 * which releases it when the process ends in any way. So there are no stale locks.
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
