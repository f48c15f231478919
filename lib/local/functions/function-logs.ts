import { createWriteStream, mkdirSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

export interface FunctionLogs {
  write(stream: 'stdout' | 'stderr', line: string): void;
  /** The last lines, newest last. */
  recent(): string[];
  close(): Promise<void>;
}

const ringSize = 500;
// A start begins a file of this size anew: the logs of a machine that runs for months must not fill it.
const fileLimit = 20 * 1024 * 1024;
const shownLength = 400;

/** Keeps what a function prints; what a person should see at once also goes to `log`, shortened. */
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
      // The last words of a worker that was ended may come after the end.
      if (open) file?.write(`${line}\n`);
      ring.push(line);
      if (ring.length > ringSize) ring.shift();
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
  return createWriteStream(file, { flags: size > fileLimit ? 'w' : 'a' });
}

function deservesAttention(stream: 'stdout' | 'stderr', line: string): boolean {
  try {
    const { level } = JSON.parse(line) as { level?: string };
    return level === 'ERROR' || level === 'CRITICAL';
  } catch {
    return stream === 'stderr' && line.trim() !== '';
  }
}

function shorten(line: string): string {
  return line.length <= shownLength ? line : `${line.slice(0, shownLength)}…`;
}
