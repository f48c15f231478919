import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { synthesize } from '#lib/synthesize.ts';

const sources = ['{functions,lib,schemas}/**/*.*', 'cdk.json', 'package.json', 'package-lock.json', 'tsconfig.json'];
const kept = resolve('.build/test-assemblies');
const maxKept = 3;

/**
 * Synthesizes once for all test files that run the stack, because it is the slowest part of starting one, and not again in
 * later runs until a source changes.
 */
export default async function setup() {
  if (process.env.TEST_ASSEMBLY) return;
  const folder = join(kept, hashOfSources());
  if (!existsSync(folder)) await make(folder);
  utimesSync(folder, new Date(), new Date());
  removeOldest();
  process.env.TEST_ASSEMBLY = join(folder, 'assembly');
}

function hashOfSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of globSync(sources).toSorted()) {
    if (statSync(file).isFile()) hash.update(`\n${file}\n`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 32);
}

/** Another run may look for it at any time: it is there when it is complete. */
async function make(folder: string): Promise<void> {
  mkdirSync(kept, { recursive: true });
  const unfinished = mkdtempSync(join(kept, 'unfinished-'));
  try {
    await synthesize(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 });
    if (!existsSync(folder)) throw error;
  }
}

function removeOldest(): void {
  const found = readdirSync(kept).map((name) => ({
    folder: join(kept, name),
    usedAt: statSync(join(kept, name)).mtimeMs,
  }));
  for (const { folder } of found.toSorted((a, b) => b.usedAt - a.usedAt).slice(maxKept)) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
