import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { synthesize } from '#lib/synthesize.ts';

/** An assembly that a test may run or change: a copy of the one of the test run, or else a new one. */
export async function assemblyIn(folder: string): Promise<string> {
  const made = process.env.TEST_ASSEMBLY;
  if (!made) return synthesize(folder);
  const copy = join(folder, 'assembly');
  await cp(made, copy, { recursive: true });
  return copy;
}

/** The bundles that the test run made, one folder for each function. */
export const testBundles = (): string => join(dirname(process.env.TEST_ASSEMBLY!), 'functions');
