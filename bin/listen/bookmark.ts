import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Whose events are read. */
interface Source {
  api: string;
  shop: string;
  endpoint: string;
}

/** How far a feed was read, in a file that outlives the process. */
export class Bookmark {
  readonly file: string;
  #saved: string | undefined;

  constructor(file: string) {
    this.file = file;
  }

  /** Undefined if nothing was read yet. */
  async read(): Promise<string | undefined> {
    const text = await readFile(this.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    this.#saved = cursorIn(text);
    if (this.#saved === undefined)
      throw new Error(`${this.file} is damaged. Delete it, or begin with --from start|now.`);
    return this.#saved;
  }

  /** In one step: whoever is killed leaves the old cursor or the new one. */
  async save(cursor: string): Promise<void> {
    if (cursor === this.#saved) return;
    await mkdir(dirname(this.file), { recursive: true });
    const next = `${this.file}.${process.pid}.new`;
    await writeFile(next, `${JSON.stringify({ cursor })}\n`);
    await rename(next, this.file);
    this.#saved = cursor;
  }
}

function cursorIn(text: string): string | undefined {
  try {
    const { cursor } = JSON.parse(text) as { cursor?: unknown };
    return typeof cursor === 'string' ? cursor : undefined;
  } catch {
    return undefined;
  }
}

/** Beside what the local stack keeps. */
export function bookmarkFile({ api, shop, endpoint }: Source): string {
  const service = createHash('sha256').update(api.replace(/\/+$/, '')).digest('hex').slice(0, 8);
  return join(resolve(process.env.DATA_DIR || '.local'), 'listen', `${shop}-${endpoint}-${service}.json`);
}
