import { createWriteStream, mkdirSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

export interface FunctionLogs {
  write(stream: 'stdout' | 'stderr', line: string): void;
  /** The last lines, newest last. */
  recent(): string[];
  close(): Promise<void>;
}

const maxRecentLines = 500;
// At start a log file of this size is emptied, so logs do not fill the disk of a machine that runs for months.
const maxFileBytes = 20 * 1024 * 1024;
const maxShownLength = 400;

/** Stores the output of a function. Lines that a person should see at once also go to `log`, shortened. */
export function openFunctionLogs(
  logicalId: string,
  dataDir: string | undefined,
  log: (line: string) => void,
): FunctionLogs {
  const file = dataDir === undefined ? undefined : openFile(join(dataDir, 'logs'), `${logicalId}.log`);
  const ring: string[] = [];
  let open = true;
  return {
    write: (stream, line) => {
      // The last lines of a terminated worker may arrive after the log is closed.
      if (open) file?.write(`${line}\n`);
      ring.push(line);
      if (ring.length > maxRecentLines) ring.shift();
      if (deservesAttention(stream, line)) log(`${logicalId}: ${shorten(line)}`);
    },
    recent: () => [...ring],
    close: () => {
      open = false;
      return new Promise((resolve) => (file ? file.end(() => resolve()) : resolve()));
    },
  };
}

function openFile(folder: string, name: string): WriteStream {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return createWriteStream(file, { flags: size > maxFileBytes ? 'w' : 'a' });
}

function deservesAttention(stream: 'stdout' | 'stderr', line: string): boolean {
  // To parse every line takes 4 % of the stack's main thread under load.
  if (stream === 'stdout' && !line.includes('ERROR') && !line.includes('CRITICAL')) return false;
  try {
    const { level } = JSON.parse(line) as { level?: string };
    return level === 'ERROR' || level === 'CRITICAL';
  } catch {
    return stream === 'stderr' && line.trim() !== '';
  }
}

function shorten(line: string): string {
  return line.length <= maxShownLength ? line : `${line.slice(0, maxShownLength)}…`;
}
