import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '#lib/synthesize.ts';

/** Synthesizes once for all test files that run the stack: it is the slowest part of starting one. */
export default async function setup() {
  if (process.env.TEST_ASSEMBLY) return;
  const folder = mkdtempSync(join(tmpdir(), 'post-purchase-assembly-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  process.env.TEST_ASSEMBLY = await synthesize(folder);
}
