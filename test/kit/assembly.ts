import { copyFile, mkdir, readdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { synthesize } from '#lib/synthesize.ts';

/** An assembly whose templates a test may change: a copy of the one of the test run, or else a new one. Nobody changes the assets. */
export async function assemblyIn(folder: string): Promise<string> {
  const made = process.env.TEST_ASSEMBLY;
  if (!made) return synthesize(folder);
  const copy = join(folder, 'assembly');
  await mkdir(copy, { recursive: true });
  const put = (name: string) => (name.startsWith('asset.') ? symlink : copyFile)(join(made, name), join(copy, name));
  await Promise.all((await readdir(made)).map(put));
  return copy;
}

/** The bundles that the test run made, one folder for each function. */
export const testBundles = (): string => join(dirname(process.env.TEST_ASSEMBLY!), 'functions');
