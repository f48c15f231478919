import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Position {
  shardId?: string;
  sequenceNumber?: string;
  /** When a mapping with the starting position LATEST was first started. It ignores older records. */
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
 * The position of a mapping in its stream. It is written only after success, so a restart repeats records but loses
 * none. A position in another stream (the table was created again) is ignored.
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
