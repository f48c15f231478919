import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Failures } from '../failure-queues.ts';

/** How the operator's tool reaches the table and the queues of the running local stack. */
export interface OperatorAccess {
  tableName: string;
  failures: Failures;
  /** The bucket of the ledger of erasures. */
  ledger: string;
  region: string;
  endpoint: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

const fileIn = (dataDir: string) => join(dataDir, 'operator-access.json');

export const OperatorAccess = {
  write(dataDir: string, access: OperatorAccess): void {
    writeFileSync(fileIn(dataDir), JSON.stringify(access, undefined, 2), { mode: 0o600 });
  },

  read(dataDir: string): OperatorAccess {
    if (!existsSync(fileIn(dataDir))) {
      throw new Error(
        `The folder ${dataDir} has no local stack. Start one with npm start, or name a deployed table with --table.`,
      );
    }
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8'));
  },
};
