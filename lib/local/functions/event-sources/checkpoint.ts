import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Position {
  shardId?: string;
  sequenceNumber?: string;
  /** When a mapping that starts at the latest record was first started: older records are not its business. */
  since?: number;
}

export interface Checkpoint {
  read(): Position | undefined;
  write(position: Position): void;
}

interface Stored {
  streamArn: string;
  position: Position;
}

/**
 * Where a mapping stands in its stream. Written after success only, so that a restart repeats rather than loses. A
 * position in another stream (the table was made anew) counts for nothing.
 */
export function openCheckpoint(logicalId: string, streamArn: string, dataDir: string | undefined): Checkpoint {
  let current: Position | undefined;
  if (dataDir === undefined) {
    return {
      read: () => current,
      write: (position) => {
        current = position;
      },
    };
  }
  const folder = join(dataDir, 'checkpoints');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${logicalId}.json`);
  return {
    read: () => {
      const stored = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Stored) : undefined;
      return stored?.streamArn === streamArn ? stored.position : undefined;
    },
    write: (position) => {
      writeFileSync(`${file}.new`, JSON.stringify({ streamArn, position } satisfies Stored));
      renameSync(`${file}.new`, file);
    },
  };
}
