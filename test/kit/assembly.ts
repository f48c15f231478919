import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { synthesize } from '#lib/synthesize.ts';

/** An assembly of one's own to run or to change: a copy of the one that the test run made, else a new one. */
export async function assemblyIn(folder: string): Promise<string> {
  const made = process.env.TEST_ASSEMBLY;
  if (!made) return synthesize(folder);
  const copy = join(folder, 'assembly');
  await cp(made, copy, { recursive: true });
  return copy;
}
